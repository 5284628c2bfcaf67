//! Promises of the gate.

use super::*;
use proptest::prelude::*;

fn window(app: &str, title: &str) -> FrontWindow {
    FrontWindow {
        app: app.to_owned(),
        names: vec![app.to_lowercase()],
        title: title.to_owned(),
        pid: Some(7),
        ..FrontWindow::default()
    }
}

fn gate() -> Gate {
    Gate::new(Rules::default(), [1])
}

const WHOLE: Verdict = Verdict::Whole {
    may_be_private: false,
};

#[test]
fn password_managers_and_banking_are_excluded_from_the_first_day() {
    let gate = gate();
    for (app, title, reason) in [
        ("KeePassXC", "Passwords.kdbx", Reason::App),
        ("Bitwarden", "", Reason::App),
        ("1Password", "All Items", Reason::App),
        ("Gcr-prompter", "Unlock Keyring", Reason::App),
        ("firefox", "Online Banking — Mozilla Firefox", Reason::Title),
        ("Chromium", "招商银行网上银行 - Chromium", Reason::Title),
        ("Chromium", "招商银行网\u{200b}上银行", Reason::Title),
        ("Chromium", "ＯＮＬＩＮＥ ＢＡＮＫＩＮＧ", Reason::Title),
    ] {
        for asked in [LookTrigger::Explicit, LookTrigger::Passive] {
            assert_eq!(
                gate.judge(&window(app, title), None, asked),
                Verdict::Nothing(reason),
                "{app} {title}"
            );
        }
    }
    assert_eq!(
        gate.judge(&window("Mousepad", "notes"), None, LookTrigger::Passive),
        WHOLE
    );
}

#[test]
fn a_browser_that_nothing_vouches_for_gives_its_name_only_until_the_user_asks() {
    let gate = gate();
    for title in [
        "News - Chromium",
        "News — Mozilla Firefox Private Browsing",
        "新闻 — Mozilla Firefox 隐私浏览",
        "",
    ] {
        let app = if title.contains("Firefox") {
            "firefox"
        } else {
            "Chromium"
        };
        assert_eq!(
            gate.judge(&window(app, title), None, LookTrigger::Passive),
            Verdict::NameOnly,
            "{title}"
        );
        let verdict = gate.judge(&window(app, title), None, LookTrigger::Explicit);
        assert_eq!(verdict, Verdict::Whole { may_be_private: true }, "{title}");
    }
    let normal = window("firefox", "News — Mozilla Firefox");
    assert_eq!(gate.judge(&normal, None, LookTrigger::Passive), WHOLE);
}

#[test]
fn sites_are_excluded_with_their_subdomains_and_nothing_that_only_ends_alike() {
    let gate = gate();
    for url in [
        "https://www.icbc.com.cn/login",
        "http://ICBC.com.cn",
        "https://mybank.example/",
        "https://u:p@paypal.com:443/x",
    ] {
        assert!(gate.excludes_site(url), "{url}");
        let page = window("Mousepad", "");
        assert_eq!(
            gate.judge(&page, Some(url), LookTrigger::Explicit),
            Verdict::Nothing(Reason::Site)
        );
    }
    for url in [
        "https://notpaypal.com/",
        "https://example.com/paypal.com",
        "https://example.com/?u=icbc.com.cn",
        "",
    ] {
        assert!(!gate.excludes_site(url), "{url}");
    }
}

#[test]
fn the_order_of_reasons_is_fixed() {
    let excluded = FrontWindow {
        pid: Some(1),
        ..window("keepassxc", "online banking")
    };
    let paused = Gate::new(
        Rules {
            paused: Paused::Yes,
            ..Rules::default()
        },
        [1],
    );
    assert_eq!(
        paused.judge(&excluded, Some("https://paypal.com"), LookTrigger::Explicit),
        Verdict::Nothing(Reason::Paused)
    );
    assert_eq!(
        gate().judge(&excluded, None, LookTrigger::Explicit),
        Verdict::Nothing(Reason::OwnWindow)
    );
}

#[test]
fn lists_are_the_users_own() {
    let gate = Gate::new(Rules::new(Paused::No, "none", "秘密*计划，salary", "none"), []);
    assert_eq!(
        gate.judge(&window("KeePassXC", "x"), None, LookTrigger::Explicit),
        WHOLE
    );
    assert_eq!(
        gate.judge(&window("Calc", "Salary 2026"), None, LookTrigger::Explicit),
        Verdict::Nothing(Reason::Title)
    );
    assert_eq!(
        gate.judge(&window("Calc", "秘密的计划"), None, LookTrigger::Explicit),
        Verdict::Nothing(Reason::Title)
    );
    assert_eq!(
        gate.judge(&window("Calc", "秘密的计划书"), None, LookTrigger::Explicit),
        WHOLE
    );
    assert!(!gate.excludes_site("https://paypal.com"));
}

#[test]
fn titles_and_texts_leave_without_secrets_and_within_bounds() {
    let gate = gate();
    assert_eq!(
        gate.title("password: hunter2\u{7}\n"),
        "password: [redacted:password]"
    );
    assert_eq!(
        gate.title(&"长".repeat(1_000)).chars().count(),
        TITLE_CHARACTERS_MAX
    );
    let text = gate.text(&"word ".repeat(50_000));
    assert!(text.chars().count() <= TEXT_CHARACTERS_MAX && text.ends_with('…'));
}

proptest! {
    #[test]
    fn paused_lets_nothing_through(app in ".{0,20}", title in ".{0,40}", pid in any::<Option<u32>>(), explicit: bool) {
        let gate = Gate::new(Rules { paused: Paused::Yes, ..Rules::default() }, []);
        let asked = if explicit { LookTrigger::Explicit } else { LookTrigger::Passive };
        let window = FrontWindow { pid, ..window(&app, &title) };
        prop_assert_eq!(gate.judge(&window, None, asked), Verdict::Nothing(Reason::Paused));
    }

    #[test]
    fn an_excluded_word_is_found_however_it_is_written_and_wherever_it_stands(
        before in ".{0,20}", after in ".{0,20}", capitals in prop::collection::vec(any::<bool>(), 14), explicit: bool,
    ) {
        let written: String = "online banking".chars().zip(capitals)
            .map(|(character, capital)| if capital { character.to_ascii_uppercase() } else { character })
            .collect();
        let asked = if explicit { LookTrigger::Explicit } else { LookTrigger::Passive };
        // A combining mark after the word would make its last letter another one.
        let title = format!("{before} {written} {after}");
        prop_assert_eq!(gate().judge(&window("Editor", &title), None, asked), Verdict::Nothing(Reason::Title));
    }

    #[test]
    fn our_own_windows_never_pass(app in ".{0,20}", title in ".{0,40}", url in prop::option::of(".{0,40}")) {
        let own = FrontWindow { pid: Some(1), ..window(&app, &title) };
        let verdict = gate().judge(&own, url.as_deref(), LookTrigger::Explicit);
        prop_assert_eq!(verdict, Verdict::Nothing(Reason::OwnWindow));
    }

    #[test]
    fn no_rule_and_no_address_makes_it_fail(list in ".{0,200}", url in ".{0,100}") {
        let gate = Gate::new(Rules::new(Paused::No, &list, &list, &list), []);
        let verdict = gate.judge(&window("App", &url), Some(&url), LookTrigger::Explicit);
        prop_assert!(verdict != Verdict::NameOnly, "a name alone is for passive looks");
        prop_assert!(gate.title(&url).chars().count() <= TITLE_CHARACTERS_MAX);
    }

    #[test]
    fn a_pattern_of_stars_fits_what_it_was_made_from(parts in prop::collection::vec("[a-c]{0,3}", 1..5), fill in "[a-c]{0,3}") {
        let word = parts.join("*");
        prop_assert!(fits(&word, &parts.join(&fill)) || !word.contains('*'));
    }
}

#[test]
fn a_browser_whose_companion_vouches_for_its_page_shows_its_title_and_no_excluded_site() {
    let window = |title: &str| FrontWindow {
        app: "chromium".to_owned(),
        title: title.to_owned(),
        ..FrontWindow::default()
    };
    let knowing = |title: &str, url: &str| {
        gate().vouched(Some(VouchedPage {
            title: title.to_owned(),
            url: url.to_owned(),
        }))
    };
    let news = knowing("News of today", "https://news.example/");
    let passively = |gate: &Gate, title: &str| gate.judge(&window(title), None, LookTrigger::Passive);
    let whole = Verdict::Whole {
        may_be_private: false,
    };
    assert_eq!(passively(&news, "News of today - Chromium"), whole);
    // A page whose title only begins alike is another page: its window may be private.
    for other in [
        "News of today and yesterday - Chromium",
        "News of today - Private diary - Chromium",
        "News of today - Editor",
    ] {
        assert_eq!(passively(&news, other), Verdict::NameOnly, "{other}");
    }
    // A window with another page is not vouched for, and a page without a title vouches for none.
    assert_eq!(passively(&news, "Secret plans - Chromium"), Verdict::NameOnly);
    assert_eq!(
        passively(&knowing(" ", "https://a.example/"), "Anything - Chromium"),
        Verdict::NameOnly
    );
    let excluded = knowing("Accounts", "https://paypal.com/home");
    assert_eq!(
        passively(&excluded, "Accounts - Chromium"),
        Verdict::Nothing(Reason::Site)
    );
}

#[test]
fn what_was_copied_is_told_without_keys_and_a_password_managers_never() {
    let copied = |app: &str, is_secret: bool| Copied {
        text: "deploy with sk-abcdefghijklmnopqrstuvwx".to_owned(),
        owner: window(app, ""),
        is_secret,
        ..Copied::default()
    };
    let told = gate().copied(&copied("Mousepad", false)).unwrap();
    assert!(
        told.starts_with("deploy with") && !told.contains("abcdefghij"),
        "{told}"
    );
    // A browser's clipboard says nothing of its windows.
    assert!(gate().copied(&copied("Chromium", false)).is_ok());
    assert_eq!(gate().copied(&copied("KeePassXC", false)), Err(Reason::App));
    assert_eq!(gate().copied(&copied("Mousepad", true)), Err(Reason::Secret));
    let paused = Gate::new(Rules::new(Paused::Yes, "", "", ""), [1]);
    assert_eq!(paused.copied(&copied("Mousepad", false)), Err(Reason::Paused));
    let own = Gate::new(Rules::default(), [7]);
    assert!(
        own.copied(&copied("shidi-desktop", false)).is_ok(),
        "what was copied here is no secret"
    );
}
