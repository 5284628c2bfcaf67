//! What a prompt must hold, and must not.

use super::*;
use crate::situation::Settings;
use shidi_protocol::{
    Class, MethodSpec, Moment, ParameterKind, ParameterSpec, RunId, SegmentId, ToolkitSpec,
};

fn situation(texts: &[(&str, SegmentKind)]) -> Situation {
    let files = ToolkitSpec {
        name: "files".into(),
        doc: "Files of the user.".into(),
        methods: vec![MethodSpec {
            name: "read".into(),
            doc: "Reads a file.".into(),
            parameters: vec![ParameterSpec {
                name: "path".into(),
                kind: ParameterKind::Text,
                doc: String::new(),
                default: None,
            }],
            returns: "str".into(),
            class: Class::Read,
            matters: vec!["path".into()],
        }],
    };
    let settings = Settings {
        toolkits: vec![files],
        window_tokens: 10_000,
        ..Settings::default()
    };
    let run = RunId::from("r1");
    let segment = |(at, (text, kind)): (usize, &(&str, SegmentKind))| Segment {
        id: SegmentId(u32::try_from(at).unwrap() + 1),
        run: run.clone(),
        kind: kind.clone(),
        text: (*text).to_owned(),
        exec: None,
        round: 1,
        tainted: false,
        failed: false,
        time: Moment(0),
    };
    let segments = texts.iter().enumerate().map(segment).collect();
    Situation::new("s1".into(), run, settings, segments, Moment(0))
}

#[test]
fn a_plain_question_stays_below_twelve_kilobytes_in_both_languages() {
    for language in ["en", "zh"] {
        let mut situation = situation(&[("2+2?", SegmentKind::User)]);
        situation.state.language = language.to_owned();
        let request = assemble(&situation).unwrap();
        let bytes: usize = request.messages.iter().map(|message| message.plain().len()).sum();
        assert!(bytes < 9_000, "{language}: {bytes} bytes before the wire format");
        assert!(
            request.messages[0]
                .plain()
                .contains("async def read(path: str) -> str")
        );
    }
}

#[test]
fn nothing_that_changes_stands_before_the_transcript() {
    let mut one = situation(&[("a", SegmentKind::User)]);
    let first = assemble(&one).unwrap();
    one.now = Moment(1_000_000_000_000);
    one.variables.push(VariablePreview {
        name: "x".into(),
        kind: "int".into(),
        preview: "1".into(),
    });
    let second = assemble(&one).unwrap();
    assert_eq!(first.messages[0], second.messages[0]);
    assert!(second.messages.last().unwrap().plain().contains("x: int = 1"));
}

#[test]
fn the_oldest_segments_are_left_out_first_and_the_question_never() {
    let long = "word ".repeat(4_000);
    let texts = [
        ("old", SegmentKind::User),
        (long.as_str(), SegmentKind::Output),
        ("new question", SegmentKind::User),
    ];
    let request = assemble(&situation(&texts)).unwrap();
    let all: String = request.messages[1..].iter().map(Message::plain).collect();
    assert!(all.contains("new question") && !all.contains("word word"));
}

#[test]
fn an_estimate_errs_upwards() {
    assert!(tokens::estimate("hello world, this is text") >= 6);
    assert_eq!(tokens::estimate("你好世界"), 4);
}
