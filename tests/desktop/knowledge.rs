//! Knowledge bases and the first run in the real windows, in Chinese: a team's server that is away says so with the remedy
//! and is asked again, a base is deleted, and the first run is clicked through to the first answer.

use super::{Fixture, WELCOMED};
use crate::answering::says;
use crate::webdriver::Driven;
use shidi_tests::program::built;
use shidi_tests::qdrant_server::QdrantServer;
use shidi_tests::screen::await_some;

const BALL: &str = "师弟：空闲";
const PANEL: &str = "师弟";
const WORKBENCH: &str = "师弟工作台";

/// A fixture in Chinese and the dark theme, with further settings.
fn fixture_with(settings: &str) -> Fixture {
    let fixture = Fixture::new();
    let settings = format!("{settings}language = \"zh\"\ntheme = \"dark\"\n");
    std::fs::write(fixture.folder.path().join("config.toml"), settings).unwrap();
    fixture
}

fn driven(fixture: &Fixture) -> Driven {
    let program = built("shidi-desktop").unwrap();
    let driven = Driven::start(&program, &[], fixture.folder.path()).unwrap();
    fixture.screen.await_window(BALL).unwrap();
    driven
        .await_true("the page is there", "return document.readyState === 'complete'")
        .unwrap();
    driven
}

/// The button or other element with that text.
fn with_text(kind: &str, text: &str) -> String {
    format!("[...document.querySelectorAll('{kind}')].find((one) => one.innerText.includes('{text}'))")
}

#[test]
fn a_server_that_is_away_says_so_with_the_remedy_and_a_base_is_deleted_in_chinese() {
    let server = QdrantServer::start();
    let fixture = fixture_with(WELCOMED);
    let rules = fixture.folder.path().join("差旅.md");
    std::fs::write(&rules, "# 差旅\n一线城市每晚不超过 600 元。\n").unwrap();
    let rules = rules.to_str().unwrap();
    fixture.shidi(&["knowledge", "create", "团队手册", "--at", &server.url()]);
    fixture.shidi(&["knowledge", "add", "团队手册", rules]);
    fixture.shidi(&["knowledge", "create", "公司制度"]);
    fixture.shidi(&["knowledge", "add", "公司制度", rules]);
    server.go_away(true);
    let driven = driven(&fixture);
    fixture.press_hotkey();
    let panel = fixture.screen.await_window(PANEL).unwrap();
    fixture.screen.await_focus(panel.window).unwrap();
    fixture.type_keys("ctrl+e");
    let window = fixture.screen.await_window(WORKBENCH).unwrap();
    fixture.screen.await_focus(window.window).unwrap();
    driven.turn_to("workbench.html").unwrap();
    fixture.type_keys("ctrl+3");
    fixture.click_on(&driven, window, &with_text(".known", "团队手册"));
    for part in ["没有回音", "检查地址和网络再试"] {
        driven.await_true(part, &says(part)).unwrap();
    }
    fixture.picture("workbench-knowledge-away-zh-dark");
    server.go_away(false);
    fixture.click_on(&driven, window, &with_text(".away button", "重试"));
    driven
        .await_true("its documents are there again", &says("差旅.md"))
        .unwrap();
    fixture.picture("workbench-knowledge-back-zh-dark");
    fixture.click_on(&driven, window, &with_text(".known", "公司制度"));
    driven
        .await_true(
            "the other base",
            "return document.querySelector('.base h2').innerText === '公司制度'",
        )
        .unwrap();
    fixture.click_on(
        &driven,
        window,
        "document.querySelector('[aria-label=\"删除知识库\"]')",
    );
    driven
        .await_true("it asks first", &says("连同内容一起删除？"))
        .unwrap();
    fixture.picture("workbench-knowledge-delete-zh-dark");
    fixture.click_on(&driven, window, &with_text(".head button", "删除"));
    await_some("the base is gone", || {
        let listed = fixture.shidi(&["--json", "knowledge", "list"]);
        Ok((!listed.contains("公司制度") && listed.contains("团队手册")).then_some(()))
    })
    .unwrap();
    driven
        .await_true("what is left is shown", &says("团队手册"))
        .unwrap();
}

#[test]
fn the_first_run_is_clicked_through_to_the_first_answer_in_chinese() {
    let fixture = fixture_with("");
    let driven = driven(&fixture);
    fixture.press_hotkey();
    let panel = fixture.screen.await_window(PANEL).unwrap();
    fixture.screen.await_focus(panel.window).unwrap();
    driven
        .await_true("the doors are there", &says("你好，我是师弟"))
        .unwrap();
    fixture.click_on(&driven, panel, &with_text(".door", "填服务商的密钥"));
    fixture.picture("first-run-key-zh-dark");
    // It stands below the form, which a person scrolls.
    let scroll = format!(
        "{}.scrollIntoView(); return true",
        with_text("button", "先不用模型")
    );
    driven.await_true("the way without a model", &scroll).unwrap();
    fixture.click_on(&driven, panel, &with_text("button", "先不用模型"));
    driven
        .await_true("the keys are practised", &says("离线应答"))
        .unwrap();
    fixture.picture("first-run-practice-zh-dark");
    fixture.press_hotkey();
    let practised = "return document.querySelector('.keys.pressed') !== null";
    driven.await_true("the keys were seen", practised).unwrap();
    fixture.picture("first-run-practised-zh-dark");
    fixture.click_on(&driven, panel, "document.querySelector('.ways .primary')");
    let filled = "return document.querySelector('textarea')?.value.length > 0 && document.querySelector('.chip') !== null";
    driven
        .await_true("a question and its page are there", filled)
        .unwrap();
    fixture.picture("first-run-sample-zh-dark");
    fixture.click_on(&driven, panel, "document.querySelector('textarea')");
    fixture.type_keys("Return");
    let answered = "return document.querySelector('.after') !== null";
    driven.await_true("it is answered", answered).unwrap();
    fixture.picture("first-run-answered-zh-dark");
    assert!(fixture.shidi(&["config", "get", "first_run"]).contains("done"));
}
