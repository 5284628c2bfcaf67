//! Every state of ball, menu and panel in the real windows, in both languages and both themes: each is waited for, and
//! kept as a picture to be looked at beside the design.

use super::Fixture;
use super::answering::{fixture_with, type_question};
use super::files::carry_to_ball;
use crate::webdriver::Driven;
use shidi_tests::model_server::{Answer, ModelServer, reply};
use shidi_tests::program::built;
use shidi_tests::screen::Seen;
use std::process::{Command, Stdio};
use std::time::Duration;

/// What the tests look for, in both languages.
struct Words {
    code: &'static str,
    panel: &'static str,
    idle: &'static str,
    paused: &'static str,
    needs_you: &'static str,
    error: &'static str,
    dropping: &'static str,
    question: &'static str,
    answer: &'static str,
    /// Its first words, and its last ones.
    beginning: &'static str,
    end: &'static str,
}

const ENGLISH: Words = Words {
    code: "en",
    panel: "Shidi",
    idle: "Shidi: idle",
    paused: "Shidi: paused",
    needs_you: "Shidi: needs you, 1 waiting",
    error: "Shidi: error",
    dropping: "Shidi: drop file",
    question: "Which city has more people?",
    answer: "Shanghai has more than Beijing:\n\n| city | people |\n| --- | ---: |\n| Shanghai | 24.9 M |\n| Beijing | \
             21.8 M |\n\n```js\nconst more = 24.9 - 21.8;\n```\n\nSo the difference is about three million.",
    beginning: "Shanghai has more",
    end: "about three million.",
};

const CHINESE: Words = Words {
    code: "zh",
    panel: "师弟",
    idle: "师弟：空闲",
    paused: "师弟：已暂停",
    needs_you: "师弟：等你，1 件",
    error: "师弟：出错",
    dropping: "师弟：松手附上",
    question: "哪座城市人更多？",
    answer: "上海比北京多：\n\n| 城市 | 人口 |\n| --- | ---: |\n| 上海 | 2490 万 |\n| 北京 | 2180 万 |\n\n```js\nconst more = \
             2490 - 2180;\n```\n\n所以相差 约三百万。",
    beginning: "上海比北京多",
    end: "约三百万。",
};

/// One language and theme.
struct Look<'a> {
    fixture: &'a Fixture,
    words: &'a Words,
    theme: &'static str,
}

impl Look<'_> {
    fn keep(&self, state: &str) {
        self.fixture
            .picture(&format!("{state}-{}-{}", self.words.code, self.theme));
    }

    fn show(&self) -> Seen {
        self.fixture.press_hotkey();
        let panel = self.fixture.screen.await_window(self.words.panel).unwrap();
        self.fixture.screen.await_focus(panel.window).unwrap();
        panel
    }

    fn hide(&self) {
        self.fixture.press_hotkey();
        self.fixture.screen.await_gone(self.words.panel).unwrap();
    }

    fn ask(&self, driven: &Driven) {
        type_question(self.fixture, driven, self.words.question);
        self.fixture.type_keys("Return");
    }

    /// Asks on the command line, out of the panel's sight.
    fn ask_elsewhere(&self) {
        let mut command = Command::new(built("shidi").unwrap());
        command
            .args(["ask", self.words.question])
            .env("SHIDI_DATA_DIR", self.fixture.folder.path());
        let ended = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        assert!(!ended.unwrap().success(), "the model refuses");
    }

    /// The places of the panel that keys lead to, and back.
    fn places(&self, driven: &Driven) {
        for (state, keys, element) in [
            ("panel-find", "ctrl+k", "[role=combobox], [role=searchbox], input"),
            ("panel-keys", "ctrl+slash", "dl, table, ul"),
            ("panel-settings", "ctrl+comma", "input"),
        ] {
            self.fixture.type_keys(keys);
            let is_there = format!(
                "return document.querySelector('textarea') === null && document.querySelector('{element}') !== null"
            );
            driven.await_true(state, &is_there).unwrap();
            self.keep(state);
            if state == "panel-settings" {
                for group in ["models", "permissions", "limits"] {
                    let scroll =
                        format!("document.querySelector('#group-{group}').scrollIntoView(); return true");
                    driven.await_true(group, &scroll).unwrap();
                    self.keep(&format!("{state}-{group}"));
                }
            }
            self.fixture.type_keys("Escape");
            driven
                .await_true(
                    "the conversation is back",
                    "return document.querySelector('textarea') !== null",
                )
                .unwrap();
        }
    }
}

fn says(text: &str) -> String {
    format!("return document.body.innerText.includes('{text}')")
}

fn pictures(words: &Words, theme: &'static str) {
    let denied = Answer::Status {
        code: 401,
        headers: Vec::new(),
        body: r#"{"error":{"message":"invalid api key"}}"#.to_owned(),
    };
    let slow = Answer::Slow {
        text: words.answer.to_owned(),
        pause: Duration::from_millis(120),
    };
    let server = ModelServer::start([slow, reply("read_hosts"), denied.clone(), denied]);
    let fixture = fixture_with(&server);
    fixture.configure("language", words.code);
    fixture.configure("theme", theme);
    let look = Look {
        fixture: &fixture,
        words,
        theme,
    };
    let (driven, ball) = fixture.driven_to(words.idle);
    look.keep("ball-idle");
    fixture.open_menu(ball);
    look.keep("ball-menu");
    fixture.leave_menu(ball);
    fixture.type_keys("ctrl+alt+p");
    fixture.screen.await_window(words.paused).unwrap();
    look.keep("ball-paused");
    fixture.type_keys("ctrl+alt+p");
    fixture.screen.await_window(words.idle).unwrap();
    look.show();
    look.keep("panel-empty");
    look.places(&driven);
    look.ask(&driven);
    driven
        .await_true("the answer begins", &says(words.beginning))
        .unwrap();
    look.keep("panel-answering");
    driven
        .await_true("the answer is there", &says(words.end))
        .unwrap();
    look.keep("panel-answered");
    look.ask(&driven);
    let card = "return document.querySelector('[role=alertdialog]') !== null";
    driven.await_true("the card is there", card).unwrap();
    look.keep("panel-approval");
    look.hide();
    fixture.screen.await_window(words.needs_you).unwrap();
    look.keep("ball-needs-you");
    fixture.click(ball);
    fixture.screen.await_window(words.panel).unwrap();
    driven.await_true("the card waits", card).unwrap();
    std::thread::sleep(Duration::from_millis(500));
    fixture.type_keys("ctrl+d");
    let failed = "return document.querySelector('[role=alert]') !== null";
    driven
        .await_true("the next call of the model failed", failed)
        .unwrap();
    look.keep("panel-failed");
    look.hide();
    look.ask_elsewhere();
    fixture.screen.await_window(words.error).unwrap();
    look.keep("ball-error");
    look.show();
    fixture.screen.await_window(words.idle).unwrap();
    look.hide();
    let source = carry_to_ball(&fixture, ball);
    fixture.screen.await_window(words.dropping).unwrap();
    look.keep("ball-dropping");
    fixture.screen.release(1).unwrap();
    let chip = "return document.querySelector('.chip .open:enabled') !== null";
    driven.await_true("the file is there", chip).unwrap();
    look.keep("panel-chip");
    drop(source);
}

#[test]
fn english_in_light() {
    pictures(&ENGLISH, "light");
}

#[test]
fn english_in_dark() {
    pictures(&ENGLISH, "dark");
}

#[test]
fn chinese_in_light() {
    pictures(&CHINESE, "light");
}

#[test]
fn chinese_in_dark() {
    pictures(&CHINESE, "dark");
}

/// What somebody sees who has never started it.
#[test]
fn the_first_run_in_both_languages_and_themes() {
    for words in [&ENGLISH, &CHINESE] {
        for theme in ["light", "dark"] {
            let fixture = Fixture::new();
            let config = format!("language = \"{}\"\ntheme = \"{theme}\"\n", words.code);
            std::fs::write(fixture.folder.path().join("config.toml"), config).unwrap();
            let look = Look {
                fixture: &fixture,
                words,
                theme,
            };
            let (driven, _ball) = fixture.driven_to(words.idle);
            look.show();
            let doors = "return document.querySelectorAll('.door').length > 0 || \
                document.querySelector('textarea') === null";
            driven.await_true("the first run is there", doors).unwrap();
            look.keep("first-run");
        }
    }
}
