//! A knowledge base that a server keeps for a team: several computers fill and ask it, nobody's clean-up touches what others
//! brought, and a server that fails ends in a sentence.

use serde_json::Value;
use shidi_tests::command::{Desk, Printed};
use shidi_tests::qdrant_server::QdrantServer;

const COLLECTION: &str = "shidi-handbook";

/// A desk with a folder of files, and the base at that server.
fn desk(server: &QdrantServer, files: &[(&str, &str)]) -> Desk {
    let desk = Desk::new();
    std::fs::create_dir_all(desk.path("rules")).unwrap();
    for (name, text) in files {
        std::fs::write(desk.path("rules").join(name), text).unwrap();
    }
    well(desk.run([
        "knowledge",
        "create",
        "handbook",
        "--about",
        "rules",
        "--at",
        &server.url(),
    ]));
    desk
}

fn well(printed: Printed) -> Printed {
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    printed
}

fn folder(desk: &Desk) -> String {
    desk.path("rules").to_string_lossy().into_owned()
}

fn add(desk: &Desk) -> Value {
    well(desk.run(["--json", "knowledge", "add", "handbook", &folder(desk)]))
        .json()
        .remove(0)
}

fn ask(desk: &Desk, text: &str) -> Vec<Value> {
    well(desk.run(["--json", "knowledge", "query", "handbook", text])).json()
}

fn sources(pieces: &[Value]) -> Vec<&str> {
    pieces
        .iter()
        .map(|piece| piece["source"].as_str().unwrap())
        .collect()
}

fn counts(report: &Value) -> [u64; 4] {
    ["read", "unchanged", "removed", "pieces"].map(|name| report[name].as_u64().unwrap())
}

const TRAVEL: (&str, &str) = (
    "travel.md",
    "# Travel\n## Hotels\nA room may cost 450 yuan a night.\n## Old rule (deprecated)\nA room may cost 300 yuan.\n",
);
const CLAIMS: (&str, &str) = ("报销.md", "# 报销\n## 期限\n发票开出后三十天内提交报销单。\n");
const PHONES: (&str, &str) = (
    "phones.csv",
    "name,phone,duty\n李雷,6655,printers\nAnna,7788,payroll\n",
);
const COPY: (&str, &str) = ("copy.md", "# Somewhere else\nA room may cost 450 yuan a night.\n");

#[test]
fn several_computers_fill_and_ask_one_base_and_cite_the_same_places() {
    let server = QdrantServer::start();
    let first = desk(&server, &[TRAVEL, CLAIMS, PHONES]);
    let second = desk(&server, &[COPY]);
    assert_eq!(counts(&add(&first)), [3, 0, 0, 4]);
    assert_eq!(counts(&add(&second)), [1, 0, 0, 1]);
    for asking in [&first, &second] {
        let pieces = ask(asking, "报销单什么时候交");
        assert_eq!(sources(&pieces)[0], "报销.md line 3");
        let pieces = ask(asking, "how much may a hotel room cost");
        let said = |piece: &&Value| piece["text"].as_str().unwrap().contains("450");
        assert_eq!(
            pieces.iter().filter(said).count(),
            1,
            "what two say in the same words is shown once: {pieces:?}"
        );
        assert!(
            pieces
                .iter()
                .all(|piece| !piece["text"].as_str().unwrap().contains("300 yuan"))
        );
        let query = [
            "knowledge",
            "query",
            "handbook",
            "--field",
            "phone",
            "who repairs printers",
        ];
        assert_eq!(
            asking.run(query).stdout.lines().next(),
            Some("6655  [phones.csv line 2]")
        );
        let listed = well(asking.run(["--json", "knowledge", "list"])).json().remove(0);
        assert_eq!(
            (listed["documents"].as_u64(), listed["pieces"].as_u64()),
            (Some(4), Some(5)),
            "{listed}"
        );
        assert_eq!(listed["at"].as_str(), Some(server.url().as_str()));
    }
    // A program asks all bases, wherever they are kept.
    well(second.run(["knowledge", "create", "own"]));
    std::fs::write(
        second.path("note.md"),
        "# Hotels\nThe hotel room at the fair is booked by Anna.\n",
    )
    .unwrap();
    well(second.run([
        "knowledge",
        "add",
        "own",
        &second.path("note.md").to_string_lossy(),
    ]));
    let program =
        "r = await knowledge.query(\"who books the hotel room at the fair\")\n[p[\"base\"] for p in r.data]";
    std::fs::write(second.path("ask.py"), program).unwrap();
    let printed = well(second.run(["--json", "exec", &second.path("ask.py").to_string_lossy()]));
    let value = printed.stdout.replace(' ', "");
    assert!(value.contains("[\"own\",\"handbook\""), "{value}");
    assert!(
        first.run(["memory", "search", "450"]).stdout.is_empty()
            && second.run(["memory", "search", "450"]).stdout.is_empty(),
        "documents are no memories"
    );
}

#[test]
fn only_what_changed_is_written_again_and_what_others_brought_stays() {
    let server = QdrantServer::start();
    let first = desk(&server, &[TRAVEL, CLAIMS]);
    let second = desk(&server, &[COPY]);
    add(&first);
    add(&second);
    let writes = || {
        server
            .requests()
            .iter()
            .filter(|(method, path, _)| method == "PUT" && path.contains("/points"))
            .count()
    };
    let before = writes();
    assert_eq!(counts(&add(&first)), [0, 2, 0, 0]);
    assert_eq!(writes(), before, "nothing changed");
    std::fs::write(
        first.path("rules").join("报销.md"),
        "# 报销\n## 期限\n发票开出后六十天内提交报销单。\n",
    )
    .unwrap();
    std::fs::remove_file(first.path("rules").join("travel.md")).unwrap();
    assert_eq!(counts(&add(&first)), [1, 0, 1, 1]);
    let pieces = ask(&second, "报销单什么时候交");
    assert!(
        pieces[0]["text"].as_str().unwrap().contains("六十天"),
        "{pieces:?}"
    );
    assert!(
        !server
            .payloads(COLLECTION)
            .iter()
            .any(|payload| payload.to_string().contains("三十天"))
    );
    assert_eq!(
        sources(&ask(&first, "how much may a hotel room cost"))[0],
        "copy.md line 2",
        "the other's still says it"
    );
    // All of it looked at again: what lies on the other computer is not taken for gone.
    well(first.run(["knowledge", "add", "handbook"]));
    assert_eq!(sources(&ask(&first, "hotel room cost"))[0], "copy.md line 2");
    let gone = desk(&server, &[]).run([
        "--lang",
        "en",
        "knowledge",
        "delete",
        "handbook",
        "nothing.md",
        "--yes",
    ]);
    assert_eq!(gone.code, Some(2), "{}", gone.stderr);

    well(second.run([
        "knowledge",
        "delete",
        "handbook",
        &second.path("rules").join("copy.md").to_string_lossy(),
        "--yes",
    ]));
    assert!(ask(&first, "how much may a hotel room cost").is_empty());
    well(second.run(["knowledge", "delete", "handbook", "--yes"]));
    assert_eq!(
        sources(&ask(&first, "报销单"))[0],
        "报销.md line 3",
        "one's leaving takes only one's own"
    );
    well(first.run(["knowledge", "delete", "handbook", "--yes"]));
    assert!(server.collections().is_empty(), "the last one leaves nothing");
}

/// It ends with that code, and says that in either language.
fn fails(desk: &Desk, arguments: &[&str], code: i32, english: &str, chinese: &str) {
    for (language, wanted) in [("en", english), ("zh", chinese)] {
        let mut whole = vec!["--lang", language];
        whole.extend_from_slice(arguments);
        let printed = desk.run(whole);
        assert_eq!(printed.code, Some(code), "{}", printed.stderr);
        assert!(printed.stderr.contains(wanted), "{wanted}: {}", printed.stderr);
    }
}

#[test]
fn a_server_that_fails_ends_in_a_sentence_and_an_import_that_broke_off_goes_on() {
    let server = QdrantServer::start();
    let desk = desk(&server, &[TRAVEL, CLAIMS, PHONES]);
    let rules = folder(&desk);
    server.take_writes(Some(0));
    let add_rules = ["knowledge", "add", "handbook", &rules];
    fails(&desk, &add_rules, 1, "refused (507 No space", "拒绝了（507");
    server.take_writes(Some(1));
    fails(&desk, &add_rules, 1, "refused (507 No space", "拒绝了（507");
    assert!(!server.payloads(COLLECTION).is_empty(), "a part of it is there");
    server.take_writes(None);
    assert_eq!(counts(&add(&desk)), [3, 0, 0, 4], "it is done again");
    assert_eq!(server.payloads(COLLECTION).len(), 3 + 4, "and once only");
    server.go_away(true);
    let query = ["knowledge", "query", "handbook", "hotel"];
    fails(&desk, &query, 1, "does not answer", "没有回音");
    fails(
        &desk,
        &add_rules,
        1,
        "what was imported stays",
        "已经导入的都还在",
    );
    let delete = ["knowledge", "delete", "handbook", "--yes"];
    fails(&desk, &delete, 1, "does not answer", "没有回音");
    let listed = well(desk.run(["--lang", "en", "knowledge", "list"]));
    assert!(listed.stdout.contains("does not answer"), "{}", listed.stdout);
    assert!(
        listed.stdout.contains("Check its address and the network"),
        "{}",
        listed.stdout
    );
    server.go_away(false);
    well(desk.run(["knowledge", "delete", "handbook", "--only-here", "--yes"]));
    assert_eq!(server.collections(), [COLLECTION]);
}

#[test]
fn a_key_is_wanted_taken_and_never_sent_openly() {
    let server = QdrantServer::start();
    let desk = desk(&server, &[TRAVEL]);
    add(&desk);
    server.want_key("right");
    let query = ["knowledge", "query", "handbook", "hotel"];
    fails(&desk, &query, 2, "does not take the key", "不收这个密钥");
    let with_key = |arguments: &[&str]| {
        let mut command = desk.command(arguments);
        Printed::of(command.env("SHIDI_KEY_QDRANT", "right").output().unwrap())
    };
    assert!(well(with_key(&query)).stdout.contains("450"));
    let test = ["key", "test", "qdrant"];
    well(with_key(&test));
    server.want_key("another");
    let printed = with_key(&["--lang", "en", "key", "test", "qdrant"]);
    assert_eq!(printed.code, Some(2), "{}", printed.stderr);
    assert!(
        printed.stderr.contains("does not take the key"),
        "{}",
        printed.stderr
    );
    server.go_away(true);
    let printed = with_key(&["--lang", "en", "key", "test", "qdrant"]);
    assert_eq!(printed.code, Some(1), "{}", printed.stderr);
    assert!(printed.stderr.contains("does not answer"), "{}", printed.stderr);
    server.go_away(false);
    server.want_key("right");
    let mut elsewhere = Desk::new();
    elsewhere.set("SHIDI_KEY_QDRANT", "right");
    fails(
        &elsewhere,
        &test,
        2,
        "nobody can be asked about this key",
        "没有谁能检验这个密钥",
    );
    server.make_foreign("shidi-theirs");
    let at = server.url();
    let printed = with_key(&["--lang", "en", "knowledge", "create", "theirs", "--at", &at]);
    assert_eq!(printed.code, Some(2), "{}", printed.stderr);
    assert!(printed.stderr.contains("no knowledge base"), "{}", printed.stderr);
    let open = [
        "--lang",
        "en",
        "knowledge",
        "create",
        "open",
        "--at",
        "http://team.invalid:6333",
    ];
    let printed = with_key(&open);
    assert_eq!(printed.code, Some(2), "{}", printed.stderr);
    assert!(
        printed.stderr.contains("does not go to team.invalid unencrypted"),
        "{}",
        printed.stderr
    );
    let printed = desk.run(open);
    assert!(
        printed.stderr.contains("go to this server unencrypted"),
        "{}",
        printed.stderr
    );
    let odd = ["knowledge", "create", "odd", "--at", "team"];
    fails(&desk, &odd, 2, "no address of a server", "不是服务器的地址");
}
