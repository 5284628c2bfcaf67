//! What the host's facts look like to a program.

use super::*;

fn text(unix_ms: i64, utc_offset_minutes: i32) -> String {
    let moment = now(
        Clock {
            unix_ms,
            utc_offset_minutes,
        },
        None,
    );
    format!(
        "{:04}-{:02}-{:02} {:02}:{:02}:{:02}.{:06}",
        moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second, moment.microsecond
    )
}

#[test]
fn milliseconds_become_civil_time_over_leap_days_and_before_the_epoch() {
    assert_eq!(text(0, 0), "1970-01-01 00:00:00.000000");
    assert_eq!(text(-1, 0), "1969-12-31 23:59:59.999000");
    assert_eq!(text(951_782_400_000, 0), "2000-02-29 00:00:00.000000");
    assert_eq!(text(4_107_542_399_999, 0), "2100-02-28 23:59:59.999000");
    assert_eq!(text(1_700_000_000_123, 480), "2023-11-15 06:13:20.123000");
    assert_eq!(text(1_700_000_000_123, -210), "2023-11-14 18:43:20.123000");
}

#[test]
fn a_seed_is_stretched_the_same_way_every_time() {
    assert_eq!(stretch(vec![1, 2, 3], 2), vec![1, 2]);
    let long = stretch(vec![1, 2, 3], 100);
    assert_eq!(long.len(), 100);
    assert_eq!(long, stretch(vec![1, 2, 3], 100));
    assert_ne!(long[..32], long[32..64]);
}

#[test]
fn an_answer_of_another_form_is_the_programs_runtime_error() {
    let packed = one("x", Item::Text("soon")).1;
    let refused = clock(Given::Value(packed.clone())).map_err(|error| error.exc_type());
    assert_eq!(refused, Err(ExcType::RuntimeError));
    assert_eq!(
        entropy(Given::Value(packed)).map_err(|error| error.exc_type()),
        Err(ExcType::RuntimeError)
    );
}
