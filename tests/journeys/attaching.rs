//! Questions about attached documents, pages and folders: with a scripted model and with the offline planner.

use serde_json::Value;
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer};
use shidi_tests::papers::pdf;
use std::io::{Read, Write};
use std::net::TcpListener;

fn sample(name: &str) -> String {
    let path = shidi_tests::folder().join("attachments/files").join(name);
    path.to_str().unwrap().to_owned()
}

fn answer(printed: &Printed) -> String {
    printed.event("answer")["text"].as_str().unwrap().to_owned()
}

#[test]
fn the_offline_planner_quotes_a_chinese_document_with_its_page() {
    let printed = Desk::new().run([
        "ask",
        "--json",
        "--file",
        &sample("pdf/报告 中文.pdf"),
        "付款期限是多少天？",
    ]);
    let answer = answer(&printed);
    assert!(
        answer.contains("[报告 中文.pdf p. 2]") && answer.contains("付款期限为发票开出后三十天"),
        "{answer}"
    );
}

#[test]
fn the_offline_planner_shows_the_line_that_follows_on_the_page() {
    let printed = Desk::new().run([
        "ask",
        "--json",
        "--file",
        &sample("pdf/printed 网页.pdf"),
        "住宿上限是多少？",
    ]);
    let answer = answer(&printed);
    assert!(
        answer.contains("[printed 网页.pdf p. 2]") && answer.contains("北京 600 元"),
        "{answer}"
    );
}

#[test]
fn the_offline_planner_quotes_a_workbook_with_its_row() {
    let printed = Desk::new().run([
        "ask",
        "--json",
        "--file",
        &sample("office/销售.xlsx"),
        "上海的收入是多少？",
    ]);
    let answer = answer(&printed);
    assert!(
        answer.contains("[销售.xlsx 收入!3]") && answer.contains("2345"),
        "{answer}"
    );
}

#[test]
fn a_short_document_is_in_the_prompt_with_its_places() {
    let server = ModelServer::start([Answer::Text("30 days [english.pdf p. 1].".into())]);
    let desk = Desk::with_model(&server.url());
    let printed = desk.run([
        "ask",
        "--json",
        "--file",
        &sample("pdf/english.pdf"),
        "when is payment due?",
    ]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    let prompt = server.last_prompt();
    for part in [
        "[p. 1]\nPayment is due within 30 days.",
        "[p. 3]\nShip to Hamburg",
        "[english.pdf p. 3]",
    ] {
        assert!(prompt.contains(part), "{part} is not in {prompt}");
    }
}

#[test]
fn documents_of_libreoffice_and_rich_text_are_in_the_prompt_and_a_locked_one_is_named() {
    let server = ModelServer::start([Answer::Text("Thirty days.".into())]);
    let desk = Desk::with_model(&server.url());
    let mut arguments = vec!["ask".to_owned(), "--json".to_owned()];
    for name in ["协议.odt", "演示.odp", "通知.rtf", "locked 协议.odt"] {
        arguments.extend(["--file".to_owned(), sample(&format!("office/{name}"))]);
    }
    arguments.push("when is payment due?".to_owned());
    let printed = desk.run(&arguments);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    let prompt = server.last_prompt();
    for part in [
        "# 租赁协议\n## 付款\n付款期限为发票开出后三十天。[^1]\n1. 押金\n  - 两个月",
        "[slide 2] Outlook\nPayment is due within 30 days.",
        "Notes: speak slowly on 2",
        "# 放假通知\n付款期限为发票开出后三十天。",
        "protected by a password",
    ] {
        assert!(prompt.contains(part), "{part} is not in {prompt}");
    }
    assert!(!prompt.contains("deleted words"), "{prompt}");
}

#[test]
fn a_long_document_is_looked_up_by_a_program_without_asking() {
    let program = "hits = await files.find(text=\"赔偿上限\", path=PATH, limit=1)\nawait user.say(text=hits[0][\"text\"] + \" [\" + hits[0][\"place\"] + \"]\")";
    let mut pages: Vec<Vec<String>> = (1..=120)
        .map(|page| {
            (0..30)
                .map(|line| format!("第 {page} 页，普通的第 {line} 句话"))
                .collect()
        })
        .collect();
    pages[86].push("赔偿上限为合同总额的百分之二十".to_owned());
    let (mut desk, file) = (Desk::new(), "合同 长.pdf");
    let path = desk.path(file);
    std::fs::write(&path, pdf(&pages)).unwrap();
    let reply = program.replace("PATH", &Value::from(path.to_str().unwrap()).to_string());
    let server = ModelServer::start([Answer::Text(format!("I look it up.\n```python\n{reply}\n```"))]);
    desk.set("SHIDI_KEY_OPENAI", "sk-test-0000000000001234");
    desk.write_config(&format!(
        "provider = \"openai\"\nmodel = \"scripted\"\nmodel_url = \"{}\"\n",
        server.url()
    ));
    let printed = desk.run([
        "ask",
        "--json",
        "--file",
        path.to_str().unwrap(),
        "赔偿上限是多少？",
    ]);
    let answer = answer(&printed);
    assert!(
        answer.contains("百分之二十") && answer.contains("[p. 87]"),
        "{answer}\n{}",
        printed.stdout
    );
    let prompt = server.last_prompt();
    assert!(prompt.contains("120 pages") && prompt.contains("files.find") && !prompt.contains("百分之二十"));
    assert!(prompt.len() < 40_000, "{} bytes", prompt.len());
}

#[test]
fn documents_that_cannot_be_read_are_named_with_the_reason_and_the_question_goes_on() {
    let server = ModelServer::start([Answer::Text("It is locked.".into())]);
    let desk = Desk::with_model(&server.url());
    let (locked, deep) = (sample("pdf/locked.pdf"), sample("hostile/deep.docx"));
    let printed = desk.run([
        "ask",
        "--json",
        "--file",
        &locked,
        "--file",
        &deep,
        "what do they say?",
    ]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    let prompt = server.last_prompt();
    assert!(
        prompt.contains("protected by a password") && prompt.contains("it is damaged"),
        "{prompt}"
    );
}

#[test]
fn whoever_answers_the_user_is_told_what_could_not_be_read() {
    let locked = sample("pdf/locked.pdf");
    for language in ["zh", "en"] {
        let printed = Desk::new().run([
            "ask",
            "--json",
            "--lang",
            language,
            "--file",
            &locked,
            "1 + 1 = ?",
        ]);
        assert_eq!(printed.code, Some(0), "{}", printed.stderr);
        let told = printed.event("notification")["text"].clone();
        let expected = if language == "zh" {
            "locked.pdf: 有密码保护"
        } else {
            "locked.pdf: it is protected by a password"
        };
        assert!(told.as_str().unwrap().starts_with(expected), "{told}");
    }
}

#[test]
fn a_picture_too_large_for_a_model_is_sent_smaller() {
    let server = ModelServer::start([Answer::Text("Red.".into())]);
    let desk = Desk::with_model(&server.url());
    let printed = desk.run([
        "ask",
        "--json",
        "--file",
        &sample("pictures/large.png"),
        "which colour?",
    ]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    assert!(server.requests()[0].to_string().contains("data:image/"));
    let chip = &desk
        .run(["--json", "inspect", &sample("pictures/large.png")])
        .json()[0];
    assert!(chip["tokens"].as_u64().unwrap() < 2_500, "{}", chip["tokens"]);
}

#[test]
fn an_address_is_fetched_and_read_as_text() {
    let page = "<!doctype html><title>Rates</title><script>alert(1)</script><h1>Rates</h1><p>The rate is 4.2 percent.</p>";
    let address = served(vec![
        (
            "/rates",
            format!(
                "200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}",
                page.len()
            ),
            page,
        ),
        (
            "/moved",
            "302 Found\r\nLocation: /rates\r\nContent-Length: 0".to_owned(),
            "",
        ),
        (
            "/round",
            "302 Found\r\nLocation: /round\r\nContent-Length: 0".to_owned(),
            "",
        ),
        ("/none", "404 Not Found\r\nContent-Length: 0".to_owned(), ""),
        (
            "/away",
            "302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0".to_owned(),
            "",
        ),
    ]);
    let desk = Desk::new();
    let chip = |path: &str| {
        desk.run(["--json", "inspect", &format!("{address}{path}")])
            .json()
            .remove(0)
    };
    for path in ["/rates", "/moved"] {
        let chip = chip(path);
        assert_eq!(chip["format"], "html", "{chip}");
        let preview = chip["preview"].as_str().unwrap();
        assert!(
            preview.contains("The rate is 4.2 percent.") && !preview.contains("alert"),
            "{preview}"
        );
    }
    for (path, detail) in [("/none", "HTTP 404"), ("/round", "redirect"), ("/away", "")] {
        let chip = chip(path);
        assert_eq!(chip["reason"], "unreachable", "{chip}");
        assert!(chip["detail"].as_str().unwrap().contains(detail), "{chip}");
    }
}

/// A server that answers each path as told; it ends with the test program.
pub fn served(answers: Vec<(&'static str, String, &'static str)>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = [0; 4_096];
            let length = stream.read(&mut request).unwrap();
            let request = String::from_utf8_lossy(&request[..length]).into_owned();
            let path = request.split_whitespace().nth(1).unwrap_or_default();
            if let Some((_, head, body)) = answers.iter().find(|(known, _, _)| *known == path) {
                let text = format!("HTTP/1.1 {head}\r\nConnection: close\r\n\r\n{body}");
                stream.write_all(text.as_bytes()).unwrap();
            }
        }
    });
    address
}
