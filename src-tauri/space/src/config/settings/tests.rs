//! Promises of the settings: each is known, and is read as what it may hold.

use super::*;
use crate::config::known::{self, Kind, SettingSpec};

/// Every key that is read, by section.
fn read() -> Vec<&'static str> {
    let sections = [
        desktop::ALL,
        main::ALL,
        local_model::ALL,
        role::ALL,
        reach::ALL,
        task::ALL,
        upkeep::ALL,
        search::ALL,
        otlp::ALL,
        privacy::ALL,
        experience::ALL,
        mcp::ALL,
        memory::ALL,
        knowledge::ALL,
        temperature::ALL,
        top_p::ALL,
        seed::ALL,
        presence_penalty::ALL,
        frequency_penalty::ALL,
    ];
    sections.concat()
}

fn built_in() -> Settings {
    Settings::read(|key| SettingSpec::named(key).map_or("", |known| known.default))
}

#[test]
fn what_is_known_is_read_and_nothing_else() {
    let mut read = read();
    let mut known: Vec<&str> = known::all().map(|known| known.key).collect();
    read.sort_unstable();
    known.sort_unstable();
    assert_eq!(read, known);
}

#[test]
fn a_choice_is_read_as_each_value_that_it_may_hold() {
    let values = |key: &str| match SettingSpec::named(key).map(|known| known.kind) {
        Some(Kind::Choice(values)) => values.to_vec(),
        _ => Vec::new(),
    };
    let mut told = [
        (
            desktop::first_run,
            FirstRun::ALL.iter().map(|value| value.name()).collect::<Vec<_>>(),
        ),
        (
            desktop::ball,
            Ball::ALL.iter().map(|value| value.name()).collect(),
        ),
        (
            desktop::theme,
            Theme::ALL.iter().map(|value| value.name()).collect(),
        ),
        (
            search::provider,
            SearchProvider::ALL.iter().map(|value| value.name()).collect(),
        ),
        (
            reach::format,
            ActionFormat::ALL.iter().map(|value| value.name()).collect(),
        ),
        (
            privacy::sensing,
            Sensing::ALL.iter().map(|value| value.name()).collect(),
        ),
        (
            memory::learn,
            Learn::ALL.iter().map(|value| value.name()).collect(),
        ),
    ];
    for (key, names) in &mut told {
        let mut values = values(key);
        values.sort_unstable();
        names.sort_unstable();
        assert_eq!(*names, values, "{key}");
    }
}

#[test]
fn where_nothing_is_set_the_built_in_values_hold() {
    let settings = built_in();
    assert_eq!(settings.task.max_rounds, 12);
    assert_eq!(settings.task.context_window, 0);
    assert_eq!(settings.task.mode, Mode::Risky);
    assert_eq!(settings.reach.proxy, Proxy::System);
    assert_eq!(settings.upkeep.budget_usd, Amount(None));
    assert_eq!(settings.memory.learn, Learn::Model);
    assert!(
        settings.memory.recall
            && settings.knowledge.recall
            && settings.experience.used
            && settings.privacy.window
            && !settings.privacy.ocr
    );
    assert_eq!(settings.privacy.sensing, Sensing::On);
    assert_eq!(settings.temperature.fast, Freedom(None));
    assert_eq!(
        settings.top_p.fast,
        Share(None),
        "nothing is sent unless it is set"
    );
    assert_eq!(settings.seed.coder, Seed(None));
}

#[test]
fn quiet_hours_may_go_over_midnight() {
    let night = Hours::named("22:00-7:30").unwrap_or_default();
    assert_eq!(night, Hours(Some((1_320, 450))));
    assert!(night.cover(1_320) && night.cover(0) && night.cover(449));
    assert!(!night.cover(450) && !night.cover(1_319));
    let noon = Hours::named("12 - 13:15").unwrap_or_default();
    assert!(noon.cover(720) && !noon.cover(795) && !noon.cover(0));
    let day = Hours::named("0:00-24:00").unwrap_or_default();
    assert!(
        (0..1_440).all(|minute| day.cover(minute)),
        "a whole day has an end, too"
    );
    for wrong in [
        "",
        "22:00",
        "24:00-7:00",
        "22:00-24:01",
        "22:60-7:00",
        "8-8",
        "a-b",
    ] {
        assert_eq!(Hours::named(wrong), None, "{wrong}");
    }
    assert!(!Hours::default().cover(0));
}

#[test]
fn a_value_is_read_as_its_type() {
    let texts = [
        (task::folders, "/a:/b c"),
        (task::task_usd, "1.5"),
        (task::check_answers, "on"),
        (role::fast, "ollama:qwen3"),
        (reach::proxy, "none"),
        (temperature::coder, "0.2"),
        (top_p::fast, "0.9"),
        (seed::general, "4294967295"),
        (frequency_penalty::coder, "-0.5"),
        (experience::used, "off"),
    ];
    let of = |key: &str| {
        texts
            .iter()
            .find(|(set, _)| *set == key)
            .map_or("", |(_, text)| *text)
    };
    let settings = Settings::read(of);
    assert_eq!(
        settings.task.folders.0,
        ["/a", "/b c"].map(std::path::PathBuf::from)
    );
    assert_eq!(settings.task.task_usd, Amount(Some(1.5)));
    assert!(settings.task.check_answers && !settings.experience.used);
    assert_eq!(settings.role.fast, "ollama:qwen3");
    assert_eq!(settings.reach.proxy, Proxy::Direct);
    assert_eq!(
        settings.temperature.coder,
        Freedom(shidi_models::Temperature::named("0.2"))
    );
    assert_eq!(settings.top_p.fast, Share(Some(0.9)));
    assert_eq!(settings.seed.general, Seed(Some(u32::MAX)));
    assert_eq!(settings.frequency_penalty.coder, Share(Some(-0.5)));
    assert_eq!(settings.presence_penalty.coder, Share(None));
    assert_eq!(experience::used, "experience.use");
}
