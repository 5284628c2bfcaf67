//! The article's two workflows as its helpers run them, in every format and in Chinese and English: customer marketing up to the
//! outbox with both decisions of a person, and the recommendation from a menu.

use crate::article_dialogues::{FORMATS, calling, saying};
use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer};
use std::fs;
use std::path::Path;

/// What people and the model say, and what is said to them.
struct Spoken {
    language: &'static str,
    wish: &'static str,
    tag: &'static str,
    need: &'static str,
    asked: &'static str,
    approve: &'static str,
    /// The message's words for what the customer likes.
    likes: &'static str,
    told: &'static str,
    menu: &'static str,
    hungry: &'static str,
    preference: &'static str,
    /// What the one dish has and the other has not, and the other way round.
    hot: &'static str,
    mild: &'static str,
}

const ENGLISH: Spoken = Spoken {
    language: "en",
    wish: "Write to the regulars about the autumn menu",
    tag: "regulars",
    need: "the autumn menu",
    asked: "Send this to 555-0100?",
    approve: "Approve",
    likes: "warm dishes",
    told: "It is in the outbox.",
    menu: "name,description\nChicken,Chicken with chili and rice\nSoup,A mild soup with rice\n",
    hungry: "I like it hot with rice, what is there?",
    preference: "hot with rice",
    hot: "chili",
    mild: "mild",
};

const CHINESE: Spoken = Spoken {
    language: "zh",
    wish: "给老顾客写一条信息，说说秋季新菜单",
    tag: "老顾客",
    need: "秋季新菜单",
    asked: "把这条信息发给 555-0100 吗？",
    approve: "批准",
    likes: "热菜",
    told: "已经放进发件箱。",
    menu: "name,description\n黄焖鸡,辣椒下饭的鸡\n清汤,清淡下饭的汤\n",
    hungry: "我想吃辣椒下饭的菜，有什么？",
    preference: "辣椒下饭",
    hot: "辣椒",
    mild: "清淡",
};

impl Spoken {
    fn run(&self, desk: &Desk, words: &[&str]) -> Printed {
        desk.run(["--lang", self.language].iter().chain(words))
    }

    fn done(&self, desk: &Desk, words: &[&str]) -> Printed {
        let printed = self.run(desk, words);
        assert_eq!(printed.code, Some(0), "{words:?}: {printed:?}");
        printed
    }

    /// The card for which the newest run of the workflow waits.
    fn waiting(&self, desk: &Desk) -> Value {
        let runs = ["--json", "workflow", "runs", "--of", "customer-marketing"];
        self.done(desk, &runs).json()[0]["waiting"][0]["event"].clone()
    }
}

/// A desk whose model writes a call of the workflow and then to its user.
fn desk(format: &str, answers: Vec<Answer>, told: &str) -> (Desk, ModelServer) {
    let server = ModelServer::start(answers.into_iter().chain([saying(format, told)]));
    let desk = Desk::with_model(&server.url());
    let models = "[[model]]\nname = \"scripted\"\nfim = \"suffix\"\n";
    fs::write(desk.data().join("models.toml"), models).unwrap();
    (desk, server)
}

fn sent(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder.join("outbox"))
        .into_iter()
        .flatten()
        .flatten();
    entries
        .map(|entry| fs::read_to_string(entry.path()).unwrap())
        .collect()
}

fn marketing(spoken: &Spoken, format: &str) {
    let tool = ("customer_marketing", "workflows__customer_marketing");
    let values = [("user_tag", spoken.tag), ("marketing_need", spoken.need)];
    let answers = calling(format, tool, &values);
    let asks = answers.len() + 1;
    let (desk, server) = desk(format, answers, spoken.told);
    spoken.done(&desk, &["plugin", "install", "customer-care", "--yes"]);
    let folder = desk.path("work");
    fs::create_dir_all(&folder).unwrap();
    let at = folder.display().to_string();
    let helper = ["--json", "ask", "--assistant", "marketing", "--folder", &at];
    let words = [&helper[..], &["--format", format, spoken.wish][..]].concat();
    let first = spoken.run(&desk, &words);
    assert_eq!(first.code, Some(3), "{format}: {first:?}");
    let run = first.event("run_started")["run"].as_str().unwrap().to_owned();
    let card = spoken.waiting(&desk);
    assert_eq!(card["text"], spoken.asked, "{format}: {card}");
    let facts = card["fields"]["facts"].to_string();
    assert!(
        facts.contains(spoken.likes) && facts.contains(spoken.need),
        "{format}: {card}"
    );
    assert_eq!(sent(&folder), [""; 0], "{format}: nothing is sent before");

    let program = card["run"].as_str().unwrap();
    spoken.done(&desk, &["answer", program, spoken.approve]);
    let resumed = spoken.run(&desk, &["resume", &run]);
    assert_eq!(resumed.code, Some(3), "{format}: {resumed:?}");
    let card = spoken.waiting(&desk);
    assert_eq!(
        (&card["tool"], &card["class"]),
        (&json!("customer_care.plugin_sms_send"), &json!("send")),
        "{format}: {card}"
    );
    assert_eq!(sent(&folder), [""; 0], "{format}: the text alone is approved");

    let (program, call) = (card["run"].as_str().unwrap(), card["call"].to_string());
    spoken.done(&desk, &["approve", program, &call]);
    let last = spoken.done(&desk, &["--json", "resume", &run]);
    assert_eq!(last.event("answer")["text"], spoken.told, "{format}");
    let sent = sent(&folder);
    assert_eq!(sent.len(), 1, "{format}: {sent:?}");
    assert!(
        sent[0].contains("555-0100") && sent[0].contains(spoken.need),
        "{format}: {sent:?}"
    );
    assert_eq!(server.requests().len(), asks, "{format}");
}

fn menu(spoken: &Spoken, format: &str) {
    let tool = ("menu_recommendation", "workflows__menu_recommendation");
    let answers = calling(format, tool, &[("user_preference", spoken.preference)]);
    let asks = answers.len() + 1;
    let (desk, server) = desk(format, answers, spoken.hot);
    let file = desk.path("menu.csv");
    fs::write(&file, spoken.menu).unwrap();
    spoken.done(&desk, &["knowledge", "create", "huangmenji_menu"]);
    let file = file.display().to_string();
    spoken.done(&desk, &["knowledge", "add", "huangmenji_menu", &file]);
    let helper = ["--json", "ask", "--assistant", "restaurant-ordering"];
    let words = [&helper[..], &["--format", format, spoken.hungry][..]].concat();
    let printed = spoken.done(&desk, &words);
    let output = printed.event("output")["stdout"].to_string();
    assert!(
        output.contains(spoken.hot) && !output.contains(spoken.mild),
        "{format}: {output}"
    );
    assert_eq!(printed.event("answer")["text"], spoken.hot, "{format}");
    assert_eq!(server.requests().len(), asks, "{format}");
}

#[test]
fn marketing_sends_once_a_person_approved_text_and_call_in_every_format_in_english() {
    FORMATS.iter().for_each(|format| marketing(&ENGLISH, format));
}

#[test]
fn marketing_sends_once_a_person_approved_text_and_call_in_every_format_in_chinese() {
    FORMATS.iter().for_each(|format| marketing(&CHINESE, format));
}

#[test]
fn dishes_that_fit_are_found_in_the_menu_in_every_format_in_english() {
    FORMATS.iter().for_each(|format| menu(&ENGLISH, format));
}

#[test]
fn dishes_that_fit_are_found_in_the_menu_in_every_format_in_chinese() {
    FORMATS.iter().for_each(|format| menu(&CHINESE, format));
}
