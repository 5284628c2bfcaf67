//! Anthropic and Gemini over real HTTP, keys in the encrypted file, limits of a day, and what `shidi model` shows.

use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer};
use std::path::Path;

/// A desk whose model speaks the format of `provider` at `url`.
fn desk(provider: &str, model: &str, url: &str) -> Desk {
    let mut desk = Desk::new();
    let variable = format!("SHIDI_KEY_{}", provider.to_uppercase());
    desk.set(&variable, "sk-test-0000000000001234");
    desk.write_config(&format!(
        "provider = \"{provider}\"\nmodel = \"{model}\"\nmodel_url = \"{url}\"\n"
    ));
    desk
}

fn all(printed: &Printed) -> String {
    format!("{}{}", printed.stdout, printed.stderr)
}

/// The contents of every file below a folder.
fn files(folder: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            bytes.extend(files(&path));
        } else if path.is_file() {
            bytes.extend(std::fs::read(&path).unwrap());
        }
    }
    bytes
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

#[test]
fn anthropic_and_gemini_write_a_program_see_its_output_and_answer_from_it() {
    for (provider, model, result) in [
        ("anthropic", "claude-haiku-4-5", "tool_result"),
        ("gemini", "gemini-2.5-flash", "functionResponse"),
    ] {
        let server = ModelServer::start([
            Answer::Tool("print(6 * 7)".into()),
            Answer::Text("It is 42.".into()),
        ]);
        let desk = desk(provider, model, &server.url());
        let printed = desk.run(["ask", "--json", "what is 6 times 7?"]);
        assert_eq!(printed.code, Some(0), "{provider}: {}", all(&printed));
        assert_eq!(printed.event("output")["stdout"], "42\n", "{provider}");
        assert_eq!(printed.event("answer")["text"], "It is 42.", "{provider}");
        let usage = &printed.event("run_ended")["usage"];
        assert_eq!(
            (&usage["input"], &usage["cached"], &usage["model_calls"]),
            (&200.into(), &120.into(), &2.into()),
            "{provider}"
        );
        assert!(
            usage["cost"].as_f64().is_some_and(|cost| cost > 0.0),
            "{provider}: {usage}"
        );

        let requests = server.requests();
        let second = requests[1].to_string();
        assert!(second.contains(result) && second.contains("42"), "{second}");
        assert_eq!(server.authorizations()[0], "sk-test-0000000000001234");
        assert!(
            !holds(&files(&desk.data()), "sk-test-0000000000001234"),
            "no key in any file"
        );

        let spent = desk.run(["--json", "model", "spent"]);
        let day = &spent.json()[0]["spent"][0];
        assert_eq!(
            (&day["provider"], &day["usage"]["model_calls"]),
            (&provider.into(), &2.into()),
            "{day}"
        );
    }
}

#[test]
fn what_the_other_formats_refuse_is_told_with_a_remedy() {
    let status = |code, body: &str| Answer::Status {
        code,
        headers: Vec::new(),
        body: body.to_owned(),
    };
    for (provider, code, body, words) in [
        (
            "anthropic",
            401,
            r#"{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}"#,
            "rejected the key",
        ),
        (
            "gemini",
            400,
            r#"{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT"}}"#,
            "rejected the key",
        ),
        (
            "gemini",
            400,
            r#"{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}"#,
            "this long",
        ),
    ] {
        let server = ModelServer::start([status(code, body)]);
        let printed = desk(provider, "m", &server.url()).run(["ask", "hello?"]);
        let all = all(&printed);
        assert!(
            printed.code != Some(0) && all.contains(words) && all.contains("hint"),
            "{all}"
        );
    }
}

#[test]
fn a_stream_that_breaks_off_is_told_in_every_format_and_in_chinese_too() {
    for provider in ["anthropic", "gemini"] {
        let server = ModelServer::repeating(Answer::Cut("The answer is".into()));
        let printed = desk(provider, "m", &server.url()).run(["--lang", "zh", "ask", "你好？"]);
        assert_eq!(printed.code, Some(4), "{}", all(&printed));
        assert!(all(&printed).contains("回答还没完"), "{}", all(&printed));
    }
}

#[test]
fn a_missing_key_is_called_missing() {
    let mut desk = Desk::new();
    desk.set("SHIDI_KEY_OTHER", "sk-0123456789ab");
    desk.write_config("provider = \"anthropic\"\n");
    let printed = desk.run(["ask", "hello?"]);
    assert_eq!(printed.code, Some(4), "{}", all(&printed));
    assert!(
        all(&printed).contains("Anthropic has no key"),
        "{}",
        all(&printed)
    );
    assert!(
        all(&printed).contains("shidi key set anthropic"),
        "{}",
        all(&printed)
    );
    assert!(!all(&printed).contains("rejected"), "{}", all(&printed));
}

#[test]
fn without_a_keychain_keys_are_kept_in_an_encrypted_file_behind_a_passphrase() {
    let server = ModelServer::start([Answer::Text("Here.".into())]);
    let mut desk = Desk::new();
    desk.write_config(&format!(
        "provider = \"openai\"\nmodel = \"scripted\"\nmodel_url = \"{}\"\n",
        server.url()
    ));
    desk.set("SHIDI_PASSPHRASE", "correct horse battery");
    let set = desk.run_with(
        ["key", "set", "openai", "--unchecked"],
        "sk-file-0123456789abcdef\n",
    );
    assert_eq!(set.code, Some(0), "{}", all(&set));
    assert!(set.stdout.contains("no keychain"), "{}", set.stdout);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let file = std::fs::metadata(desk.data().join("keys.enc")).unwrap();
        assert_eq!(file.permissions().mode() & 0o777, 0o600);
    }
    let listed = desk.run(["--json", "key", "list"]);
    assert_eq!(
        (&listed.json()[0]["kept"], &listed.json()[0]["tail"]),
        (&"file".into(), &"cdef".into())
    );
    let printed = desk.run(["ask", "--json", "hello?"]);
    assert_eq!(printed.event("answer")["text"], "Here.", "{}", all(&printed));
    assert_eq!(server.authorizations(), ["Bearer sk-file-0123456789abcdef"]);
    let everything = files(&desk.data());
    for secret in ["sk-file-0123456789abcdef", "correct horse battery"] {
        assert!(!holds(&everything, secret), "{secret} is in a file");
    }

    desk.set("SHIDI_PASSPHRASE", "wrong horse battery");
    let wrong = desk.run(["key", "list"]);
    assert_eq!(wrong.code, Some(4), "{}", all(&wrong));
    assert!(all(&wrong).contains("does not open"), "{}", all(&wrong));
    desk.set("SHIDI_PASSPHRASE", "");
    let locked = desk.run(["key", "list"]);
    assert_eq!(locked.code, Some(4), "{}", all(&locked));
    assert!(all(&locked).contains("shidi key unlock"), "{}", all(&locked));
}

#[test]
fn a_limit_of_the_day_is_told_in_figures_and_asks_nobody() {
    let server = ModelServer::repeating(Answer::Text("Here.".into()));
    let desk = Desk::with_model(&server.url());
    desk.run(["config", "set", "budget_tokens", "100"]);
    let first = desk.run(["ask", "hello?"]);
    assert_eq!(first.code, Some(0), "{}", all(&first));
    let second = desk.run(["ask", "hello again?"]);
    assert_eq!(second.code, Some(1), "{}", all(&second));
    assert!(
        all(&second).contains("120 of 100 tokens") && all(&second).contains("budget_tokens"),
        "{}",
        all(&second)
    );
    assert_eq!(server.requests().len(), 1);
    desk.run(["config", "set", "budget_tokens", "0"]);
    assert_eq!(desk.run(["ask", "and now?"]).code, Some(0));
}

#[test]
fn models_are_listed_and_tried_out_in_every_format() {
    for provider in ["openai", "anthropic", "gemini"] {
        let server = ModelServer::repeating(Answer::Text("ok".into()));
        let desk = desk(provider, "scripted", &server.url());
        let listed = desk.run(["--json", "model", "list"]);
        assert_eq!(
            (&listed.json()[0]["id"], &listed.json()[0]["provider"]),
            (&"scripted".into(), &provider.into()),
            "{}",
            all(&listed)
        );
        let tested = desk.run(["model", "test"]);
        assert_eq!(tested.code, Some(0), "{}", all(&tested));
        assert!(tested.stdout.contains("scripted: ok"), "{}", tested.stdout);
    }
    let nobody = desk("openai", "scripted", "http://127.0.0.1:9/v1").run(["--json", "model", "test"]);
    assert_eq!(
        (nobody.code, &nobody.json()[0]["ok"]),
        (Some(4), &false.into()),
        "{}",
        all(&nobody)
    );
}

#[test]
fn an_own_address_lists_its_models_and_says_when_it_can_not_be_reached() {
    let server = ModelServer::start([Answer::Text("Lisbon.".into())]);
    let desk = Desk::new();
    desk.write_config(&format!("model_url = \"{}\"\n", server.url()));
    let listed = desk.run(["--json", "model", "list"]);
    assert_eq!(listed.json()[0]["id"], "scripted", "{}", all(&listed));
    // What the picker sends with a question, once another answerer was chosen.
    let back = desk.run([
        "ask",
        "--model",
        "scripted",
        "--model-url",
        &server.url(),
        "capital of Portugal?",
    ]);
    assert!(back.stdout.contains("Lisbon."), "{}", all(&back));
    desk.write_config("model_url = \"http://127.0.0.1:9/v1\"\n");
    let nobody = desk.run(["model", "list"]);
    assert!(
        nobody.code != Some(0) && all(&nobody).contains("can't be reached"),
        "{}",
        all(&nobody)
    );
}

#[test]
fn every_provider_of_the_list_can_be_named_and_none_shows_a_key() {
    let desk = desk("openai", "scripted", "http://127.0.0.1:9/v1");
    let listed = desk.run(["--json", "model", "providers"]);
    let providers = listed.json();
    assert_eq!(providers.len(), 15, "{}", listed.stdout);
    assert!(!listed.stdout.contains("sk-test"), "{}", listed.stdout);
    for provider in &providers {
        let id = provider["id"].as_str().unwrap();
        let has_page = provider["key_page"]
            .as_str()
            .is_some_and(|page| page.starts_with("https://"));
        assert_eq!(has_page, provider["needs_key"].as_bool().unwrap(), "{provider}");
        let printed = desk.run(["ask", "--provider", id, "--model-url", "ftp://nowhere", "hello?"]);
        assert_ne!(
            printed.code,
            Some(2),
            "{id} is no value of --provider: {}",
            all(&printed)
        );
    }
}

#[test]
fn a_broken_table_of_prices_is_named_by_its_line() {
    let desk = Desk::new();
    desk.write_config("");
    let path = desk.data().join("prices.toml");
    std::fs::write(&path, "[openai]\n\"m\" = { input = \"free\" }\n").unwrap();
    let printed = desk.run(["ask", "hello?"]);
    assert_eq!(printed.code, Some(2), "{}", all(&printed));
    assert!(all(&printed).contains("prices.toml:2"), "{}", all(&printed));
}

#[test]
fn a_limit_of_money_is_told_in_money_and_asks_nobody() {
    let server = ModelServer::repeating(Answer::Text("Here.".into()));
    let desk = desk("anthropic", "claude-haiku-4-5", &server.url());
    desk.run(["config", "set", "budget_usd", "0.0001"]);
    let first = desk.run(["ask", "hello?"]);
    assert_eq!(first.code, Some(0), "{}", all(&first));
    let second = desk.run(["ask", "hello again?"]);
    assert_eq!(second.code, Some(1), "{}", all(&second));
    assert!(all(&second).contains("budget_usd"), "{}", all(&second));
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_provider_further_away_is_reached_through_the_proxy_of_the_system() {
    let proxy = ModelServer::repeating(Answer::Text("Through it.".into()));
    let mut desk = desk("openai", "scripted", "http://model.example.test/v1");
    let address = proxy.url().trim_end_matches("/v1").to_owned();
    desk.set("HTTP_PROXY", &address);
    desk.set("http_proxy", &address);
    let printed = desk.run(["ask", "--json", "hello?"]);
    assert_eq!(
        printed.event("answer")["text"],
        "Through it.",
        "{}",
        all(&printed)
    );
    assert_eq!(proxy.targets(), ["http://model.example.test/v1/chat/completions"]);
}
