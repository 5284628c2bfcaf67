//! Kinds and words of failures, from real providers' answers.

//! Which failure each answer of a provider is.

use super::*;

#[test]
fn the_same_trouble_gets_the_same_kind_whoever_reports_it() {
    let reports = include_str!("../../tests/wire/errors.txt");
    let mut count = 0;
    for line in reports
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
    {
        let mut parts = line.splitn(3, ' ');
        let (kind, status) = (parts.next().expect("a kind"), parts.next().expect("a status"));
        let body = parts.next().unwrap_or_default().trim();
        let found = from_status("p", status.parse().expect("a number"), body);
        assert_eq!(format!("{:?}", found.kind), kind, "{line}");
        count += 1;
    }
    assert!(count >= 24, "{count}");
}

#[test]
fn the_detail_is_one_line_with_status_code_and_words() {
    let failure = from_status(
        "openai",
        401,
        "{\"error\":{\"code\":\"invalid_api_key\",\"message\":\"Incorrect\\nkey\"}}",
    );
    assert_eq!(failure.detail.to_string(), "401 invalid_api_key: Incorrect key");
    let page = from_status("openai", 502, "<!doctype html><TITLE>Bad Gateway</TITLE>");
    assert_eq!(page.detail.to_string(), "502: HTML, Bad Gateway");
    let long = from_status("openai", 500, &"x".repeat(5000));
    assert_eq!(long.detail.to_string().chars().count(), DETAIL_CHARS);
}

#[test]
fn an_answer_is_not_taken_for_a_complaint() {
    assert_eq!(complaint(r#"{"choices":[],"message":"fine"}"#), None);
    assert_eq!(complaint(r#"{"id":"x"}"#), None);
    assert_eq!(complaint(r#"{"error":null,"choices":[]}"#), None);
}
