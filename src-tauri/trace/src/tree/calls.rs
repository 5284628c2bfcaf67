//! Programs and the calls that they make: arguments, result, and why each was allowed.

use super::{Draft, New, ROOT, Tree};
use crate::limits::{
    PROGRAM_CHARACTERS_MAX, RESULT_CHARACTERS_MAX, STDOUT_CHARACTERS_MAX, STEP_TEXT_CHARACTERS,
};
use crate::{bounded, names};
use serde_json::{Value, json};
use shidi_agent::RunContext;
use shidi_egress::{Connection, Refusal};
use shidi_protocol::{Call, CallId, CallRecord, CallState, ExecId, Moment, Origin, RunEventKind};

/// How a program ended.
pub(super) struct Ended<'a> {
    pub stdout: &'a str,
    pub ok: bool,
    pub error: Option<&'a str>,
    pub cpu_ms: u64,
    pub memory_bytes: u64,
}

/// The class of what ended a program: `TypeError` of `line 3: TypeError: …`, for a program that the check refused its
/// first finding.
fn class_of(error: &str) -> &str {
    let is_class = |word: &&str| {
        word.starts_with(|first: char| first.is_ascii_uppercase())
            && word.chars().all(|one| one.is_ascii_alphanumeric() || one == '_')
    };
    let classes = error.lines().rev().flat_map(|line| line.split(": ").take(2));
    classes.map(str::trim).find(is_class).unwrap_or("program_failed")
}

/// Why a connection was not made, in the word that other programs look for.
fn class_of_refusal(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::Refused => "refused",
        Refusal::Undecided => "undecided",
        Refusal::Local => "local_network",
        Refusal::Unknown => "unknown_host",
        Refusal::Unreachable { .. } => "unreachable",
        Refusal::UnknownProxy => "unknown_proxy",
        Refusal::TooMuch => "used_up",
    }
}

impl Tree {
    /// A command's connections to a host have ended, or were refused: a step below the command's. `times` they were.
    pub fn connected(
        &mut self,
        now: Moment,
        command: CallId,
        connection: &Connection,
        times: u32,
    ) -> Vec<Draft> {
        let mut drafts = Vec::new();
        let Some(parent) = self.calls.get(&command).copied() else {
            return drafts;
        };
        let class = connection.refusal.as_ref().map(class_of_refusal);
        let moved = format!(
            "{} B sent, {} B received",
            connection.sent_bytes, connection.received_bytes
        );
        let attributes = json!({
            names::SUMMARY: class.unwrap_or(&moved),
            names::SERVER_ADDRESS: connection.target.host(),
            names::SERVER_PORT: connection.target.port(),
            names::SENT_BYTES: connection.sent_bytes,
            names::RECEIVED_BYTES: connection.received_bytes,
            names::TIMES: Some(times).filter(|times| *times > 1),
            names::OK: class.is_none(),
            names::ERROR_TYPE: class,
        });
        let ms = i64::try_from(connection.took.as_millis()).unwrap_or_default();
        let step = New {
            parent: Some(parent),
            operation: names::CONNECTION,
            name: &connection.target.authority(),
            started: Moment(now.0.saturating_sub(ms)),
        };
        if let Some(id) = self.begin_step(step, attributes, &mut Vec::new()) {
            self.end_step(id, now, json!({}), &mut drafts);
        }
        drafts
    }

    pub(super) fn begin_program(
        &mut self,
        now: Moment,
        exec: ExecId,
        program: &str,
        replay: bool,
        drafts: &mut Vec<Draft>,
    ) {
        let is_open = |id: &u32| self.open.contains_key(id);
        if let Some(id) = self.programs.get(&exec).copied().filter(is_open) {
            return self.amend(id, json!({ names::REPLAYED: replay }), now, drafts);
        }
        let attributes = json!({ names::EXEC: exec, names::REPLAYED: replay.then_some(true) });
        let parent = self.area.or(Some(ROOT));
        let begun = self.begin_step(
            New {
                parent,
                operation: names::RUN_PROGRAM,
                name: "python",
                started: now,
            },
            attributes,
            &mut Vec::new(),
        );
        let Some(id) = begun else { return };
        self.programs.insert(exec, id);
        let program = bounded::text(program, PROGRAM_CHARACTERS_MAX);
        self.keep(id, names::PROGRAM, program.into());
        self.amend(id, json!({}), now, drafts);
    }

    pub(super) fn end_program(
        &mut self,
        now: Moment,
        exec: ExecId,
        how: &Ended<'_>,
        drafts: &mut Vec<Draft>,
    ) {
        let Some(id) = self.programs.remove(&exec) else {
            return;
        };
        if !how.stdout.is_empty() {
            let stdout = bounded::text(how.stdout, STDOUT_CHARACTERS_MAX);
            self.keep(id, names::STDOUT, stdout.into());
        }
        if let Some(error) = how.error {
            let error = bounded::text(error, STDOUT_CHARACTERS_MAX);
            self.keep(id, names::ERROR_MESSAGE, error.into());
        }
        // The exception stands in the last line.
        let last = how.error.and_then(|error| error.trim_end().lines().last());
        let attributes = json!({
            names::OK: how.ok,
            names::ERROR_TYPE: how.error.map(class_of),
            names::CPU_MS: Some(how.cpu_ms).filter(|ms| *ms > 0),
            names::MEMORY_BYTES: Some(how.memory_bytes).filter(|bytes| *bytes > 0),
            names::SUMMARY: last.map(|line| bounded::text(line, STEP_TEXT_CHARACTERS)),
        });
        self.end_step(id, now, attributes, drafts);
    }

    pub(super) fn shown_call(
        &mut self,
        now: Moment,
        context: &RunContext,
        kind: &RunEventKind,
        drafts: &mut Vec<Draft>,
    ) {
        match kind {
            RunEventKind::Call {
                exec,
                call,
                toolkit,
                method,
                args,
                line,
            } => {
                let call = Call {
                    id: *call,
                    exec: *exec,
                    toolkit: toolkit.clone(),
                    method: method.clone(),
                    args: args.clone(),
                    line: *line,
                    places: std::collections::BTreeMap::new(),
                };
                self.begin_call(now, context, &call, drafts);
            }
            RunEventKind::ApprovalNeeded { call, origin, .. } => self.call_waits(now, *call, origin, drafts),
            RunEventKind::Question { call, .. } => self.call_waits(now, *call, &[], drafts),
            RunEventKind::Decided { call, reason, .. } => {
                self.call_decided(now, context, *call, reason.as_deref(), drafts)
            }
            RunEventKind::CallDone { call, .. } => {
                if let Some(record) = context.calls.get(call) {
                    self.end_call(now, record, drafts);
                }
            }
            _ => {}
        }
    }

    fn begin_call(&mut self, now: Moment, context: &RunContext, call: &Call, drafts: &mut Vec<Draft>) {
        if self
            .calls
            .get(&call.id)
            .is_some_and(|id| self.open.contains_key(id))
        {
            return;
        }
        let mut attributes = json!({
            names::OPERATION_NAME: names::EXECUTE_TOOL,
            names::TOOL_NAME: call.tool(),
            names::TOOL_TYPE: "function",
            names::TOOL_CALL_ID: call.id,
            names::EXEC: call.exec,
            names::LINE: call.line,
        });
        super::merge(&mut attributes, permission(context, call.id));
        let program = self.programs.get(&call.exec).copied();
        let parent = program.or(self.area).or(Some(ROOT));
        let name = call.tool();
        let begun = self.begin_step(
            New {
                parent,
                operation: names::EXECUTE_TOOL,
                name: &name,
                started: now,
            },
            attributes,
            &mut Vec::new(),
        );
        let Some(id) = begun else { return };
        self.calls.insert(call.id, id);
        let args = bounded::value(&Value::Object(call.args.clone()), RESULT_CHARACTERS_MAX);
        self.keep(id, names::TOOL_CALL_ARGUMENTS, args);
        self.amend(id, json!({}), now, drafts);
    }

    fn call_waits(&mut self, now: Moment, call: CallId, origin: &[Origin], drafts: &mut Vec<Draft>) {
        let Some(id) = self.calls.get(&call).copied() else {
            return;
        };
        if !origin.is_empty() {
            self.keep(id, names::ORIGIN, json!(origin));
        }
        self.amend(id, json!({ names::WAITING_SINCE: now }), now, drafts);
    }

    fn call_decided(
        &mut self,
        now: Moment,
        context: &RunContext,
        call: CallId,
        reason: Option<&str>,
        drafts: &mut Vec<Draft>,
    ) {
        let Some(id) = self.calls.get(&call).copied() else {
            return;
        };
        let Some(step) = self.open.get(&id) else { return };
        let since = step.span.attributes.get(names::WAITING_SINCE).cloned();
        let since: Moment = serde_json::from_value(since.unwrap_or_default()).unwrap_or(now);
        let mut decided = json!({
            names::WAITED_MS: now.since(since),
            names::DECIDED_SAID: reason.map(|reason| bounded::text(reason, STEP_TEXT_CHARACTERS)),
        });
        super::merge(&mut decided, permission(context, call));
        self.amend(id, decided, now, drafts);
    }

    fn end_call(&mut self, now: Moment, record: &CallRecord, drafts: &mut Vec<Draft>) {
        let Some(id) = self.calls.remove(&record.call.id) else {
            return;
        };
        let Some(outcome) = &record.outcome else { return };
        if !outcome.data.is_null() {
            let result = bounded::value(&outcome.data, RESULT_CHARACTERS_MAX);
            self.keep(id, names::TOOL_CALL_RESULT, result);
        }
        if let Some(error) = &outcome.error {
            let message = bounded::text(&error.message, RESULT_CHARACTERS_MAX);
            self.keep(id, names::ERROR_MESSAGE, message.into());
        }
        let attributes = json!({
            names::OK: outcome.ok(),
            names::REFUSED: (record.state == CallState::Refused).then_some(true),
            names::SUMMARY: bounded::text(&outcome.summary, STEP_TEXT_CHARACTERS),
            names::CLASS: record.class,
            names::GROUNDS: record.grounds,
            names::UNTRUSTED: outcome.untrusted.then_some(true),
            names::ERROR_TYPE: outcome.error.as_ref().map(|error| &error.kind),
        });
        self.end_step(id, now, attributes, drafts);
    }

    fn keep(&mut self, id: u32, name: &str, value: Value) {
        if let Some(step) = self.open.get_mut(&id) {
            step.content.insert(name.to_owned(), value);
        }
    }
}

/// The known facts of a call before its end: its class, and why it was allowed, asked about or refused.
fn permission(context: &RunContext, call: CallId) -> Value {
    // A call is recorded before it is shown.
    let record = context.calls.get(&call);
    json!({
        names::CLASS: record.map(|record| record.class),
        names::GROUNDS: record.map(|record| &record.grounds),
    })
}

#[cfg(test)]
mod tests {
    use super::class_of;

    #[test]
    fn the_class_of_a_failure_is_its_exceptions_name() {
        for (error, class) in [
            ("line 3: TypeError: 'int' is not iterable", "TypeError"),
            (
                "(Did you mean read?)\nline 1: AttributeError: no reed",
                "AttributeError",
            ),
            ("KeyError: 'a: b'", "KeyError"),
            ("KeyboardInterrupt", "KeyboardInterrupt"),
            ("the worker was lost", "program_failed"),
            ("", "program_failed"),
        ] {
            assert_eq!(class_of(error), class, "{error}");
        }
    }
}
