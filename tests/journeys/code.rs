//! Folders of code: what is defined where and what calls it, by an index that follows the files, within the grants of `files`.

use serde_json::{Value, json};
use shidi_tests::command::Desk;
use shidi_tests::model_server::{Answer, ModelServer, prompt_of};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A copy of the small repository that the tests keep.
fn shop() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().canonicalize().unwrap();
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("code/shop");
    copy(&kept, &path);
    (folder, path)
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let at = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &at),
            false => drop(fs::copy(entry.path(), at).unwrap()),
        }
    }
}

fn executed(desk: &Desk, folder: &Path, program: &str) -> Value {
    let folder = folder.display().to_string();
    let printed = desk.run_with(["exec", "--json", "--folder", &folder, "-"], program);
    let told = printed.json().into_iter().next();
    told.unwrap_or_else(|| panic!("{}", printed.stderr))
}

/// The text that a call comes back with.
fn told(desk: &Desk, folder: &Path, call: &str) -> String {
    let result = executed(desk, folder, &format!("(await {call}).data"));
    assert_eq!(result["ok"], true, "{result}");
    result["value"].as_str().unwrap().to_owned()
}

fn says(text: &str) -> Answer {
    Answer::Text(text.to_owned())
}

#[test]
fn where_something_is_done_and_what_calls_it_is_told_in_a_few_lines() {
    let (_kept, shop) = shop();
    let desk = Desk::new();
    assert_eq!(
        told(&desk, &shop, "code.callers('Basket.total')"),
        "defined: src/basket.rs:21 pub fn total(&self) -> Price  [in Basket]\ncalled 1 time from:\nsrc/main.rs\n  pay :17\n\
         in tests 1 time:\ntests/basket.rs\n  many_articles_cost_less :7\n"
    );
    let found = told(&desk, &shop, "code.find('where is the discount computed')");
    assert!(
        found.contains("src/basket.rs:28 fn discounted(sum: Price, lines: usize) -> Price"),
        "{found}"
    );
    let found = told(&desk, &shop, "code.find('drawbasket')");
    assert!(
        found.starts_with("web/cart.ts:2 export function drawBasket"),
        "{found}"
    );
    let outline = told(&desk, &shop, "code.outline('report.py')");
    assert!(
        outline.starts_with("16 lines — Weekly figures of the shop\n4-12 class Report"),
        "{outline}"
    );
    assert!(outline.contains("\n  10-12 def revenue(self)\n"), "{outline}");
    let digest = told(&desk, &shop, "code.digest()");
    for wanted in [
        "Rust 4 files",
        "TypeScript 1 file",
        "Python 1 file",
        "begins: src/main.rs:8",
        "tests: 1 file in tests",
    ] {
        assert!(digest.contains(wanted), "{wanted}: {digest}");
    }
}

#[test]
fn an_index_follows_its_files_and_is_kept_for_the_next_process() {
    let (_kept, shop) = shop();
    let desk = Desk::new();
    assert!(told(&desk, &shop, "code.find('is_returned')").starts_with("report.py:15 "));
    let kept = desk.data().join("code");
    assert_eq!(fs::read_dir(&kept).unwrap().count(), 1, "one file for one folder");
    let report = fs::read_to_string(shop.join("report.py")).unwrap();
    fs::write(
        shop.join("report.py"),
        report.replace("is_returned", "was_sent_back"),
    )
    .unwrap();
    fs::remove_file(shop.join("web/cart.ts")).unwrap();
    fs::write(shop.join("src/new.rs"), "pub fn brand_new() {}\n").unwrap();
    assert!(told(&desk, &shop, "code.find('was_sent_back')").starts_with("report.py:15 "));
    assert!(told(&desk, &shop, "code.callers('was_sent_back')").contains("Report.revenue :12"));
    assert!(told(&desk, &shop, "code.find('brand_new')").starts_with("src/new.rs:1 "));
    assert!(
        told(&desk, &shop, "code.find('drawBasket')").contains("nothing"),
        "a file that is gone"
    );
}

#[test]
fn what_is_ignored_denied_or_outside_is_not_in_any_answer() {
    let (_kept, shop) = shop();
    let desk = Desk::new();
    fs::create_dir_all(shop.join("built")).unwrap();
    fs::create_dir_all(shop.join("private")).unwrap();
    fs::write(shop.join("built/out.rs"), "fn generated_thing() {}\n").unwrap();
    fs::write(shop.join("private/keys.rs"), "fn private_thing() {}\n").unwrap();
    let (_other, outside) = self::shop();
    std::os::unix::fs::symlink(&outside, shop.join("link")).unwrap();
    assert!(told(&desk, &shop, "code.find('private_thing')").starts_with("private/keys.rs:1"));
    let pattern = format!("files.*(path={}/private/*)", shop.display());
    assert_eq!(desk.run(["config", "rule", "deny", &pattern]).code, Some(0));
    let result = executed(&desk, &shop, "(await code.outline('private/keys.rs')).data");
    assert_eq!(result["ok"], false, "{result}");
    for name in ["private_thing", "generated_thing"] {
        let found = told(&desk, &shop, &format!("code.find('{name}')"));
        assert!(
            found.contains("nothing") && !found.contains(".rs:"),
            "{name}: {found}"
        );
    }
    let found = told(&desk, &shop, "code.find('Price')");
    assert_eq!(found.lines().count(), 1, "not through the link: {found}");
    let result = executed(
        &desk,
        &shop,
        &format!("(await code.digest('{}')).data", outside.display()),
    );
    assert_eq!(
        result["ok"], false,
        "a place outside asks, and nobody is there: {result}"
    );
    let result = executed(&desk, &shop, "(await code.outline('missing.rs')).data");
    assert!(result["error"].to_string().contains("does not exist"), "{result}");
}

#[test]
fn the_tools_are_offered_where_a_folder_holds_code_and_nowhere_else() {
    let (_kept, shop) = shop();
    let (_plain, plain) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    fs::write(plain.path().join("notes.md"), "fn not_code() {}\n").unwrap();
    let ask = "```python\nprint(await code.find(name='Basket'))\n```";
    let server = ModelServer::start([says("Hello."), says("Hello."), says(ask), says("There.")]);
    let desk = Desk::with_model(&server.url());
    desk.run(["ask", "hello"]);
    desk.run(["ask", "--folder", plain.path().to_str().unwrap(), "hello"]);
    let printed = desk.run([
        "ask",
        "--json",
        "--folder",
        shop.to_str().unwrap(),
        "where is the basket?",
    ]);
    assert_eq!(printed.code, Some(0), "{}{}", printed.stdout, printed.stderr);
    let prompts: Vec<String> = server.requests().iter().map(prompt_of).collect();
    assert!(!prompts[0].contains("class code") && !prompts[1].contains("class code"));
    assert!(
        prompts[2].contains("class code") && prompts[2].contains("async def callers"),
        "{}",
        prompts[2]
    );
    assert!(
        prompts[3].contains("src/basket.rs:6 pub struct Basket"),
        "{}",
        prompts[3]
    );
}

#[test]
fn an_index_goes_with_its_session_and_incognito_keeps_none() {
    let (_kept, shop) = shop();
    let at = shop.to_str().unwrap();
    let ask = "```python\nprint(await code.find(name='Basket'))\n```";
    let server = ModelServer::start([says(ask), says("There."), says(ask), says("There.")]);
    let desk = Desk::with_model(&server.url());
    let kept = || fs::read_dir(desk.data().join("code")).map_or(0, Iterator::count);
    let printed = desk.run(["ask", "--incognito", "--folder", at, "where is the basket?"]);
    assert_eq!(printed.code, Some(0), "{}{}", printed.stdout, printed.stderr);
    assert_eq!(kept(), 0, "nothing of an incognito session");
    desk.run(["ask", "--folder", at, "where is the basket?"]);
    assert_eq!(kept(), 1);
    let deleted = desk.run(["session", "delete", "last"]);
    assert_eq!(deleted.code, Some(0), "{}", deleted.stderr);
    assert_eq!(kept(), 0, "it went with its session");
}

#[test]
fn files_that_break_a_parser_or_are_no_code_cost_no_more_than_their_own_outline() {
    let (_kept, shop) = shop();
    fs::write(
        shop.join("deep.py"),
        format!("x = {}1{}\n", "(\n".repeat(60_000), ")\n".repeat(60_000)),
    )
    .unwrap();
    fs::write(
        shop.join("bundle.js"),
        format!("const a=[{}];\n", "1,".repeat(9_000)),
    )
    .unwrap();
    fs::write(shop.join("noise.rs"), b"\x89PNG\r\n\x1a\n".repeat(50)).unwrap();
    fs::write(shop.join("huge.c"), "int a;\n".repeat(300_000)).unwrap();
    let desk = Desk::new();
    assert!(told(&desk, &shop, "code.find('Basket')").starts_with("src/basket.rs:6 "));
    for file in ["bundle.js", "noise.rs", "huge.c"] {
        let outline = told(&desk, &shop, &format!("code.outline('{file}')"));
        assert!(outline.contains("can't be indexed"), "{file}: {outline}");
    }
    let outline = told(&desk, &shop, "code.outline('.gitignore')");
    assert!(outline.contains("no language that is indexed"), "{outline}");
}

#[test]
fn files_are_found_by_meaning_where_a_model_for_it_is_chosen_and_each_is_sent_once() {
    let (_kept, shop) = shop();
    let by_subject = |text: &str| -> Option<Vec<f32>> {
        let is_about = |words: &[&str]| f32::from(u8::from(words.iter().any(|word| text.contains(word))));
        Some(vec![
            is_about(&["earnings", "revenue"]),
            is_about(&["basket"]),
            0.1,
        ])
    };
    let server = ModelServer::repeating(says("Good.")).embedding(by_subject);
    let desk = Desk::with_model(&server.url());
    assert_eq!(
        desk.run(["config", "set", "role.embedding", "meaning-1"]).code,
        Some(0)
    );
    let question = "code.find('what are our earnings')";
    let found = told(&desk, &shop, question);
    assert!(found.contains("by meaning:\nreport.py:4 class Report"), "{found}");
    told(&desk, &shop, question);
    let sent: Vec<String> = server
        .embedded()
        .into_iter()
        .filter(|text| text.starts_with("report.py"))
        .collect();
    assert_eq!(sent.len(), 1, "{sent:?}");
    assert_eq!(
        told(&desk, &shop, "code.find('Report')").lines().count(),
        1,
        "an exact name asks no model"
    );
    assert_eq!(
        json!(server.embedded().iter().any(|text| text == "Report")),
        json!(false)
    );
}

#[test]
fn what_an_index_says_is_a_strangers_text_and_marks_the_run() {
    let (_kept, shop) = shop();
    let at = shop.to_str().unwrap();
    let keeps = "await memory.remember(text='the shop has a basket')";
    let server = ModelServer::start([
        says(&format!("```python\n{keeps}\n```")),
        says("Kept."),
        says(&format!("```python\nprint(await code.digest())\n{keeps}\n```")),
    ]);
    let desk = Desk::with_model(&server.url());
    let plain = desk.run(["ask", "--json", "--folder", at, "note that there is a basket"]);
    assert_eq!(plain.code, Some(0), "{}{}", plain.stdout, plain.stderr);
    let marked = desk.run(["ask", "--json", "--folder", at, "note what is there"]);
    assert_eq!(marked.event("approval_needed")["tool"], "memory.remember");
}
