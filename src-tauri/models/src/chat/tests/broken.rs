//! The remains of answers that break off: the words that stand, and the tokens.

use super::*;

#[tokio::test]
async fn the_last_words_of_a_stream_that_is_cut_every_time_stand_and_all_of_them_are_counted() {
    let cut = || events(&[&text("hel")]);
    let server = Server::answering(vec![cut(), cut(), cut(), cut()]).await;
    let (reply, seen) = ask(&model(&server)).await;
    let failure = reply.expect_err("a failure");
    assert_eq!(seen.last(), Some(&ModelDelta::Text("hel".into())));
    let partial = failure.partial.expect("what stands");
    assert_eq!(partial.text, "hel");
    assert_eq!((partial.usage.model_calls, partial.usage.estimated), (4, true));
}

#[tokio::test]
async fn what_had_come_when_an_answer_is_cancelled_is_handed_in_with_what_it_took() {
    let mut script = events(&[&text("hel")]);
    script.push(Act::Hang);
    let server = Server::answering(vec![script]).await;
    let cancel = CancellationToken::new();
    let trigger = cancel.clone();
    let reply = model(&server)
        .ask(&request(), &mut |_| trigger.cancel(), &cancel)
        .await;
    let failure = reply.expect_err("a failure");
    assert_eq!(failure.kind, FailureKind::Cancelled);
    let partial = failure.partial.expect("what had come");
    assert_eq!((partial.text.as_str(), partial.usage.model_calls), ("hel", 1));
    assert!(partial.usage.estimated && partial.usage.input > 0 && partial.usage.output > 0);
}

#[tokio::test]
async fn an_answer_that_repeats_itself_without_end_is_ended_and_stands_once() {
    let again = text("and so on, ");
    let mut pieces = vec![again.as_str(); 400];
    let begin = text("One, two, ");
    pieces.insert(0, &begin);
    let mut script = events(&pieces);
    script.push(Act::Hang);
    let server = Server::answering(vec![script]).await;
    let (reply, seen) = ask(&model(&server)).await;
    let reply = reply.expect("an answer");
    assert_eq!(
        (reply.text.as_str(), reply.finish),
        ("One, two, and so on", Finish::Repeated)
    );
    assert!(
        reply.usage.estimated && reply.usage.output > 100,
        "{:?}",
        reply.usage
    );
    assert!(!seen.contains(&ModelDelta::Retracted));
}

#[tokio::test]
async fn words_stand_when_no_further_attempt_says_any() {
    let refused = whole("401 Unauthorized", "", r#"{"error":{"message":"no"}}"#);
    let server = Server::answering(vec![events(&[&text("hel")]), refused]).await;
    let (reply, seen) = ask(&model(&server)).await;
    let failure = reply.expect_err("a failure");
    assert_eq!(failure.kind, FailureKind::Key);
    assert_eq!(without_waits(&seen), [&ModelDelta::Text("hel".into())]);
    assert_eq!(failure.partial.expect("what stands").text, "hel");
}

#[tokio::test]
async fn what_broke_off_before_an_answer_is_counted_with_it() {
    let server = Server::answering(vec![events(&[&text("hel")]), hello()]).await;
    let (reply, _) = ask(&model(&server)).await;
    let usage = reply.expect("an answer").usage;
    assert_eq!((usage.model_calls, usage.estimated), (2, true));
    assert!(usage.input > 10 && usage.output > 2, "{usage:?}");
}
