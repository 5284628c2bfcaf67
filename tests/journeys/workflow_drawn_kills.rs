//! kill -9 of a workflow with steps of every kind, at moments that a seed draws; also when it is taken up. What was told as
//! done stays done. Each effect happens once, and the run ends as one that nobody killed.

use crate::workflow_kills::{came, named, run_of};
use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use shidi_tests::command::Desk;
use shidi_tests::model_server::{Answer, ModelServer, prompt_of};
use shidi_tests::soak;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

const SERVER: &str = env!("CARGO_BIN_EXE_shidi-test-server");

/// Kills in `make test`, and in `make soak`; `SHIDI_KILLS` wants another number.
const KILLS: usize = 6;
const KILLS_SOAKED: usize = 200;

/// The moments of `make test`; `SHIDI_KILL_SEED` draws others.
const SEED: u64 = 20;

/// Runs for each kill that is wanted: a moment near the end may come too late for its kill.
const RUNS_FOR_A_KILL: usize = 8;

/// Kills of one run after the first one, while it is taken up.
const KILLS_AGAIN_MOST: u64 = 2;

/// Times that a run is taken up again before it counts as one without an end.
const RESUMES_MAX: usize = 60;

/// How often is looked whether the moment has come.
const LOOK_EVERY: Duration = Duration::from_millis(1);

/// Longest wait for the end of a killed process's output.
const PATIENCE: Duration = Duration::from_secs(60);

/// A model's answers, a function and code with effects, loops over a list and until a condition, a step that fails, is tried
/// again and handled, cases, another workflow, a pause, two effects at once. A call to the server may be unconfirmed after a
/// kill; a file shows whether it was written.
const WORKFLOW: &str = "version: '1.0'
name: Every kind
permissions: [files.write, peer.send_note, peer.wait]
steps:
  - {id: ask, type: llm, prompt: Name a colour, output: {name: colour, type: str}}
  - {id: note, type: custom, function: note, inputs: {word: '{colour}'}, output: {name: noted, type: int}}
  - id: each
    type: loop
    each: [1, 2, 3]
    as: n
    steps:
      - {id: twice, type: llm, prompt: 'Double {n}', output: {name: doubled, type: str}}
      - id: write
        type: code
        inputs: {n: '{n}', doubled: '{doubled}'}
        code: |
          line = str(n) + ' twice is ' + doubled
          await files.write(path='lines.txt', text=line + '\\n', append=True)
        output: {name: line, type: str}
    outputs: {name: lines, type: list, value: '{line}'}
  - id: turns
    type: loop
    as: turn
    until: '{turn} >= 1'
    steps:
      - id: count
        type: code
        inputs: {turn: '{turn}'}
        code: |
          await files.write(path='turns.txt', text=str(turn) + '\\n', append=True)
          counted = turn
        output: {name: counted, type: int}
    outputs: {name: counts, type: list, value: '{counted}'}
  - id: fails
    type: code
    code: raise ValueError('no')
    retry: {times: 1, wait: 100ms, factor: 1}
    on_error:
      - id: instead
        type: code
        inputs: {failed: '{error.step}'}
        code: |
          await files.write(path='instead.txt', text=failed + '\\n', append=True)
  - id: by_length
    type: branch
    cases:
      - {if: '{noted} > 100', steps: [{id: long, type: tool, tool: files.write, inputs: {path: chosen.txt, text: long}}]}
      - {if: '{noted} == 4', steps: [{id: short, type: tool, tool: files.write, inputs: {path: chosen.txt, text: short}}]}
    else: [{id: neither, type: tool, tool: files.write, inputs: {path: chosen.txt, text: neither}}]
  - {id: call, type: tool, tool: workflows.inner, inputs: {word: inner}, output: {name: inner, type: dict}}
  - {id: pause, type: wait, for: 300ms}
  - id: beside
    type: parallel
    branches:
      - [{id: left, type: tool, tool: peer.wait, inputs: {seconds: 0.2}, output: {name: waited, type: str}}]
      - [{id: right, type: tool, tool: files.write, inputs: {path: right.txt, text: right}}]
  - id: told
    type: output
    inputs: {noted: '{noted}', lines: '{lines}', counts: '{counts}', length: '{inner.length}', waited: '{waited}'}
";

/// What it calls.
const INNER: &str = "version: '1.0'
name: Inner
inputs:
  - {name: word, type: str}
steps:
  - {id: rest, type: wait, for: 100ms}
  - id: add
    type: code
    inputs: {word: '{word}'}
    code: |
      await files.write(path='inner.txt', text=word + '\\n', append=True)
      length = len(word)
    output: {name: length, type: int}
  - {id: answer, type: output, inputs: {length: '{length}'}}
";

const FUNCTIONS: &str = "async def note(word):
    await peer.send_note(to=word, note_text='noted')
    return len(word)
";

const LINES: [&str; 3] = ["1 twice is 2", "2 twice is 4", "3 twice is 6"];

fn expected() -> Value {
    json!({"noted": 4, "lines": LINES, "counts": [0, 1], "length": 5, "waited": "waited"})
}

/// What stands in each file in the end: each line was added once.
const FILES: [(&str, &str); 6] = [
    ("lines.txt", "1 twice is 2\n2 twice is 4\n3 twice is 6\n"),
    ("turns.txt", "0\n1\n"),
    ("instead.txt", "fails\n"),
    ("chosen.txt", "short"),
    ("inner.txt", "inner\n"),
    ("right.txt", "right"),
];

/// The results of the steps that call the server, by what tells the call apart, as a person says them.
const RESULTS: [(&str, &str); 2] = [("blue", "4"), ("0.2", "\"waited\"")];

/// What the model says, which takes its time.
fn answer(request: &Value) -> Answer {
    let prompt = prompt_of(request);
    let doubled = (1..=3).find(|n| prompt.contains(&format!("Double {n}")));
    Answer::Slow {
        text: doubled.map_or_else(|| "blue".to_owned(), |n: u32| (2 * n).to_string()),
        pause: Duration::from_millis(60),
    }
}

/// Numbers that follow from a seed (SplitMix64).
struct Draws(u64);

impl Draws {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound.max(1)
    }

    fn time(&mut self, most: Duration) -> Duration {
        Duration::from_micros(self.below(most.as_micros() as u64))
    }
}

/// When a process is killed.
#[derive(Debug, Clone, Copy)]
enum Moment {
    After(Duration),
    /// It has printed so many lines.
    Printed(usize),
    /// So many records of steps are in the store.
    Recorded(u32),
}

/// A whole run that nobody kills.
struct Usual {
    takes: Duration,
    lines: usize,
    records: u32,
}

impl Usual {
    fn moment(&self, draws: &mut Draws) -> Moment {
        match draws.below(3) {
            0 => Moment::After(draws.time(self.takes)),
            1 => Moment::Printed(1 + draws.below(self.lines as u64) as usize),
            _ => Moment::Recorded(1 + draws.below(u64::from(self.records)) as u32),
        }
    }
}

/// A process that was killed.
struct Killed {
    /// Whether the kill came before its end.
    was_at_work: bool,
    printed: Vec<Value>,
}

/// What the kills came to.
#[derive(Debug, Default)]
struct Figures {
    runs: usize,
    /// At work, of them while a run was taken up.
    kills: usize,
    kills_again: usize,
    /// Before the run was on record.
    unrecorded: usize,
    resumed: usize,
    unconfirmed: usize,
    /// Kills by the steps that were open.
    steps: BTreeMap<String, usize>,
}

/// A data folder with the workflow, the server that it calls, and the model.
struct Fixture {
    desk: Desk,
    notes: PathBuf,
    model: ModelServer,
}

impl Fixture {
    fn open() -> Self {
        let model = ModelServer::thinking(answer);
        let desk = Desk::with_model(&model.url());
        let notes = desk.path("notes");
        let setting = format!("SHIDI_TEST_NOTES={}", notes.display());
        let added = desk.run(["mcp", "add", "peer", "--env", &setting, "--", SERVER]);
        assert_eq!(added.code, Some(0), "{added:?}");
        assert_eq!(
            desk.run(["mcp", "allow", "peer", "send-note", "wait"]).code,
            Some(0)
        );
        let folder = desk.data().join("workflows");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("every-kind.yaml"), WORKFLOW).unwrap();
        fs::write(folder.join("every-kind.py"), FUNCTIONS).unwrap();
        fs::write(folder.join("inner.yaml"), INNER).unwrap();
        Self { desk, notes, model }
    }

    /// A work folder of that number, and the command that begins a run in it.
    fn beginning(&self, number: usize) -> (PathBuf, Vec<String>) {
        let work = self.desk.path(&format!("work-{number}"));
        fs::create_dir_all(&work).unwrap();
        if self.notes.exists() {
            fs::remove_file(&self.notes).unwrap();
        }
        let folder = work.display().to_string();
        let words = ["--json", "workflow", "run", "every-kind", "--folder", &folder];
        (work, Vec::from(words.map(str::to_owned)))
    }

    /// Records of steps in the store.
    fn records(&self) -> u32 {
        let count = || -> rusqlite::Result<u32> {
            let path = self.desk.data().join("shidi.db");
            let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
            connection.query_row("SELECT count(*) FROM workflow_step", [], |row| row.get(0))
        };
        // After a kill it may be locked for a moment.
        count().unwrap_or_default()
    }

    fn has_come(&self, moment: Moment, begun: Instant, lines: usize) -> bool {
        match moment {
            Moment::After(time) => begun.elapsed() >= time,
            Moment::Printed(count) => lines >= count,
            Moment::Recorded(count) => self.records() >= count,
        }
    }

    /// Begins a command and kills it at that moment, or lets it end before.
    fn killed(&self, words: &[String], moment: Moment) -> Killed {
        let mut child = self.desk.spawn(words, Stdio::null());
        let begun = Instant::now();
        let lines = lines_of(&mut child);
        let mut printed = Vec::new();
        while !self.has_come(moment, begun, printed.len()) {
            match lines.recv_timeout(LOOK_EVERY) {
                Ok(line) => printed.push(line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let was_at_work = child.try_wait().unwrap().is_none();
        child.kill().unwrap();
        child.wait().unwrap();
        while let Ok(line) = lines.recv_timeout(PATIENCE) {
            printed.push(line);
        }
        // The last line may be a part of one.
        let read = |line: &String| serde_json::from_str::<Value>(line).ok();
        Killed {
            was_at_work,
            printed: printed.iter().filter_map(read).collect(),
        }
    }

    fn shown(&self, id: &str) -> Value {
        run_of(&self.desk.run(["--json", "workflow", "runs", id]))
    }

    /// Says of each step whose end is unknown what the notes say; how many there were.
    fn settle(&self, run: &Value) -> usize {
        let id = run["run"].as_str().unwrap();
        let steps = run["steps"].as_array().unwrap().iter();
        let uncertain: Vec<&Value> = steps.filter(|step| step["state"] == "uncertain").collect();
        let before = came(&self.notes);
        // Without a word it stays as it is, however often it is taken up.
        let again = run_of(&self.desk.run(["--json", "workflow", "resume", id]));
        assert_eq!(
            (&again["status"], &came(&self.notes)),
            (&json!("waiting"), &before)
        );
        for step in &uncertain {
            let told = &step["unknown"][0];
            // Of a file it is known whether it was written.
            assert!(
                matches!(told["tool"].as_str(), Some("peer.send_note" | "peer.wait")),
                "{step}"
            );
            let call = named(&told["args"]);
            let (_, result) = RESULTS.iter().find(|(known, _)| *known == call).unwrap();
            let happened = format!("--happened={result}");
            let verdict = match before.contains_key(&call) {
                true => happened.as_str(),
                false => "--not-happened",
            };
            let attempt = step["attempt"].to_string();
            let settled = self
                .desk
                .run(["--json", "workflow", "settle", id, &attempt, verdict]);
            assert!(matches!(settled.code, Some(0 | 3)), "{settled:?}");
        }
        uncertain.len()
    }

    /// That a run ended as one that nobody killed, and that what was told as done before is done.
    fn ended_well(&self, run: &Value, work: &Path, told: &[Value]) {
        assert_eq!(run["result"], expected(), "{run}");
        let each_once = ["0.2", "blue"].map(|to| (to.to_owned(), 1));
        assert_eq!(came(&self.notes), BTreeMap::from(each_once), "each is sent once");
        for (name, text) in FILES {
            let written = fs::read_to_string(work.join(name)).unwrap();
            assert_eq!(written, text, "{name}: {run}");
        }
        let steps = run["steps"].as_array().unwrap();
        for done in told
            .iter()
            .filter(|line| line["type"] == "step" && line["state"] == "done")
        {
            let is_same = |step: &&Value| (&step["id"], &step["rounds"]) == (&done["id"], &done["rounds"]);
            let kept = steps.iter().find(is_same);
            let kept = kept.unwrap_or_else(|| panic!("{done} is lost: {run}"));
            assert_eq!(
                (&kept["state"], &kept["outputs"]),
                (&done["state"], &done["outputs"])
            );
        }
    }

    /// One run from its beginning to its end, with its kills.
    fn run_with_kills(&self, number: usize, (draws, usual): (&mut Draws, &Usual), figures: &mut Figures) {
        figures.runs += 1;
        let (work, words) = self.beginning(number);
        let killed = self.killed(&words, usual.moment(draws));
        figures.kills += usize::from(killed.was_at_work);
        let mut told = killed.printed;
        let listed = self.desk.run(["--json", "workflow", "runs"]).json();
        let Some(run) = listed.first() else {
            let steps = told.iter().filter(|line| line["type"] == "step");
            assert_eq!((steps.count(), came(&self.notes)), (0, BTreeMap::new()));
            figures.unrecorded += 1;
            return;
        };
        let id = run["run"].as_str().unwrap().to_owned();
        if killed.was_at_work {
            figures.resumed += 1;
            figures.note(&self.shown(&id));
        }
        let mut again = draws.below(KILLS_AGAIN_MOST + 1);
        let resume = ["--json", "workflow", "resume", &id].map(str::to_owned);
        for _ in 0..RESUMES_MAX {
            if again > 0 {
                again -= 1;
                let killed = self.killed(&resume, Moment::After(draws.time(usual.takes)));
                told.extend(killed.printed);
                if killed.was_at_work {
                    figures.kills += 1;
                    figures.kills_again += 1;
                    figures.note(&self.shown(&id));
                }
                continue;
            }
            let printed = self.desk.run(&resume);
            told.extend(printed.json());
            let run = run_of(&printed);
            match run["status"].as_str().unwrap() {
                "done" => {
                    self.ended_well(&self.shown(&id), &work, &told);
                    assert_eq!(self.desk.run(["workflow", "forget", &id]).code, Some(0));
                    return;
                }
                "waiting" => figures.unconfirmed += self.settle(&run),
                other => panic!("{other} in run {number}: {run}"),
            }
        }
        panic!("run {number} does not end")
    }
}

impl Figures {
    /// Takes down which steps were open when a run was killed.
    fn note(&mut self, run: &Value) {
        let steps = run["steps"].as_array().unwrap().iter();
        let is_open = |step: &&Value| matches!(step["state"].as_str(), Some("begun" | "uncertain" | "asked"));
        let open: Vec<&str> = steps
            .filter(is_open)
            .filter_map(|step| step["id"].as_str())
            .collect();
        let place = match open.is_empty() {
            true => "between two steps".to_owned(),
            false => open.join(" and "),
        };
        *self.steps.entry(place).or_default() += 1;
    }
}

/// The lines that a process prints, as they come.
fn lines_of(child: &mut Child) -> Receiver<String> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in lines.map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

/// A number that the environment may set.
fn set_number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    let number = text.parse::<u64>();
    Some(number.unwrap_or_else(|_| panic!("{variable} is {text:?}; it is to be a number")))
}

#[test]
fn whenever_its_process_is_killed_a_run_of_every_kind_of_step_ends_as_one_that_nobody_killed() {
    let fixture = Fixture::open();
    let (work, words) = fixture.beginning(0);
    let begun = Instant::now();
    let printed = fixture.desk.run(&words);
    let takes = begun.elapsed();
    assert_eq!(printed.code, Some(0), "{printed:?}");
    let id = run_of(&printed)["run"].as_str().unwrap().to_owned();
    fixture.ended_well(&fixture.shown(&id), &work, &printed.json());
    let usual = Usual {
        takes,
        lines: printed.json().len(),
        records: fixture.records(),
    };
    let told = printed.json();
    let is_told = |line: &&Value| line["type"] == "step" && line["state"] == "done";
    assert!(told.iter().filter(is_told).count() > 6, "{told:?}");
    assert!(usual.records > 6, "a step of each kind is on record");
    assert_eq!(fixture.desk.run(["workflow", "forget", &id]).code, Some(0));
    let all = match set_number("SHIDI_KILLS") {
        Some(kills) => kills as usize,
        None if soak::is_wanted() => KILLS_SOAKED,
        None => KILLS,
    };
    let part = soak::part_of(all);
    let (seed, wanted) = (set_number("SHIDI_KILL_SEED").unwrap_or(SEED), part.len());
    let mut draws = Draws(seed.wrapping_add(part.start as u64));
    let mut figures = Figures::default();
    let most = RUNS_FOR_A_KILL * wanted;
    while figures.kills < wanted {
        assert!(
            figures.runs < most,
            "too few of {most} runs are killed: {figures:?}"
        );
        fixture.run_with_kills(figures.runs + 1, (&mut draws, &usual), &mut figures);
    }
    println!(
        "seed {seed}: {} kills in {} runs, {} of them while a run was taken up, {} before it was on record; {} runs went on, \
         {} steps were unconfirmed; the model was asked {} times; one run takes {takes:?}",
        figures.kills,
        figures.runs,
        figures.kills_again,
        figures.unrecorded,
        figures.resumed,
        figures.unconfirmed,
        fixture.model.requests().len()
    );
    for (step, kills) in &figures.steps {
        println!("  {kills} at {step}");
    }
}
