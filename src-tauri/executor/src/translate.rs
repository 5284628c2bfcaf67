//! Translates the worker's messages into the product's types, and back.

use crate::arguments::{Unfit, arguments};
use crate::outcome::{CallAnswer, Finding, Loss, ProgramError, Variable};
use crate::value::{pack, unpack};
use crate::{HOST_TOOLKIT, Limits};
use serde_json::Value;
use shidi_executor_proto as proto;
use shidi_executor_proto::{Given, LinkError, MAX_FRAME_BYTES};
use shidi_protocol::{JsonMap, ToolkitSpec};

/// Bytes of a frame besides the value itself.
const ENVELOPE_BYTES: usize = 4_096;

pub fn shape(toolkit: &ToolkitSpec) -> proto::ToolkitShape {
    let methods = toolkit.methods.iter().map(|method| proto::MethodShape {
        name: method.name.clone(),
        parameters: method
            .parameters
            .iter()
            .map(|parameter| proto::ParameterShape {
                name: parameter.name.clone(),
                required: parameter.is_required(),
            })
            .collect(),
    });
    proto::ToolkitShape {
        name: toolkit.name.clone(),
        methods: methods.collect(),
        left_out: toolkit.left_out,
    }
}

/// The arguments of a call to a toolkit, or of a call to the host, which the worker itself makes.
pub fn fitting(call: &proto::Call, toolkits: &[ToolkitSpec]) -> Result<JsonMap, Unfit> {
    if call.toolkit != HOST_TOOLKIT || toolkits.iter().any(|toolkit| toolkit.name == HOST_TOOLKIT) {
        return arguments(call, toolkits);
    }
    let named = call
        .named
        .iter()
        .map(|(name, packed)| Ok((name.clone(), unpack(packed)?)));
    named
        .collect::<Result<JsonMap, proto::Malformed>>()
        .map_err(|why| Unfit {
            kind: "RuntimeError",
            message: why.to_string(),
        })
}

pub fn outcome(answer: CallAnswer) -> Given {
    if let Some(error) = answer.outcome.error {
        return Given::Error {
            kind: error.kind,
            message: error.message,
        };
    }
    let packed = pack(&answer.outcome.data);
    if packed.len() > MAX_FRAME_BYTES - ENVELOPE_BYTES {
        let message = format!("the result of {} bytes is too large for a program", packed.len());
        return Given::Error {
            kind: "ValueError".to_owned(),
            message,
        };
    }
    Given::Value(packed)
}

pub fn json(shown: &proto::Shown) -> Option<Value> {
    serde_json::from_str(shown.json.as_deref()?).ok()
}

pub fn variable(variable: proto::Variable) -> Variable {
    Variable {
        value: json(&variable.shown),
        name: variable.name,
        kind: variable.shown.kind,
        text: variable.shown.text,
    }
}

pub fn finding(finding: proto::Finding) -> Finding {
    Finding {
        kind: finding.kind,
        message: finding.message,
        line: finding.line,
        hint: finding.hint,
    }
}

pub fn program_error(failure: proto::Failure) -> ProgramError {
    ProgramError {
        kind: failure.kind,
        message: failure.message,
        line: failure.line,
        hint: failure.hint,
        traceback: failure.traceback,
    }
}

/// The end of the error message of a program whose worker is gone.
pub const VARIABLES_LOST: &str = "; the session's variables are lost";

pub fn loss_error(loss: Loss, why: &str, limits: Limits) -> ProgramError {
    let (kind, text, hint) = match loss {
        Loss::Stopped => ("KeyboardInterrupt", "the program was stopped".to_owned(), None),
        Loss::Deadline => (
            "TimeoutError",
            format!(
                "the program did not end within {} ms of work and was killed",
                limits.cpu_ms
            ),
            Some("Do less work in one program; numbers that grow without bound hang"),
        ),
        Loss::Memory => (
            "MemoryError",
            format!(
                "the program needed more than the {} bytes of memory it may",
                limits.memory_bytes
            ),
            Some("Work on the data piece by piece"),
        ),
        Loss::Broken | Loss::Died => (
            "SystemError",
            format!("the interpreter ended unexpectedly ({why})"),
            Some("Run the program again; write it in another way if that happens twice"),
        ),
    };
    let message = format!("{kind}: {text}{VARIABLES_LOST}");
    ProgramError {
        kind: kind.to_owned(),
        traceback: message.clone(),
        message,
        line: 0,
        hint: hint.map(str::to_owned),
    }
}

pub fn out_of_turn() -> LinkError {
    LinkError::Frame(proto::FrameError::Malformed("it spoke out of turn".to_owned()))
}
