//! Answers put together from the chunks of many providers.

//! Promises of this room, as tests.

use super::*;
use crate::failure::Complaint;
use serde_json::json;
use shidi_protocol::{ModelDelta, ModelReply};

fn read(chunks: &[Value]) -> Result<(ModelReply, Vec<ModelDelta>), Fault> {
    let mut answer = Box::new(ResponseReader::default());
    let mut seen = Vec::new();
    for chunk in chunks {
        answer.take(chunk, &mut |delta| seen.push(delta))?;
    }
    let reply = answer
        .finish(&mut |delta| seen.push(delta))
        .into_reply("asked", None);
    Ok((reply, seen))
}

fn call(index: Option<u64>, id: Option<&str>, name: Option<&str>, arguments: Value) -> Value {
    let mut call = json!({"function": {"arguments": arguments}});
    if let Some(index) = index {
        call["index"] = json!(index);
    }
    if let Some(id) = id {
        call["id"] = json!(id);
    }
    if let Some(name) = name {
        call["function"]["name"] = json!(name);
    }
    json!({"choices": [{"delta": {"tool_calls": [call]}}]})
}

fn calls(reply: &ModelReply) -> Vec<(&str, &str, &str)> {
    reply
        .tool_calls
        .iter()
        .map(|call| (call.id.as_str(), call.name.as_str(), call.arguments.as_str()))
        .collect()
}

#[test]
fn text_reasoning_finish_and_usage_are_read() {
    let (reply, seen) = read(&[
        json!({"model": "m-1", "choices": [{"delta": {"role": "assistant", "content": ""}}]}),
        json!({"choices": [{"delta": {"reasoning_content": "hm"}}]}),
        json!({"choices": [{"delta": {"content": "你"}}]}),
        json!({"choices": [{"delta": {"content": [{"type": "text", "text": "好"}]}, "finish_reason": "length"}]}),
        json!({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 4}}}),
    ])
    .expect("an answer");
    assert_eq!(
        (reply.text.as_str(), reply.reasoning.as_str(), reply.finish),
        ("你好", "hm", Finish::Length)
    );
    assert_eq!(
        (
            reply.usage.input,
            reply.usage.cached,
            reply.usage.output,
            reply.usage.model_calls
        ),
        (9, 4, 3, 1)
    );
    assert_eq!(reply.model, "m-1");
    assert_eq!(
        seen,
        [
            ModelDelta::Reasoning("hm".into()),
            ModelDelta::Text("你".into()),
            ModelDelta::Text("好".into())
        ]
    );
}

#[test]
fn usage_is_found_in_every_shape_and_never_invented() {
    for (usage, cached) in [
        (
            json!({"prompt_tokens": 9, "completion_tokens": 3, "prompt_cache_hit_tokens": 5}),
            5,
        ),
        (
            json!({"prompt_tokens": 9, "completion_tokens": 3, "cached_tokens": 2}),
            2,
        ),
        (json!({"input_tokens": 9, "output_tokens": 3}), 0),
    ] {
        let (reply, _) =
            read(&[json!({"choices": [{"delta": {"content": "x"}, "usage": usage}]})]).expect("an answer");
        assert_eq!(
            (reply.usage.input, reply.usage.cached, reply.usage.output),
            (9, cached, 3)
        );
    }
    let (reply, _) =
        read(&[json!({"choices": [{"delta": {"content": "x"}}], "usage": null})]).expect("an answer");
    assert_eq!((reply.usage.input, reply.usage.output), (0, 0));
}

#[test]
fn calls_are_told_apart_however_they_are_numbered() {
    let (reply, _) = read(&[
        call(Some(0), Some("a"), Some("python"), json!("")),
        call(Some(0), None, None, json!("{\"code\"")),
        call(Some(1), Some("b"), Some("python"), json!("{}")),
        call(Some(0), None, None, json!(":1}")),
    ])
    .expect("an answer");
    assert_eq!(
        calls(&reply),
        [("a", "python", "{\"code\":1}"), ("b", "python", "{}")]
    );
    assert_eq!(reply.finish, Finish::ToolCalls);

    let (reply, _) = read(&[
        call(Some(0), Some("a"), Some("python"), json!("{}")),
        call(Some(0), Some("b"), Some("python"), json!({"code": "x"})),
    ])
    .expect("an answer");
    assert_eq!(
        calls(&reply),
        [("a", "python", "{}"), ("b", "python", "{\"code\":\"x\"}")]
    );

    let (reply, _) = read(&[
        call(None, None, Some("python"), json!("{")),
        call(None, None, None, json!("}")),
        call(None, None, Some("other"), Value::Null),
    ])
    .expect("an answer");
    assert_eq!(
        calls(&reply),
        [("call_1", "python", "{}"), ("call_2", "other", "")]
    );
}

#[test]
fn a_whole_message_counts_once() {
    let (reply, _) = read(&[json!({"choices": [{"message": {"content": "all"}, "finish_reason": "stop"}]})])
        .expect("an answer");
    assert_eq!(reply.text, "all");
    let (reply, _) = read(&[
        json!({"choices": [{"delta": {"content": "all"}}]}),
        json!({"choices": [{"message": {"content": "all"}, "finish_reason": "stop"}]}),
    ])
    .expect("an answer");
    assert_eq!(reply.text, "all");
}

#[test]
fn an_error_object_ends_the_answer() {
    for chunk in [
        json!({"error": {"message": "overloaded", "code": 529}}),
        json!({"error": {"message": "overloaded", "code": 529}, "choices": [{"delta": {"content": ""}, "finish_reason": "error"}]}),
        json!({"code": "529", "message": "overloaded"}),
    ] {
        let fault = read(&[chunk]).expect_err("a fault");
        assert_eq!(
            fault,
            Fault::Complaint(Complaint {
                code: "529".into(),
                message: "overloaded".into()
            })
        );
    }
    let fault =
        read(&[json!({"choices": [{"delta": {}, "finish_reason": "network_error"}]})]).expect_err("a fault");
    assert!(
        matches!(&fault, Fault::Other(FailureKind::Overloaded, detail) if detail.is_ours()),
        "{fault:?}"
    );
}

#[test]
fn more_calls_than_anybody_makes_are_refused() {
    let fault =
        read(&[call(Some(4_000_000_000), Some("a"), Some("python"), json!(""))]).expect_err("a fault");
    assert!(
        matches!(&fault, Fault::Other(FailureKind::Malformed, detail) if detail.is_ours()),
        "{fault:?}"
    );
}
