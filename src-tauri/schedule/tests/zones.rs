//! Zones that words name or that are given beside them: whose clock a time is by, and names that no zone has.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops where it fails")]

use jiff::Zoned;
use jiff::tz::TimeZone;
use proptest::prelude::*;
use shidi_protocol::{MissedPolicy, Moment, ScheduleTime, ScheduleWords};
use shidi_schedule::{Look, Seen, WordsFault, check, first, look, next, read, read_in, zone_named};

/// A Wednesday morning in Shanghai, and the evening before in New York.
fn now() -> Zoned {
    "2026-11-25T10:15:00+08:00[Asia/Shanghai]".parse().unwrap()
}

fn words(text: &str) -> ScheduleWords {
    ScheduleWords::Plain {
        text: text.to_owned(),
    }
}

fn cron_in(expression: &str, zone: Option<&str>) -> ScheduleTime {
    ScheduleTime::Cron {
        expression: expression.to_owned(),
        zone: zone.map(str::to_owned),
    }
}

/// The first dates by the clock of a zone.
fn dates(time: &ScheduleTime, zone: &str, now: &Zoned, count: usize) -> Vec<String> {
    let zone = TimeZone::get(zone).unwrap();
    let told = |moment: Moment| moment.timestamp().to_zoned(zone.clone());
    first(time, now, count)
        .into_iter()
        .map(|moment| told(moment).strftime("%Y-%m-%d %H:%M %:z").to_string())
        .collect()
}

#[test]
fn words_name_a_zone_before_or_after_the_time_in_both_languages() {
    for (text, expression, zone) in [
        (
            "every workday at eight, New York time",
            "0 8 * * 1,2,3,4,5",
            "America/New_York",
        ),
        (
            "every workday at eight New York time",
            "0 8 * * 1,2,3,4,5",
            "America/New_York",
        ),
        (
            "New York time, every workday at eight",
            "0 8 * * 1,2,3,4,5",
            "America/New_York",
        ),
        ("every day at 9:30 (Tokyo time)", "30 9 * * *", "Asia/Tokyo"),
        ("every day at 9 London local time.", "0 9 * * *", "Europe/London"),
        ("at 8 Berlin time every day", "0 8 * * *", "Europe/Berlin"),
        (
            "every day at 8 in Salt Lake City time",
            "0 8 * * *",
            "America/Denver",
        ),
        ("every day at 8 Beijing time", "0 8 * * *", "Asia/Shanghai"),
        (
            "every friday at 17:00 pacific time",
            "0 17 * * 5",
            "America/Los_Angeles",
        ),
        ("every day at 8 America/New_York", "0 8 * * *", "America/New_York"),
        (
            "every day at 8 (america/argentina/buenos_aires)",
            "0 8 * * *",
            "America/Argentina/Buenos_Aires",
        ),
        (
            "every day at 8 in Europe/Berlin time",
            "0 8 * * *",
            "Europe/Berlin",
        ),
        ("every day at 8:00 UTC", "0 8 * * *", "UTC"),
        ("纽约时间每个工作日八点", "0 8 * * 1,2,3,4,5", "America/New_York"),
        (
            "每个工作日八点，纽约时间",
            "0 8 * * 1,2,3,4,5",
            "America/New_York",
        ),
        (
            "每个工作日纽约时间早上八点",
            "0 8 * * 1,2,3,4,5",
            "America/New_York",
        ),
        (
            "每个工作日按纽约时间八点",
            "0 8 * * 1,2,3,4,5",
            "America/New_York",
        ),
        ("按照伦敦当地时间，每天 9:30", "30 9 * * *", "Europe/London"),
        ("每周一北京时间二十点", "0 20 * * 1", "Asia/Shanghai"),
        ("每天八点（Europe/Berlin）", "0 8 * * *", "Europe/Berlin"),
        ("每天8点 Europe/Berlin 时间", "0 8 * * *", "Europe/Berlin"),
        ("每天8点UTC时间", "0 8 * * *", "UTC"),
    ] {
        let expected = Ok(cron_in(expression, Some(zone)));
        assert_eq!(read(&words(text), &now()), expected, "{text}");
    }
}

#[test]
fn a_day_that_is_named_from_today_is_one_of_that_zone() {
    let comes = |text: &str| {
        let time = read(&words(text), &now()).unwrap();
        assert_eq!(time.zone(), Some("America/New_York"), "{text}");
        dates(&time, "America/New_York", &now(), 1).remove(0)
    };
    assert_eq!(comes("tomorrow at 8, New York time"), "2026-11-25 08:00 -05:00");
    assert_eq!(comes("纽约时间今晚十点"), "2026-11-24 22:00 -05:00");
    let past = read(&words("today at 8, New York time"), &now());
    assert_eq!(past, Err(WordsFault::Past));
    let bare = read(&words("every workday, New York time"), &now());
    assert_eq!(bare, Err(WordsFault::NoClock));
}

#[test]
fn a_zone_that_is_given_holds_for_words_and_crontabs_and_no_other_is_named_beside_it() {
    let given = |words: &ScheduleWords| read_in(Some("america/new_york"), words, &now());
    let crontab = ScheduleWords::Cron {
        text: "0 8 * * *".to_owned(),
    };
    let expected = Ok(cron_in("0 8 * * *", Some("America/New_York")));
    assert_eq!(given(&crontab), expected);
    assert_eq!(given(&words("every day at 8")), expected);
    assert_eq!(given(&words("every day at 8, New York time")), expected);
    assert_eq!(
        given(&words("every day at 8, Tokyo time")),
        Err(WordsFault::TwoZones {
            said: "Asia/Tokyo".to_owned(),
            given: "America/New_York".to_owned(),
        })
    );
    let hourly = given(&words("every 2 hours")).unwrap();
    assert_eq!(hourly.zone(), None, "an interval has a rhythm and no clock");
}

#[test]
fn a_stamp_with_a_zone_in_brackets_is_by_the_clock_there() {
    let stamped = |zone: &str| read(&words(&format!("2026-11-30T08:00:00[{zone}]")), &now());
    let time = stamped("America/New_York").unwrap();
    assert_eq!(
        dates(&time, "America/New_York", &now(), 1),
        ["2026-11-30 08:00 -05:00"]
    );
    assert!(stamped("Nowhere/Atall").is_err());
}

fn alike(fault: WordsFault) -> (String, Vec<String>) {
    match fault {
        WordsFault::NoSuchZone { name, alike } => (name, alike),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_name_that_no_zone_has_is_told_with_those_that_are_like_it() {
    for (name, meant) in [
        ("America/NewYork", "America/New_York"),
        ("Amercia/New_York", "America/New_York"),
        ("new yrok", "America/New_York"),
        ("Europe/Berln", "Europe/Berlin"),
        ("beijng", "Asia/Shanghai"),
    ] {
        let (told, alike) = alike(zone_named(name).unwrap_err());
        assert_eq!(told, name);
        assert!(
            alike.len() <= 3 && alike.contains(&meant.to_owned()),
            "{name}: {alike:?}"
        );
    }
    for text in [
        "every day at 8, Atlantis time",
        "Atlantis time, every day at 8",
        "every day at 8 (Atlantis time)",
    ] {
        let fault = read(&words(text), &now()).unwrap_err();
        assert_eq!(alike(fault).0, "atlantis", "{text}");
    }
    for text in ["每天亚特兰蒂斯时间八点", "亚特兰蒂斯时间每天八点"] {
        let fault = read(&words(text), &now()).unwrap_err();
        assert_eq!(alike(fault).0, "亚特兰蒂斯", "{text}");
    }
    let given = read_in(Some("Mars"), &words("every 2 hours"), &now());
    assert_eq!(
        alike(given.unwrap_err()).0,
        "Mars",
        "also where no clock is needed"
    );
    let shown = check(cron_in("0 8 * * *", Some("Mars")), &now());
    assert_eq!(alike(shown.unwrap_err()).0, "Mars");
    let long = "x".repeat(10_000);
    for name in ["", " ", "../../etc/passwd", "Etc/Unknown", long.as_str()] {
        assert!(zone_named(name).is_err(), "{name}");
    }
}

#[test]
fn a_name_that_is_not_like_it_is_not_told_and_a_country_is_told_with_its_zones() {
    let of = |name: &str| alike(zone_named(name).unwrap_err()).1;
    assert_eq!(
        of("美国"),
        ["America/New_York", "America/Chicago", "America/Los_Angeles"]
    );
    assert_eq!(of("us")[0], "America/New_York");
    for name in ["泰国", "缅甸", "伦顿", "mars", "qqqq"] {
        assert!(of(name).is_empty(), "{name}: {:?}", of(name));
    }
    assert_eq!(of("洛杉机"), ["America/Los_Angeles"]);
}

#[test]
fn words_that_name_two_zones_are_told_so() {
    let expected = Err(WordsFault::TwoZonesNamed {
        first: "Europe/London".to_owned(),
        second: "America/New_York".to_owned(),
    });
    for text in [
        "every day at 8 London time, New York time",
        "every workday, London time, New York time",
        "London time, every day at 8, New York time",
        "每天伦敦时间纽约时间八点",
        "伦敦时间每天八点，纽约时间",
    ] {
        assert_eq!(read(&words(text), &now()), expected, "{text}");
    }
}

#[test]
fn an_interval_takes_no_zone_from_its_words() {
    for text in [
        "every hour, Tokyo time",
        "Tokyo time, every 2 hours",
        "东京时间每2小时",
    ] {
        let refused = Err(WordsFault::IntervalWithZone);
        assert_eq!(read(&words(text), &now()), refused, "{text}");
    }
}

#[test]
fn words_with_a_time_that_is_no_zone_are_not_understood() {
    for text in [
        "some other time",
        "when there is time",
        "有时间的时候",
        "at lunch time",
    ] {
        assert_eq!(
            read(&words(text), &now()),
            Err(WordsFault::NotUnderstood),
            "{text}"
        );
    }
}

#[test]
fn summer_time_is_that_of_its_own_zone() {
    let time = cron_in("30 2 * * *", Some("America/New_York"));
    let shanghai: Zoned = "2027-03-13T20:00+08:00[Asia/Shanghai]".parse().unwrap();
    assert_eq!(
        dates(&time, "America/New_York", &shanghai, 3),
        [
            "2027-03-14 03:30 -04:00",
            "2027-03-15 02:30 -04:00",
            "2027-03-16 02:30 -04:00"
        ],
        "half past two is left out in spring"
    );
    let time = cron_in("30 1 * * *", Some("America/New_York"));
    let berlin: Zoned = "2027-11-07T00:00+01:00[Europe/Berlin]".parse().unwrap();
    assert_eq!(
        dates(&time, "America/New_York", &berlin, 3),
        [
            "2027-11-07 01:30 -04:00",
            "2027-11-08 01:30 -05:00",
            "2027-11-09 01:30 -05:00"
        ],
        "half past one comes once in autumn"
    );
}

#[test]
fn a_time_of_its_own_zone_stays_where_it_is_when_its_user_travels() {
    let (own, local) = (
        cron_in("0 8 * * *", Some("America/New_York")),
        cron_in("0 8 * * *", None),
    );
    let tokyo = now().with_time_zone(TimeZone::get("Asia/Tokyo").unwrap());
    let looked = |time: &ScheduleTime| {
        let due = next(time, &now()).unwrap();
        let seen = Seen {
            time,
            policy: MissedPolicy::Once,
            due,
            newest: None,
            busy: None,
        };
        look(&seen, &tokyo)
    };
    assert_eq!(looked(&own), Look::Waits);
    assert!(matches!(looked(&local), Look::Moves(Some(_))));
}

#[test]
fn a_time_that_was_kept_before_zones_is_read_as_one_of_the_computer() {
    let kept = r#"{"kind":"cron","expression":"0 8 * * *"}"#;
    let time: ScheduleTime = serde_json::from_str(kept).unwrap();
    assert_eq!(time, cron_in("0 8 * * *", None));
    assert_eq!(serde_json::to_string(&time).unwrap(), kept);
}

proptest! {
    #[test]
    fn any_words_around_a_zone_are_a_time_to_come_or_a_reason(
        words in prop::collection::vec(prop::sample::select(vec![
            "every day", "at 8", "时间", "纽约", "每天", "八点", "time", "new york", "america/new_york", "(", ")", ",", "的", "按",
            "tomorrow", "in", "utc", "/", "local",
        ]), 0..8),
        spaced in any::<bool>(),
    ) {
        let text = words.join(if spaced { " " } else { "" });
        if let Ok(found) = read(&ScheduleWords::Plain { text }, &now()) {
            let soonest = next(&found, &now());
            prop_assert!(soonest.is_none_or(|soonest| soonest > Moment::from(now().timestamp())));
        }
    }
}
