//! Asking about the screen, from the command line to what the model receives.

use crate::windows::{GREEN, Painted, RED};
use base64::Engine as _;
use serde_json::Value;
use shidi_tests::command::Desk;
use shidi_tests::model_server::{Answer, ModelServer};

/// A desk on this display, with a model of that name.
pub fn desk(server: &ModelServer, model: &str) -> Desk {
    let mut desk = Desk::with_model(&server.url());
    desk.write_config(&format!(
        "provider = \"openai\"\nmodel = \"{model}\"\nmodel_url = \"{}\"\n",
        server.url()
    ));
    for name in ["DISPLAY", "XAUTHORITY"] {
        if let Ok(value) = std::env::var(name) {
            desk.set(name, &value);
        }
    }
    desk
}

pub fn answering() -> ModelServer {
    ModelServer::repeating(Answer::Text("It is a plain window.".into()))
}

/// Pictures in a request, decoded: width, height, first pixel.
pub fn pictures(request: &Value) -> Vec<(u16, u16, [u8; 3])> {
    let messages = request["messages"].as_array().unwrap().iter();
    let parts = messages
        .filter_map(|message| message["content"].as_array())
        .flatten();
    let urls = parts.filter_map(|part| part["image_url"]["url"].as_str());
    urls.map(|url| {
        let encoded = url.strip_prefix("data:image/jpeg;base64,").unwrap();
        let jpeg = base64::engine::general_purpose::STANDARD.decode(encoded).unwrap();
        let mut decoder = jpeg_decoder::Decoder::new(jpeg.as_slice());
        let pixels = decoder.decode().unwrap();
        let info = decoder.info().unwrap();
        (info.width, info.height, [pixels[0], pixels[1], pixels[2]])
    })
    .collect()
}

pub fn captures(desk: &Desk) -> usize {
    let folders = std::fs::read_dir(desk.data().join("blobs")).into_iter().flatten();
    let files = folders
        .flatten()
        .flat_map(|folder| std::fs::read_dir(folder.path()).unwrap());
    files
        .flatten()
        .filter(|file| file.path().extension().is_some_and(|ending| ending == "jpg"))
        .count()
}

pub fn ledger(desk: &Desk) -> Vec<Value> {
    desk.run(["sense", "--ledger", "--json"]).json()
}

#[test]
fn a_model_that_sees_gets_the_picture_and_the_user_every_trace_of_it() {
    let window = Painted::show("Mousepad", "build.log - Mousepad", RED, (200, 150, 400, 300));
    let (_, _, width, height) = window.place();
    let server = answering();
    let desk = desk(&server, "gpt-4o");
    let printed = desk.run(["ask", "--json", "--screen", "window", "What is this?"]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    let [(sent_width, sent_height, colour)] = pictures(&server.requests()[0])[..] else {
        panic!("one picture, not {:?}", pictures(&server.requests()[0]));
    };
    assert_eq!((u32::from(sent_width), u32::from(sent_height)), (width, height));
    assert!(
        colour[0].abs_diff(0xc8) < 8 && colour[1].abs_diff(0x28) < 8,
        "{colour:?}"
    );
    let context = &printed.event("context")["items"][0];
    assert_eq!(
        (context["source"].as_str(), context["title"].as_str()),
        (Some("screen"), Some("build.log - Mousepad"))
    );
    let prompt = server.last_prompt();
    assert!(
        prompt.contains("app: Mousepad") && prompt.contains("picture: attached, 400×300 pixels"),
        "{prompt}"
    );
    let shown = desk
        .run(["session", "show", "last", "--segments", "--json"])
        .stdout;
    assert!(shown.contains("picture: attached, 400×300 pixels"), "{shown}");
    let ledger = ledger(&desk);
    assert_eq!(
        (ledger[0]["outcome"].as_str(), ledger[0]["width"].as_u64()),
        (Some("sent"), Some(400))
    );
    assert_eq!(captures(&desk), 1);
}

#[test]
fn a_question_that_goes_on_takes_the_picture_along_and_deleting_the_session_erases_it() {
    let _window = Painted::show("Mousepad", "figures-of-lin", GREEN, (200, 150, 400, 300));
    let server = answering();
    let desk = desk(&server, "gpt-4o");
    assert_eq!(
        desk.run(["ask", "--screen", "window", "What is this?"]).code,
        Some(0)
    );
    assert_eq!(
        desk.run(["ask", "--session", "last", "And in its corner?"]).code,
        Some(0)
    );
    assert_eq!(pictures(&server.requests()[1]).len(), 1);
    assert_eq!(desk.run(["session", "delete", "last"]).code, Some(0));
    assert_eq!(captures(&desk), 0);
    let ledger = ledger(&desk);
    assert_eq!(
        (ledger[0]["outcome"].as_str(), ledger[0]["title"].as_str()),
        (Some("erased"), Some(""))
    );
}

#[test]
fn a_model_that_takes_no_pictures_gets_name_and_title_and_the_user_is_told() {
    let _window = Painted::show("Mousepad", "build.log - Mousepad", RED, (200, 150, 400, 300));
    let server = answering();
    let desk = desk(&server, "deepseek-chat");
    let printed = desk.run(["ask", "--json", "--screen", "window", "What is this?"]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    assert!(pictures(&server.requests()[0]).is_empty());
    let prompt = server.last_prompt();
    assert!(
        prompt.contains("window: build.log - Mousepad") && prompt.contains("takes no pictures"),
        "{prompt}"
    );
    let told = printed.event("notification");
    assert_eq!(told["source"], "screen");
    assert!(
        told["text"]
            .as_str()
            .unwrap()
            .contains("deepseek-chat takes no pictures"),
        "{told}"
    );
    let told = desk.run(["--lang", "zh", "ask", "--screen", "window", "这是什么？"]);
    assert!(
        told.stderr.contains("看不了图") || told.stdout.contains("看不了图"),
        "{told:?}"
    );
    assert_eq!(captures(&desk), 0, "what is not sent is not written");
}

#[test]
fn an_excluded_window_is_refused_in_words_and_nothing_is_asked() {
    let _window = Painted::show("KeePassXC", "Passwords", RED, (200, 150, 400, 300));
    let server = answering();
    let desk = desk(&server, "gpt-4o");
    let refused = desk.run(["ask", "--screen", "window", "What is this?"]);
    assert_eq!(refused.code, Some(1));
    assert!(
        refused
            .stderr
            .contains("KeePassXC is one of the programs never looked at"),
        "{}",
        refused.stderr
    );
    assert!(server.requests().is_empty());
    let ledger = ledger(&desk);
    assert_eq!(
        (ledger[0]["outcome"].as_str(), ledger[0]["app"].as_str()),
        (Some("refused"), Some(""))
    );
}

#[test]
fn paused_refuses_in_words_until_it_is_resumed() {
    let _window = Painted::show("Mousepad", "notes", RED, (200, 150, 400, 300));
    let server = answering();
    let desk = desk(&server, "gpt-4o");
    assert_eq!(desk.run(["sense", "--pause"]).code, Some(0));
    for arguments in [
        &["sense"][..],
        &["sense", "--look", "monitor"],
        &["ask", "--screen", "monitor", "x"],
    ] {
        let printed = desk.run(arguments);
        assert!(
            format!("{}{}", printed.stdout, printed.stderr).contains("Sensing is paused"),
            "{printed:?}"
        );
    }
    assert!(server.requests().is_empty());
    assert_eq!(desk.run(["sense", "--resume"]).code, Some(0));
    let printed = desk.run(["sense", "--json"]).json();
    assert_eq!(
        (printed[0]["app"].as_str(), printed[0]["title"].as_str()),
        (Some("Mousepad"), Some("notes"))
    );
}

#[test]
fn without_a_display_there_is_one_sentence_and_a_remedy() {
    let server = answering();
    let mut desk = desk(&server, "gpt-4o");
    desk.set("DISPLAY", "");
    for arguments in [
        &["sense"][..],
        &["sense", "--watch"],
        &["ask", "--screen", "window", "x"],
    ] {
        let printed = desk.run(arguments);
        assert_ne!(printed.code, Some(0));
        assert!(
            printed.stderr.contains("There is no display here"),
            "{}",
            printed.stderr
        );
        assert!(printed.stderr.contains("hint:"), "{}", printed.stderr);
    }
    desk.set("DISPLAY", ":987");
    assert!(desk.run(["sense"]).stderr.contains("There is no display here"));
}

#[test]
fn a_look_is_written_where_the_user_says() {
    let window = Painted::show("Mousepad", "notes", GREEN, (300, 200, 400, 300));
    let (x, y, ..) = window.place();
    let server = answering();
    let desk = desk(&server, "gpt-4o");
    let file = desk.path("corner.jpg").display().to_string();
    let region = format!("{x},{y},64x48");
    let printed = desk.run(["sense", "--json", "--look", &region, "--out", &file]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    let jpeg = std::fs::read(&file).unwrap();
    let mut decoder = jpeg_decoder::Decoder::new(jpeg.as_slice());
    let pixels = decoder.decode().unwrap();
    assert_eq!(
        decoder.info().map(|info| (info.width, info.height)),
        Some((64, 48))
    );
    assert!(pixels[1].abs_diff(0xa0) < 8);
}

#[test]
fn words_in_the_picture_go_to_a_model_that_takes_none_when_the_user_allows_it() {
    if !shidi_senses::recogniser_is_there() {
        println!("NOT RUN: words in a picture (tesseract is not installed)");
        return;
    }
    let window = Painted::show("Xmessage", "notice", 0x00ff_ffff, (200, 150, 700, 200));
    window.write("The build failed on line forty two");
    let server = answering();
    let desk = desk(&server, "deepseek-chat");
    assert_eq!(desk.run(["config", "set", "privacy.ocr", "on"]).code, Some(0));
    let printed = desk.run(["ask", "--json", "--screen", "window", "What is this?"]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    let prompt = server.last_prompt();
    assert!(prompt.contains("words recognised in the picture"), "{prompt}");
    assert!(prompt.contains("failed on line"), "{prompt}");
}

#[test]
fn a_handed_over_context_leaves_its_secrets_behind_and_an_excluded_site_is_not_sent() {
    let server = answering();
    let desk = desk(&server, "deepseek-chat");
    let file = desk.path("page.json");
    let ask = |page: Value| {
        std::fs::write(&file, page.to_string()).unwrap();
        let path = file.display().to_string();
        desk.run(["ask", "--json", "--context", &path, "What is this?"])
    };
    let page = serde_json::json!({"app": "Firefox", "title": "Console", "url": "https://example.com/?token=abcdef123456",
        "text": "export OPENAI=sk-abcdefghijklmnopqrstuvwx\nall well"});
    assert_eq!(ask(page).code, Some(0));
    let prompt = server.last_prompt();
    assert!(
        prompt.contains("all well")
            && !prompt.contains("abcdefghijklmnop")
            && !prompt.contains("abcdef123456")
    );
    let bank = serde_json::json!({"app": "Firefox", "title": "Welcome", "url": "https://www.icbc.com.cn/", "text": "balance 12345"});
    let printed = ask(bank);
    assert!(!server.last_prompt().contains("balance"));
    let told = printed.event("notification")["text"].as_str().unwrap().to_owned();
    assert!(told.contains("privacy.sites"), "{told}");
    for file in std::fs::read_dir(desk.data())
        .unwrap()
        .flatten()
        .filter(|file| file.path().is_file())
    {
        let bytes = std::fs::read(file.path()).unwrap();
        assert!(
            !bytes.windows(13).any(|window| window == b"balance 12345"),
            "{:?}",
            file.path()
        );
    }
}
