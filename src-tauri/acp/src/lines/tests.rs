//! Lines as they come: broken ones are answered, and the rest still comes.

use super::*;
use proptest::prelude::*;

async fn all(bytes: Vec<u8>) -> Vec<Incoming> {
    let mut lines = Lines::new(std::io::Cursor::new(bytes), Language::En);
    let mut messages = Vec::new();
    while let Some(message) = lines.next().await {
        messages.push(message);
    }
    messages
}

fn code(message: &Incoming) -> i64 {
    match message {
        Incoming::Refused(answer) => answer["error"]["code"].as_i64().unwrap(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn what_is_no_message_is_answered_and_the_next_one_comes() {
    let bytes = b"{\"jsonrpc\": \n\n[1]\r\n{\"id\":{},\"method\":\"x\"}\n{\"id\":4,\"method\":5}\n\xef\xbb\xbf{\"id\":7,\"method\":\"initialize\"}";
    let came = all(bytes.to_vec()).await;
    assert_eq!(came.len(), 5, "{came:?}");
    let codes: Vec<i64> = came[..4].iter().map(code).collect();
    assert_eq!(codes, [-32700, -32600, -32600, -32600]);
    assert!(
        matches!(&came[4], Incoming::Request { id, method, .. } if *id == 7 && method == "initialize"),
        "{came:?}"
    );
}

#[tokio::test]
async fn a_line_that_is_too_long_is_answered_once_and_the_next_one_comes() {
    let mut bytes = vec![b'x'; LINE_BYTES_MAX + 1];
    bytes.extend(b"\n{\"method\":\"session/cancel\"}\n");
    let came = all(bytes).await;
    assert_eq!(came.len(), 2);
    assert_eq!(code(&came[0]), -32600);
    assert!(matches!(&came[1], Incoming::Notification { .. }));
}

#[test]
fn an_answer_is_known_by_its_number_and_an_error_is_no_result() {
    let read = |line: &str| understood(line.as_bytes(), Language::Zh);
    assert_eq!(
        read(r#"{"id":3,"result":{"a":1}}"#),
        Some(Incoming::Answer {
            id: 3,
            result: Some(json!({"a": 1}))
        })
    );
    assert_eq!(
        read(r#"{"id":3,"error":{"code":1,"message":"no"}}"#),
        Some(Incoming::Answer { id: 3, result: None })
    );
    assert_eq!(read(r#"{"id":"s","result":1}"#), None, "no number of ours");
}

proptest! {
    #[test]
    fn no_bytes_end_the_reader_otherwise_than_with_answers(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let lines = bytes.split(|byte| *byte == b'\n').count();
        let came = runtime.block_on(all(bytes));
        prop_assert!(came.len() <= lines);
    }

    #[test]
    fn no_json_ends_the_reader(text in r#"\{("(id|method|params|result|error|jsonrpc)":(null|1|-2|"x"|\[\]|\{\}|1e9),){0,5}"z":1\}"#) {
        if let Some(Incoming::Refused(answer)) = understood(text.as_bytes(), Language::En) {
            prop_assert!(answer["error"]["message"].is_string());
        }
    }
}
