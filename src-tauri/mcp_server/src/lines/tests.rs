//! Lines as they come: broken ones are answered, and the rest still comes.

use super::*;
use proptest::prelude::*;
use tokio::io::{AsyncReadExt, duplex};

const PING: &str = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;

/// How many messages came out of the bytes, and the answers to what was none.
async fn came_of(bytes: Vec<u8>) -> (usize, Vec<Value>) {
    let (writer, mut answers) = duplex(1 << 22);
    let gone = CancellationToken::new();
    let mut lines = Lines::new(io::Cursor::new(bytes), writer, gone.clone(), Language::En);
    let mut count = 0;
    while lines.receive().await.is_some() {
        count += 1;
    }
    assert!(gone.is_cancelled(), "the end is told");
    lines.messages = None;
    let mut text = String::new();
    answers.read_to_string(&mut text).await.unwrap();
    let answers = text.lines().map(|line| serde_json::from_str(line).unwrap());
    (count, answers.collect())
}

#[tokio::test]
async fn a_line_that_is_no_json_is_answered_and_the_next_one_comes() {
    let bytes = format!("{{\"jsonrpc\": \n\n\r\n{PING}\r\n[1,2]\n");
    let (count, answers) = came_of(bytes.into_bytes()).await;
    assert_eq!(count, 1);
    assert_eq!(answers[0]["error"]["code"], -32700);
    assert_eq!(answers[0]["id"], Value::Null);
    assert_eq!(answers[1]["error"]["code"], -32600);
    assert_eq!(answers.len(), 2);
}

#[tokio::test]
async fn a_line_that_is_too_long_is_answered_and_the_next_one_comes() {
    let mut bytes = vec![b'x'; LINE_BYTES_MAX + 1];
    bytes.push(b'\n');
    bytes.extend_from_slice(PING.as_bytes());
    let (count, answers) = came_of(bytes).await;
    assert_eq!(count, 1, "the last line needs no end");
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0]["error"]["code"], -32600);
}

#[tokio::test]
async fn what_has_a_number_is_refused_by_its_number_and_news_are_not_answered() {
    let bytes = "{\"jsonrpc\":\"2.0\",\"id\":\"a\"}\n{\"jsonrpc\":\"1.0\",\"method\":\"x\"}\n";
    let (count, answers) = came_of(bytes.as_bytes().to_vec()).await;
    assert_eq!((count, answers.len()), (0, 1));
    assert_eq!(answers[0]["id"], "a");
}

proptest! {
    #[test]
    fn any_bytes_come_to_an_end(bytes in proptest::collection::vec(any::<u8>(), 0..2_000)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let (_, answers) = runtime.block_on(came_of(bytes));
        for answer in answers {
            prop_assert!(answer["error"]["message"].is_string());
        }
    }
}
