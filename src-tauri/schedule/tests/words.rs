//! What people say about times, and the dates that it means.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops where it fails")]

use jiff::Zoned;
use proptest::prelude::*;
use shidi_protocol::{Moment, ScheduleTime, ScheduleWords};
use shidi_schedule::{WordsFault, check, first, read};

/// A Wednesday morning.
fn now() -> Zoned {
    "2026-11-25T10:15:00+08:00[Asia/Shanghai]".parse().unwrap()
}

fn time(text: &str) -> Result<ScheduleTime, WordsFault> {
    read(
        &ScheduleWords::Plain {
            text: text.to_owned(),
        },
        &now(),
    )
}

fn wall(moment: Moment) -> String {
    let at = moment.timestamp().to_zoned(now().time_zone().clone());
    at.strftime("%a %Y-%m-%d %H:%M").to_string()
}

/// The first date that words mean.
fn date(text: &str) -> String {
    let time = time(text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
    wall(first(&time, &now(), 1)[0])
}

fn cron(text: &str) -> String {
    match time(text) {
        Ok(ScheduleTime::Cron {
            expression,
            zone: None,
        }) => expression,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn a_time_that_comes_once_is_understood_in_both_languages() {
    for (words, expected) in [
        ("in 20 minutes", "Wed 2026-11-25 10:35"),
        ("In half an hour.", "Wed 2026-11-25 10:45"),
        ("in an hour", "Wed 2026-11-25 11:15"),
        ("in two days", "Fri 2026-11-27 10:15"),
        ("in two days at 9", "Fri 2026-11-27 09:00"),
        ("in two weeks on monday at 9", "Mon 2026-12-07 09:00"),
        ("in a week friday at 9", "Fri 2026-12-04 09:00"),
        ("at 9 in two days", "Fri 2026-11-27 09:00"),
        ("three days from now at noon", "Sat 2026-11-28 12:00"),
        ("in a week at half past nine", "Wed 2026-12-02 09:30"),
        ("2 days later at 9", "Fri 2026-11-27 09:00"),
        ("at 11", "Wed 2026-11-25 11:00"),
        ("at 8", "Thu 2026-11-26 08:00"),
        ("8:30 pm", "Wed 2026-11-25 20:30"),
        ("tomorrow at eight", "Thu 2026-11-26 08:00"),
        ("at 8 tomorrow", "Thu 2026-11-26 08:00"),
        ("tomorrow morning at 8:05", "Thu 2026-11-26 08:05"),
        ("tonight at 9", "Wed 2026-11-25 21:00"),
        ("today at 6 p.m.", "Wed 2026-11-25 18:00"),
        ("today at midnight", "Thu 2026-11-26 00:00"),
        ("friday at noon", "Fri 2026-11-27 12:00"),
        ("next monday at half past nine", "Mon 2026-11-30 09:30"),
        ("2026-12-01 9:00", "Tue 2026-12-01 09:00"),
        ("on december 1st at quarter to ten", "Tue 2026-12-01 09:45"),
        ("the 3rd of january at 7 in the evening", "Sun 2027-01-03 19:00"),
        ("wednesday at 9", "Wed 2026-12-02 09:00"),
        ("this wednesday at noon", "Wed 2026-11-25 12:00"),
        ("tonight at 1", "Thu 2026-11-26 01:00"),
        ("周三9点", "Wed 2026-12-02 09:00"),
        ("今天晚上1点", "Thu 2026-11-26 01:00"),
        ("at 9 tonight", "Wed 2026-11-25 21:00"),
        ("quarter to 1 pm", "Wed 2026-11-25 12:45"),
        ("today at quarter to midnight", "Wed 2026-11-25 23:45"),
        ("the day after tomorrow at 8", "Fri 2026-11-27 08:00"),
        ("2026-12-1 12点", "Tue 2026-12-01 12:00"),
        ("12月1 10点", "Tue 2026-12-01 10:00"),
        ("傍晚四点半", "Wed 2026-11-25 16:30"),
        ("半夜十一点", "Wed 2026-11-25 23:00"),
        ("明天上午12点", "Thu 2026-11-26 12:00"),
        ("20 分钟后", "Wed 2026-11-25 10:35"),
        ("半小时后", "Wed 2026-11-25 10:45"),
        ("两个半小时后", "Wed 2026-11-25 12:45"),
        ("三天以后", "Sat 2026-11-28 10:15"),
        ("两天后早上9点", "Fri 2026-11-27 09:00"),
        ("两周后的周一早上9点", "Mon 2026-12-07 09:00"),
        ("一个星期后的星期五9点", "Fri 2026-12-04 09:00"),
        ("三天以后的下午两点", "Sat 2026-11-28 14:00"),
        ("一周后上午十点", "Wed 2026-12-02 10:00"),
        ("两个星期之后晚上8点", "Wed 2026-12-09 20:00"),
        ("两日后早上9点", "Fri 2026-11-27 09:00"),
        ("十一点", "Wed 2026-11-25 11:00"),
        ("早上八点", "Thu 2026-11-26 08:00"),
        ("明天早上八点", "Thu 2026-11-26 08:00"),
        ("明早8点半", "Thu 2026-11-26 08:30"),
        ("今晚九点一刻", "Wed 2026-11-25 21:15"),
        ("今晚12点", "Thu 2026-11-26 00:00"),
        ("后天下午3点05分", "Fri 2026-11-27 15:05"),
        ("下周一上午九点", "Mon 2026-11-30 09:00"),
        ("周五中午", "Fri 2026-11-27 12:00"),
        ("12月1日 9:00", "Tue 2026-12-01 09:00"),
        ("3号下午两点", "Thu 2026-12-03 14:00"),
    ] {
        assert_eq!(date(words), expected, "{words}");
    }
}

#[test]
fn a_time_that_comes_again_is_understood_in_both_languages() {
    for (words, expected) in [
        ("every day at 8", "0 8 * * *"),
        ("daily at 18:30", "30 18 * * *"),
        ("every evening at 7", "0 19 * * *"),
        ("every workday at eight", "0 8 * * 1,2,3,4,5"),
        ("weekdays at 8:30 am", "30 8 * * 1,2,3,4,5"),
        ("at 9 on weekends", "0 9 * * 0,6"),
        ("every monday at 9", "0 9 * * 1"),
        ("every mon, wed and fri at 9:30", "30 9 * * 1,3,5"),
        ("every monday to friday at 8", "0 8 * * 1,2,3,4,5"),
        ("every month on the 1st at 9:00", "0 9 1 * *"),
        ("monthly on the 15th at noon", "0 12 15 * *"),
        ("at 7 every evening", "0 19 * * *"),
        ("at 10 every night", "0 22 * * *"),
        ("every day 9 am", "0 9 * * *"),
        ("mondays at 9", "0 9 * * 1"),
        ("on mondays and thursdays at 9", "0 9 * * 1,4"),
        ("every 1st at 9", "0 9 1 * *"),
        ("每周一三五十点", "0 10 * * 1,3,5"),
        ("每周一到五 十二点", "0 12 * * 1,2,3,4,5"),
        ("每周一、三、五十点", "0 10 * * 1,3,5"),
        ("每周一、二 三点", "0 3 * * 1,2"),
        ("每周一二十点", "0 20 * * 1"),
        ("每天早上八点", "0 8 * * *"),
        ("每晚十点", "0 22 * * *"),
        ("每个工作日八点", "0 8 * * 1,2,3,4,5"),
        ("工作日早上8:30", "30 8 * * 1,2,3,4,5"),
        ("每周一三五9点", "0 9 * * 1,3,5"),
        ("每周一、周四下午两点", "0 14 * * 1,4"),
        ("每周一到周五九点半", "30 9 * * 1,2,3,4,5"),
        ("每个星期天晚上8点", "0 20 * * 0"),
        ("每周末10点", "0 10 * * 0,6"),
        ("每周一十点", "0 10 * * 1"),
        ("每周二、周四的下午三点半", "30 15 * * 2,4"),
        ("每月1号9点", "0 9 1 * *"),
        ("每个月十五日上午十点", "0 10 15 * *"),
    ] {
        assert_eq!(cron(words), expected, "{words}");
    }
    for (words, seconds) in [
        ("every 20 minutes", 1200),
        ("every hour", 3600),
        ("every half hour", 1800),
        ("every two hours", 7200),
        ("hourly", 3600),
        ("每20分钟", 1200),
        ("每隔半小时", 1800),
        ("每小时", 3600),
        ("每两个小时", 7200),
    ] {
        match time(words) {
            Ok(ScheduleTime::Every { seconds: told, .. }) => assert_eq!(told, seconds, "{words}"),
            other => panic!("{words}: {other:?}"),
        }
    }
}

#[test]
fn what_is_no_time_is_refused_with_its_reason() {
    for (words, expected) in [
        ("", WordsFault::NotUnderstood),
        ("soon", WordsFault::NotUnderstood),
        ("马上", WordsFault::NotUnderstood),
        ("每周一二两点", WordsFault::NotUnderstood),
        ("every 2 days at 8", WordsFault::NotUnderstood),
        ("tomorrow", WordsFault::NoClock),
        ("每天", WordsFault::NoClock),
        ("明天早上", WordsFault::NoClock),
        ("today at 8", WordsFault::Past),
        ("今天8点", WordsFault::Past),
        ("2025-01-01 8:00", WordsFault::Past),
        ("at 25:00", WordsFault::NoSuchTime),
        ("tomorrow at 8:61", WordsFault::NoSuchTime),
        ("2月30日8点", WordsFault::NoSuchTime),
        ("2026-02-30 9:00", WordsFault::NoSuchTime),
        ("2026-02-30上午9点", WordsFault::NoSuchTime),
        ("2026-02-30", WordsFault::NoSuchTime),
        ("2月30日", WordsFault::NoSuchTime),
        ("february 30", WordsFault::NoSuchTime),
        ("in 900 days at 9", WordsFault::Interval),
        ("in 1000 weeks at 9", WordsFault::Interval),
        ("every 5 seconds", WordsFault::NotUnderstood),
        ("in 900 days", WordsFault::Interval),
        ("every month on the 32nd at 8", WordsFault::NoSuchTime),
    ] {
        assert_eq!(time(words), Err(expected), "{words}");
    }
}

#[test]
fn a_crontab_is_five_fields_that_come_some_day() {
    let read = |text: &str| {
        read(
            &ScheduleWords::Cron {
                text: text.to_owned(),
            },
            &now(),
        )
    };
    assert!(read("30 8 * * 1-5").is_ok());
    assert!(read(" */15  9-17 * * mon-fri ").is_ok());
    assert_eq!(read("30 8 * *"), Err(WordsFault::CronFields(4)));
    assert_eq!(read("0 30 8 * * 1-5"), Err(WordsFault::CronFields(6)));
    match read("61 8 * * *") {
        Err(WordsFault::Cron(why)) => assert!(why.contains("0..=59") && !why.contains("UTC"), "{why}"),
        other => panic!("{other:?}"),
    }
    assert!(matches!(read("a b c d e"), Err(WordsFault::Cron(_))));
    assert!(matches!(
        read("0 0 31 2 *"),
        Err(WordsFault::Never | WordsFault::Cron(_))
    ));
}

proptest! {
    #[test]
    fn any_words_are_a_time_to_come_or_a_reason(text in "\\PC{0,40}") {
        if let Ok(found) = time(&text) {
            let next = first(&found, &now(), 3);
            prop_assert!(next.first().is_some_and(|next| *next > Moment::from(now().timestamp())));
            prop_assert!(next.windows(2).all(|pair| pair[0] < pair[1]));
        }
    }

    #[test]
    fn words_of_times_in_any_order_panic_nowhere(
        words in prop::collection::vec(prop::sample::select(vec![
            "every", "in", "at", "on", "the", "monday", "month", "day", "31st", "8", "8:30", "pm", "noon", "half past",
            "2026-02-30", "to", "and", "weekday", "每", "周", "一", "三十一", "号", "点", "半", "下午", "晚上", "12", "24",
            "月", "后", "小时", "明天", "到", "末",
        ]), 0..8),
        spaced in any::<bool>(),
    ) {
        let text = words.join(if spaced { " " } else { "" });
        if let Ok(found) = time(&text) {
            prop_assert!(!first(&found, &now(), 1).is_empty());
        }
    }
}

#[test]
fn an_event_is_understood_in_both_languages() {
    let change = |path: &str| {
        Ok(ScheduleTime::Change {
            path: path.to_owned(),
            seen: None,
        })
    };
    for (words, path) in [
        ("when /home/me/A.csv changes", "/home/me/A.csv"),
        (
            "whenever the file \"~/Reports/a b.csv\" is updated",
            "~/Reports/a b.csv",
        ),
        ("when the folder /srv/in changes.", "/srv/in"),
        (r"each time C:\data\x.txt is saved", r"C:\data\x.txt"),
        ("当 /home/me/A.csv 变化时", "/home/me/A.csv"),
        ("每当文件夹“/srv/收件”有变化", "/srv/收件"),
        ("~/a.csv 更新后", "~/a.csv"),
    ] {
        assert_eq!(time(words), change(path), "{words}");
    }
    let job = |name: &str| {
        Ok(ScheduleTime::Job {
            name: name.to_owned(),
        })
    };
    for (words, name) in [
        ("when the build job ends", "build"),
        ("when a background job finishes", ""),
        ("whenever any job is done", ""),
        ("when the Cargo test task has finished", "Cargo test"),
        ("构建任务结束时", "构建"),
        ("当后台任务完成后", ""),
    ] {
        assert_eq!(time(words), job(name), "{words}");
    }
    for words in [
        "when report.csv changes",
        "report.csv 变化时",
        "when it changes",
        "when ~bob/a changes",
    ] {
        assert_eq!(time(words), Err(WordsFault::NoPath), "{words}");
    }
    for words in [
        "每周五17点作业完成",
        "明天早上八点更新",
        "每天8点任务完成后",
        "update the list",
    ] {
        assert_eq!(time(words), Err(WordsFault::NotUnderstood), "{words}");
    }
    let long = format!("when /{} changes", "a".repeat(6_000));
    assert_eq!(time(&long), Err(WordsFault::NotUnderstood));
}

#[test]
fn a_time_from_elsewhere_is_checked_as_one_in_words_is() {
    let seconds = |seconds| ScheduleTime::Every {
        seconds,
        from: Moment(0),
    };
    let cron = |expression: &str| ScheduleTime::Cron {
        expression: expression.to_owned(),
        zone: None,
    };
    let path = |path: &str| ScheduleTime::Change {
        path: path.to_owned(),
        seen: Some("known".to_owned()),
    };
    let of = |time| check(time, &now());
    let once = ScheduleTime::Once {
        at: Moment(0),
        zone: None,
    };
    assert_eq!(of(once), Err(WordsFault::Past));
    assert_eq!(of(seconds(1)), Err(WordsFault::Interval));
    assert!(of(seconds(60)).is_ok());
    assert_eq!(of(cron("* * *")), Err(WordsFault::CronFields(3)));
    assert_eq!(of(path("a")), Err(WordsFault::NoPath));
    assert!(of(path("/a")).is_ok());
}

#[test]
fn the_hours_after_midnight_are_of_the_same_night() {
    let night: Zoned = "2026-11-25T00:30:00+08:00[Asia/Shanghai]".parse().unwrap();
    for words in ["tonight at 1", "at 1 tonight", "今晚一点"] {
        let words = ScheduleWords::Plain {
            text: words.to_owned(),
        };
        let time = read(&words, &night).unwrap();
        assert_eq!(
            wall(first(&time, &night, 1)[0]),
            "Wed 2026-11-25 01:00",
            "{words:?}"
        );
    }
}

#[test]
fn a_moment_as_programs_write_it_is_understood() {
    for (words, expected) in [
        ("2026-11-30T08:00:00Z", "Mon 2026-11-30 16:00"),
        ("2026-11-30T08:00:00+08:00", "Mon 2026-11-30 08:00"),
        ("2026-11-30T08:00", "Mon 2026-11-30 08:00"),
    ] {
        assert_eq!(date(words), expected, "{words}");
    }
    assert_eq!(time("2026-11-20T08:00:00Z"), Err(WordsFault::Past));
    assert_eq!(time("2026-13-30T08:00:00Z"), Err(WordsFault::NotUnderstood));
}
