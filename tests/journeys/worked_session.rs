//! A worked session on a real folder: a messy table is cleaned, shown as a chart, reported on with a figure looked up on the
//! web, and checked in the background. A person decides on the way, and the process is killed twice in the middle.

use crate::jobs::{supervisor, until};
use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed, Staying};
use shidi_tests::model_server::{Answer, ModelServer, prompt_of};
use shidi_tests::web_server::{Page, WebServer};
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;

/// The table as somebody sent it, in GBK: two orders stand there twice, lines are empty, and the comma of some amounts is
/// that of decimals.
const MESSY: &str = "订单号,城市,日期,金额,备注\r\n\
    1001,上海,2026-03-02,\"1.234,50\",已付款\r\n\
    1002,北京,2026-03-02,980.00,已付款\r\n\
    \r\n\
    1003,广州,2026-03-03,\"75,25\",待确认\r\n\
    1002,北京,2026-03-02,980.00,已付款\r\n\
    \u{20}, , , , \r\n\
    1004,上海,2026-03-04, 19.5 ,已付款\r\n\
    1005,北京,2026-03-05,\"2,000.00\",已付款\r\n\
    1001,上海,2026-03-02,\"1.234,50\",已付款\r\n\
    \r\n";

/// The same table as it is to be, in UTF-8 with its mark.
const CLEAN: &str = "\u{feff}订单号,城市,日期,金额,备注\n\
    1001,上海,2026-03-02,1234.5,已付款\n\
    1002,北京,2026-03-02,980.0,已付款\n\
    1003,广州,2026-03-03,75.25,待确认\n\
    1004,上海,2026-03-04,19.5,已付款\n\
    1005,北京,2026-03-05,2000.0,已付款\n";

/// The text of the report, as the reader of documents gives it back.
const REPORT_READ: &str = "# Orders\n| City | Yuan |\n| 上海 | 1254.00 |\n| 北京 | 2980.00 |\n| 广州 | 75.25 |\n\
    Total: 4309.25 yuan, 552.47 euro.\n";

/// Characters of the table in GBK.
const GBK: [(char, [u8; 2]); 23] = [
    ('订', [0xb6, 0xa9]),
    ('单', [0xb5, 0xa5]),
    ('号', [0xba, 0xc5]),
    ('城', [0xb3, 0xc7]),
    ('市', [0xca, 0xd0]),
    ('日', [0xc8, 0xd5]),
    ('期', [0xc6, 0xda]),
    ('金', [0xbd, 0xf0]),
    ('额', [0xb6, 0xee]),
    ('备', [0xb1, 0xb8]),
    ('注', [0xd7, 0xa2]),
    ('上', [0xc9, 0xcf]),
    ('海', [0xba, 0xa3]),
    ('北', [0xb1, 0xb1]),
    ('京', [0xbe, 0xa9]),
    ('广', [0xb9, 0xe3]),
    ('州', [0xd6, 0xdd]),
    ('已', [0xd2, 0xd1]),
    ('付', [0xb8, 0xb6]),
    ('款', [0xbf, 0xee]),
    ('待', [0xb4, 0xfd]),
    ('确', [0xc8, 0xb7]),
    ('认', [0xc8, 0xcf]),
];

const LOOK: &str = "print(await files.read(path='orders.csv'))";

const CLEAN_UP: &str = r"import csv, io
def amount(text):
    if text.rfind(',') > text.rfind('.'):
        text = text.replace('.', '').replace(',', '.')
    return float(text.replace(',', ''))
text = (await files.read(path='orders.csv')).data
lines = [[cell.strip() for cell in line] for line in csv.reader(io.StringIO(text))]
head, *lines = [line for line in lines if any(line)]
rows = {line[0]: [int(line[0]), *line[1:3], amount(line[3]), line[4]] for line in lines}
rows = list(rows.values())
await files.write_table(path='orders-clean.csv', columns=head, rows=rows)
print(len(lines), 'lines,', len(rows), 'orders')";

const CHART: &str = r"sums = {}
for row in rows:
    sums[row[1]] = sums.get(row[1], 0) + row[3]
await user.chart(labels=list(sums), values=list(sums.values()), title='Yuan by city')
await user.say('The table is clean.')";

const REPORT: &str = r"import re
page = await web.fetch('http://market.example/rate')
rate = float(re.search(r'is ([0-9.]+) yuan', page.data['text']).group(1))
cities = [f'| {city} | {total:.2f} |' for city, total in sums.items()]
total = sum(sums.values())
lines = ['# Orders', '', '| City | Yuan |', '|---|---:|', *cities, '', f'Total: {total:.2f} yuan, {total / rate:.2f} euro.']
await files.write_document(path='report.docx', markdown='\n'.join(lines))
await user.say('The report is written.')";

const CHECKS: &str = r#"job = await shell.background("sh check.sh")
told = await shell.wait(job["id"])
await user.say(f"{told['state']} {told['exit_code']}: {told['output'].strip()}")"#;

/// What the job runs: it leaves a mark for each time it was begun, and prints orders that stand there twice.
const CHECK_SCRIPT: &str = r#"echo begun >> begun
until [ -e go ]; do sleep 0.05; done
awk -F, 'NR > 1 { rows++; sum += $4 } END { printf "%d rows, %.2f yuan\n", rows, sum }' orders-clean.csv
cut -d, -f1 orders-clean.csv | sort | uniq -d
"#;

const REPLACE: &str =
    "await files.write_table(path='orders.csv', columns=head, rows=rows)\nawait user.say('Replaced.')";

const RATE: &str = "http://market.example/rate";

/// The session, its folder, and those whom it asks.
struct Story {
    desk: Desk,
    model: ModelServer,
    web: WebServer,
    /// Empty before the first question.
    session: String,
}

impl Story {
    /// A folder with the table, and a web that is reached through a proxy of the test's own.
    fn new() -> Self {
        let (model, web) = (ModelServer::start([]), WebServer::start());
        web.put(RATE, Page::html("<title>Rate</title><p>One euro is 7.80 yuan."));
        let desk = Desk::with_model(&model.url());
        desk.write_config(&format!(
            "provider = \"openai\"\nmodel = \"scripted\"\nmodel_url = \"{}\"\nproxy = \"{}\"\n",
            model.url(),
            web.at("")
        ));
        fs::create_dir_all(desk.path("work")).unwrap();
        let story = Self {
            desk,
            model,
            web,
            session: String::new(),
        };
        fs::write(story.file("orders.csv"), in_gbk(MESSY)).unwrap();
        story
    }

    fn file(&self, name: &str) -> PathBuf {
        self.desk.path("work").join(name)
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.file(name)).unwrap()
    }

    /// The model's next programs, one for each of its turns.
    fn writes(&self, programs: &[&str]) {
        let answer = |text: &&str| Answer::Text(format!("[Thought]: I do it.\n```python\n{text}\n```"));
        self.model.add(programs.iter().map(answer));
    }

    fn ask(&self, more: &[&str], question: &str) -> Printed {
        let words = ["ask", "--json", "--session", &self.session];
        self.desk.run(
            words
                .iter()
                .copied()
                .chain(more.iter().copied())
                .chain([question]),
        )
    }

    fn approve(&self, card: &Value) -> Printed {
        let (run, call) = named(card);
        done(self.desk.run(["approve", "--json", &run, &call]))
    }

    /// The calls in a run's trace, in order.
    fn traced(&self, run: &str) -> Vec<String> {
        let steps = self.desk.run(["--json", "trace", "show", run]).json();
        let calls = steps.iter().filter(|step| step["operation"] == "execute_tool");
        calls
            .map(|step| step["name"].as_str().unwrap().to_owned())
            .collect()
    }

    /// What was changed in files, newest first.
    fn changes(&self) -> Vec<Value> {
        done(self.desk.run(["--json", "changes"])).json()
    }
}

fn in_gbk(text: &str) -> Vec<u8> {
    let bytes = |letter: char| match GBK.iter().find(|(known, _)| *known == letter) {
        Some((_, bytes)) => bytes.to_vec(),
        None => vec![u8::try_from(letter).unwrap()],
    };
    text.chars().flat_map(bytes).collect()
}

fn done(printed: Printed) -> Printed {
    assert_eq!(printed.code, Some(0), "{}\n{}", printed.stdout, printed.stderr);
    printed
}

/// The card of this class that a task waits for.
fn waits(printed: &Printed, class: &str) -> Value {
    assert_eq!(printed.code, Some(3), "{}\n{}", printed.stdout, printed.stderr);
    let card = printed.event("approval_needed");
    assert_eq!(card["class"], class, "{card}");
    card
}

/// The run and the number of the call that a card is about.
fn named(card: &Value) -> (String, String) {
    (card["run"].as_str().unwrap().to_owned(), card["call"].to_string())
}

/// The table is cleaned into a new file and shown as a chart. The folder is granted, so nobody is asked. Gives the run.
fn cleans_and_charts(story: &mut Story) -> String {
    story.writes(&[LOOK, CLEAN_UP, CHART]);
    let folder = story.desk.path("work").display().to_string();
    let words = [
        "ask",
        "--json",
        "--folder",
        &folder,
        "Clean orders.csv and chart it",
    ];
    let printed = done(story.desk.run(words));
    assert!(!printed.stdout.contains("approval_needed"), "{}", printed.stdout);
    let read = prompt_of(&story.model.requests()[1]);
    assert!(read.contains("1003,广州"), "read in its own encoding: {read}");
    assert!(
        printed.segments("Output")[1].contains("7 lines, 5 orders"),
        "{}",
        printed.stdout
    );
    assert_eq!(String::from_utf8(story.bytes("orders-clean.csv")).unwrap(), CLEAN);
    assert_eq!(story.bytes("orders.csv"), in_gbk(MESSY), "the raw table stays");
    let card = printed.event("card");
    assert_eq!(card["kind"], "chart");
    assert_eq!(card["data"]["labels"], json!(["上海", "北京", "广州"]));
    assert_eq!(
        card["data"]["series"][0]["values"],
        json!([1254.0, 2980.0, 75.25])
    );
    let started = printed.event("run_started");
    story.session = started["session"].as_str().unwrap().to_owned();
    started["run"].as_str().unwrap().to_owned()
}

/// A host is asked about, and the process is killed while that card waits. Another one shows it again, and the report is
/// written once it is approved.
fn looks_up_and_reports_over_a_kill(story: &Story) -> String {
    story.writes(&[REPORT]);
    let process = Staying::start(&story.desk);
    let card = waits(&story.ask(&[], "Write a report, in euro too"), "network_read");
    assert_eq!(card["args"]["url"], RATE);
    drop(process); // kill -9 of whoever held the card
    assert_eq!(story.web.targets(), Vec::<String>::new(), "nothing was asked for");
    assert!(!story.file("report.docx").exists());
    let (run, _) = named(&card);
    let again = waits(&story.desk.run(["resume", "--json", &run]), "network_read");
    assert_eq!((&again["args"], &again["call"]), (&card["args"], &card["call"]));
    let printed = story.approve(&again);
    assert_eq!(printed.event("answer")["text"], "The report is written.");
    run
}

/// The report is a document that opens: another session has it read.
fn report_opens(story: &Story) {
    let folder = story.desk.path("work").display().to_string();
    let words = ["exec", "--json", "--session", "new", "--folder", &folder, "-"];
    let read = done(
        story
            .desk
            .run_with(words, "(await files.read(path='report.docx')).data"),
    );
    assert_eq!(read.json()[0]["value"], REPORT_READ);
}

/// The checks run in the background. The process that waits for them is killed, they go on, and whoever takes the task up
/// hears of their one outcome.
fn checks_over_a_kill(story: &Story) -> String {
    fs::write(story.file("check.sh"), CHECK_SCRIPT).unwrap();
    story.writes(&[CHECKS]);
    let card = waits(&story.ask(&[], "Check the clean table"), "execute");
    assert_eq!(card["args"]["command"], "sh check.sh");
    assert!(!story.file("begun").exists(), "it waits for leave");
    let (run, call) = named(&card);
    let mut process = story
        .desk
        .spawn(["approve", "--json", &run, &call], Stdio::null());
    until(|| story.file("begun").exists());
    until(|| story.traced(&run).iter().any(|name| name == "shell.wait"));
    process.kill().unwrap();
    process.wait().unwrap();
    assert!(
        supervisor(&story.desk).is_some(),
        "it goes on without the program"
    );
    fs::write(story.file("go"), "").unwrap();
    let resumed = done(story.desk.run(["resume", "--json", &run]));
    assert_eq!(resumed.event("answer")["text"], "ended 0: 5 rows, 4309.25 yuan");
    assert_eq!(resumed.segments("Notification"), Vec::<String>::new());
    assert_eq!(story.bytes("begun"), b"begun\n", "it was begun once");
    run
}

/// The raw table is written over with leave, and the user takes that back: byte for byte.
fn replaces_and_is_taken_back(story: &Story) -> String {
    story.writes(&[REPLACE]);
    let asked = story.ask(&["--mode", "ask"], "Put the clean table in its place");
    let card = waits(&asked, "write");
    assert_eq!(story.bytes("orders.csv"), in_gbk(MESSY));
    story.approve(&card);
    assert_eq!(story.bytes("orders.csv"), CLEAN.as_bytes());
    let newest = story.changes().remove(0);
    done(
        story
            .desk
            .run(["changes", "undo", newest["id"].as_str().unwrap()]),
    );
    assert_eq!(story.bytes("orders.csv"), in_gbk(MESSY));
    named(&card).0
}

/// Each file was written once, the page was fetched once, and no answer of the model was asked for twice.
fn nothing_happened_twice(story: &Story, turns: usize) {
    let changes = story.changes();
    let told: Vec<(String, bool)> = changes
        .iter()
        .map(|change| {
            let path = PathBuf::from(change["path"].as_str().unwrap());
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, change["undone"] == true)
        })
        .collect();
    let expected = [
        ("orders.csv", true),
        ("report.docx", false),
        ("orders-clean.csv", false),
    ];
    assert_eq!(
        told,
        expected.map(|(name, is_undone)| (name.to_owned(), is_undone))
    );
    let fetched = story.web.targets().into_iter().filter(|target| target == RATE);
    assert_eq!(fetched.count(), 1);
    assert_eq!(story.model.requests().len(), turns);
}

#[test]
fn a_messy_table_becomes_a_checked_report_through_approvals_two_kills_and_an_undo() {
    let mut story = Story::new();
    let cleaned = cleans_and_charts(&mut story);
    let reported = looks_up_and_reports_over_a_kill(&story);
    report_opens(&story);
    // Only where commands can be confined.
    let checked = story.desk.can_confine().then(|| checks_over_a_kill(&story));
    let replaced = replaces_and_is_taken_back(&story);
    nothing_happened_twice(&story, if checked.is_some() { 6 } else { 5 });
    let mut traces = vec![
        (
            cleaned,
            vec![
                "files.read",
                "files.read",
                "files.write_table",
                "user.chart",
                "user.say",
            ],
        ),
        (reported, vec!["web.fetch", "files.write_document", "user.say"]),
        (replaced, vec!["files.write_table", "user.say"]),
    ];
    traces.extend(checked.map(|run| (run, vec!["shell.background", "shell.wait", "user.say"])));
    for (run, calls) in traces {
        assert_eq!(story.traced(&run), calls, "{run}");
    }
}
