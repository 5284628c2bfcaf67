//! Assistants of other programs at the command line: shown before they are kept, and known again with what differs, whichever
//! program they came from.

use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed};
use std::fs;

fn done(printed: Printed) -> Printed {
    assert_eq!(printed.code, Some(0), "{}{}", printed.stdout, printed.stderr);
    printed
}

fn assistant(desk: &Desk, arguments: &[&str]) -> Printed {
    desk.run([&["assistant", "--json"], arguments].concat())
}

/// A file that comes twice.
struct Twice {
    /// What the file is called.
    file: &'static str,
    /// The name of the assistant that comes of it.
    name: &'static str,
    first: String,
    second: String,
}

/// Keys with the value before and after.
type Differences<'a> = &'a [(&'a str, &'a str, &'a str)];

impl Twice {
    fn new(file: &'static str, name: &'static str, (first, second): (String, String)) -> Self {
        assert_ne!(first, second);
        Self {
            file,
            name,
            first,
            second,
        }
    }

    /// What stands in the file, with a part that differs the second time.
    fn changed(file: &'static str, name: &'static str, text: &str, changes: &[(&str, &str)]) -> Self {
        let changed = changes.iter().fold(text.to_owned(), |text, (before, after)| {
            assert!(text.contains(before), "{before} in {text}");
            text.replace(before, after)
        });
        Self::new(file, name, (text.to_owned(), changed))
    }

    /// Takes the first file in, then the second one, which says these differences and stands in the place of the first.
    fn differs_by(&self, told: Differences<'_>) {
        let desk = Desk::new();
        let path = desk.path(self.file);
        let shown = |text: &str| {
            fs::write(&path, text).unwrap();
            let shown = assistant(&desk, &["import", path.to_str().unwrap()]);
            assert_eq!(shown.code, Some(2), "nobody can be asked: {shown:?}");
            shown.json().remove(0)
        };
        let kept = || done(assistant(&desk, &["import", path.to_str().unwrap(), "--yes"]));
        assert_eq!(
            shown(&self.first)["differs"],
            Value::Null,
            "there is none before it"
        );
        kept();
        let again = shown(&self.second);
        assert_eq!(again["assistant"]["name"], self.name);
        let told = told
            .iter()
            .map(|(key, before, after)| json!({"key": key, "before": before, "after": after}));
        assert_eq!(again["differs"], told.collect::<Value>(), "{}", self.file);
        kept();
        assert_eq!(shown(&self.second)["differs"], json!([]), "the very same");
        let listed = done(assistant(&desk, &["list"])).json();
        let own = listed.iter().filter(|one| one["source"] == "user");
        let own: Vec<&str> = own.map(|one| one["name"].as_str().unwrap()).collect();
        assert_eq!(own, [self.name]);
    }
}

#[test]
fn an_agent_of_cherry_studio_that_comes_again_says_what_differs() {
    let item = |prompt: &str, group: &[&str]| {
        json!([{"id": "41", "name": "Story Teller", "emoji": "📖", "prompt": prompt, "group": group}])
            .to_string()
    };
    let both = (
        item("Tell a story.", &["fun"]),
        item("Tell a long story.", &["fun", "night"]),
    );
    Twice::new("agents.json", "story-teller", both).differs_by(&[
        ("prompt", "Tell a story.", "Tell a long story."),
        ("other.cherry_studio.group", "fun", "fun, night"),
    ]);
}

#[test]
fn a_model_of_open_webui_that_comes_again_says_what_differs() {
    let item = |temperature: f64, window: u32| {
        json!([{
            "id": "legal", "name": "Legal help", "base_model_id": "m",
            "params": {"system": "You know the law.", "temperature": temperature, "num_ctx": window},
            "meta": {"description": "Law"},
        }])
        .to_string()
    };
    Twice::new("models.json", "legal-help", (item(0.2, 4096), item(0.4, 8192))).differs_by(&[
        ("sampling.temperature", "0.2", "0.4"),
        ("other.open_webui.num_ctx", "4096", "8192"),
    ]);
}

#[test]
fn an_agent_in_markdown_that_comes_again_says_what_differs() {
    let text = "---\nname: code-helper\ndescription: Helps\ntools: Read\ncolor: red\n---\n\nYou help.\n";
    let changes = [("tools: Read", "tools: Read, Grep"), ("red", "blue")];
    Twice::changed("code-helper.md", "code-helper", text, &changes).differs_by(&[
        ("toolkits", "files.read", "files.read, files.grep"),
        ("other.agent_markdown.color", "red", "blue"),
    ]);
}

#[test]
fn an_agent_of_opencode_that_comes_again_says_what_differs() {
    let text = "---\ndescription: Stays in\nmode: subagent\ntools:\n  bash: false\n---\nYou stay in.\n";
    let changes = [("bash: false", "bash: true")];
    Twice::changed("rain-helper.md", "rain-helper", text, &changes).differs_by(&[
        ("permissions.deny", "shell.*", ""),
        ("other.opencode_agent.tools.bash", "false", "true"),
    ]);
}

#[test]
fn a_character_card_that_comes_again_says_what_differs() {
    let card = |first: &str, tags: &[&str]| {
        json!({"spec": "chara_card_v2", "spec_version": "2.0", "data": {
            "name": "Ada", "description": "Ada counts.", "first_mes": first, "tags": tags,
        }})
        .to_string()
    };
    let both = (card("Hello!", &["math"]), card("Good day!", &["math", "logic"]));
    Twice::new("ada.json", "ada", both).differs_by(&[
        ("opening", "Hello!", "Good day!"),
        ("other.character_card.tags", "math", "math, logic"),
    ]);
}

#[test]
fn a_recipe_of_goose_that_comes_again_says_what_differs() {
    let text = "version: 1.0.0\ntitle: Weekly report\ndescription: d\ninstructions: Write it.\nextensions:\n  - name: x\n";
    let changes = [("Write it.", "Write it down."), ("name: x", "name: y")];
    Twice::changed("recipe.yaml", "weekly-report", text, &changes).differs_by(&[
        ("prompt", "Write it.", "Write it down."),
        (
            "other.goose_recipe.extensions",
            "[{\"name\":\"x\"}]",
            "[{\"name\":\"y\"}]",
        ),
    ]);
}

#[test]
fn a_file_of_ours_that_comes_again_says_what_differs() {
    let text = "version: '1'\nname: cook\nprompt: You speak of soup.\nmemory: own\nx-mine: [1]\n";
    let changes = [("soup", "bread"), ("own", "alone"), ("[1]", "[2]")];
    Twice::changed("cook.yaml", "cook", text, &changes).differs_by(&[
        ("prompt", "You speak of soup.", "You speak of bread."),
        ("memory", "", "alone"),
        ("x-mine", "[1]", "[2]"),
    ]);
}

#[test]
fn two_of_one_file_that_nothing_tells_apart_each_keep_their_place() {
    let desk = Desk::new();
    let path = desk.path("agents.json");
    let file = |first: &str, second: &str| {
        let item = |prompt: &str| json!({"name": "Poet", "prompt": prompt});
        fs::write(&path, json!([item(first), item(second)]).to_string()).unwrap();
    };
    let import = |more: &[&str]| {
        let words = [&["import", path.to_str().unwrap()], more].concat();
        assistant(&desk, &words)
    };
    file("Write odes.", "Write sonnets.");
    done(import(&["--yes"]));
    file("Write odes.", "Write long sonnets.");
    let again = import(&[]).json();
    let told: Vec<(&Value, &Value)> = again
        .iter()
        .take(2)
        .map(|one| (&one["assistant"]["name"], &one["differs"]))
        .collect();
    let longer = json!([{"key": "prompt", "before": "Write sonnets.", "after": "Write long sonnets."}]);
    assert_eq!(
        told,
        [(&json!("poet"), &json!([])), (&json!("poet-2"), &longer)],
        "{again:?}"
    );
}

#[test]
fn what_nothing_here_stands_for_is_kept_by_an_import() {
    let desk = Desk::new();
    let path = desk.path("agents.json");
    let item = json!([{"id": "41", "name": "Story Teller", "prompt": "Tell a story.", "group": ["fun"]}]);
    fs::write(&path, item.to_string()).unwrap();
    done(assistant(&desk, &["import", path.to_str().unwrap(), "--yes"]));
    let shown = done(assistant(&desk, &["show", "story-teller"])).json();
    assert_eq!(shown[0]["assistant"]["title"], "Story Teller");
    assert!(
        shown[0]["text"].as_str().unwrap().contains("group"),
        "fields that are not ours survive: {shown:?}"
    );
}

#[test]
fn an_agent_in_markdown_is_exported_with_the_fields_that_it_brought() {
    let desk = Desk::new();
    let path = desk.path("code-helper.md");
    let text = "---\nname: code-helper\ndescription: Helps\ntools: Read\nmodel: sonnet\ncolor: red\n---\n\nYou help.\n";
    fs::write(&path, text).unwrap();
    done(assistant(&desk, &["import", path.to_str().unwrap(), "--yes"]));
    let exported = done(desk.run(["assistant", "export", "code-helper", "--markdown"])).stdout;
    assert!(
        exported.contains("\nmodel: sonnet\n") && exported.contains("\ncolor: red\n"),
        "{exported}"
    );
}
