//! A stored session as the events that its runs once sent, in their order. Windows fold both with the same function.
//!
//! Events that the record does not keep are absent: pieces of text as they were streamed, and progress in between.

use shidi_agent::cards;
use shidi_protocol::{
    Body, CallRecord, CallState, ExecId, Ground, HOST_TOOLKIT, JsonMap, Moment, RunEvent, RunEventKind,
    RunStatus, RunSummary, Segment, SegmentId, SessionDetail,
};

/// The toolkit whose calls reach the user.
const USER: &str = "user";

/// Its methods that wait for an answer, other than to a plain question.
const ASKING: [&str; 8] = [
    "ask",
    "choose",
    "confirm",
    "form",
    "diff",
    "hand_over",
    "operate",
    "card",
];

/// The events of all runs that are shown, oldest first.
///
/// `works` says of a run without an end whether it is at work. If not, the process ended under the run, and the run
/// can go on.
#[must_use]
pub fn of_session(detail: &SessionDetail, works: impl Fn(&RunSummary) -> bool) -> Vec<RunEvent> {
    let mut events = Vec::new();
    for run in &detail.runs {
        let rests = run.status.is_none() && run.awaiting.is_none() && !works(run);
        let told = RunEvents {
            run,
            events: Vec::new(),
            later: Vec::new(),
        };
        let status = if rests {
            Some(RunStatus::Suspended)
        } else {
            run.status
        };
        events.extend(told.all(detail, status));
    }
    events
}

/// The events of one run so far.
struct RunEvents<'a> {
    run: &'a RunSummary,
    events: Vec<RunEvent>,
    /// Events that come between segments, by their time.
    later: Vec<(Moment, RunEventKind)>,
}

impl RunEvents<'_> {
    fn all(mut self, detail: &SessionDetail, status: Option<RunStatus>) -> Vec<RunEvent> {
        let segments: Vec<&Segment> = detail
            .segments
            .iter()
            .filter(|segment| segment.run == self.run.id)
            .collect();
        let calls: Vec<&CallRecord> = detail
            .calls
            .iter()
            .filter(|record| record.run == self.run.id && record.call.toolkit != HOST_TOOLKIT)
            .collect();
        let began = segments
            .first()
            .map_or(detail.summary.created, |segment| segment.time);
        let started = RunEventKind::RunStarted {
            session: detail.summary.id.clone(),
            assistant: String::new(),
            models: Vec::new(),
            offline: self.run.offline,
            under: None,
        };
        self.add(began, started);
        for segment in &segments {
            self.tell_until(Some(segment.time));
            self.segment(segment, &segments, &detail.withdrawn);
            if matches!(segment.body, Body::Python { .. }) && segment.exec.is_some() {
                let made = calls
                    .iter()
                    .filter(|record| Some(record.call.exec) == segment.exec);
                made.for_each(|record| self.call(record));
            }
        }
        self.tell_until(None);
        let latest = segments.last().map_or(began, |segment| segment.time);
        self.end(latest, status);
        self.events
    }

    fn add(&mut self, time: Moment, kind: RunEventKind) {
        let seq = u32::try_from(self.events.len()).unwrap_or(u32::MAX);
        self.events.push(RunEvent {
            kind,
            run: self.run.id.clone(),
            seq: seq.saturating_add(1),
            time,
        });
    }

    /// Tells what came before that time.
    fn tell_until(&mut self, until: Option<Moment>) {
        let is_due = |(time, _): &mut (Moment, RunEventKind)| until.is_none_or(|until| *time <= until);
        let due: Vec<_> = self.later.extract_if(.., is_due).collect();
        for (time, kind) in due {
            self.add(time, kind);
        }
    }

    fn segment(&mut self, segment: &Segment, segments: &[&Segment], withdrawn: &[SegmentId]) {
        if let (Body::Output { failed, .. }, Some(exec)) = (&segment.body, segment.exec) {
            let output = output(segment.time, exec, !failed, segments);
            self.add(segment.time, output);
        }
        // The model's alone: they were never shown, or by an event of their own.
        if !matches!(segment.body, Body::Summary(_) | Body::Cut { .. } | Body::Card(_)) {
            let body = segment.body.clone();
            self.add(
                segment.time,
                RunEventKind::Segment {
                    body,
                    exec: segment.exec,
                },
            );
        }
        if let Body::Card(card) = &segment.body {
            let shown = RunEventKind::Card {
                id: card.card_id.clone(),
                kind: card.card.clone(),
                data: card.data.clone(),
            };
            self.add(segment.time, shown);
        }
        if withdrawn.contains(&segment.id) {
            self.add(segment.time, RunEventKind::Standing { stands: false });
        }
    }

    fn call(&mut self, record: &CallRecord) {
        let call = &record.call;
        let made = RunEventKind::Call {
            exec: call.exec,
            call: call.id,
            toolkit: call.toolkit.clone(),
            method: call.method.clone(),
            args: call.args.clone(),
            line: call.line,
        };
        self.add(record.started, made);
        if let Some(refusal) = refusal(record) {
            self.add(record.started, card(record));
            self.add(record.started, refusal);
        }
        if matches!(record.state, CallState::Done | CallState::Refused) {
            self.add(record.started, done(record));
        }
        if call.toolkit == USER && call.method == "progress" {
            let shown = RunEventKind::Card {
                id: cards::progress_id(&call.args),
                kind: "progress".to_owned(),
                data: cards::progress(&call.args),
            };
            self.later.push((record.started, shown));
        }
        if let Some((time, answer)) = answer(record) {
            self.later.push((time, card(record)));
            self.later.push((time, answer));
        }
    }

    fn end(&mut self, latest: Moment, status: Option<RunStatus>) {
        let run = self.run;
        for waiting in &run.waiting {
            self.add(waiting.event.time, waiting.event.kind.clone());
        }
        if let Some(wait) = &run.awaiting {
            let wait = Some(wait.clone());
            self.add(latest, RunEventKind::Awaiting { wait });
        }
        if let Some(status) = status {
            let ended = RunEventKind::RunEnded {
                status,
                reason: run.reason.clone(),
                error: run.error.clone(),
                usage: run.usage,
                ms: 0,
            };
            self.add(latest, ended);
        }
    }
}

fn output(ended: Moment, exec: ExecId, ok: bool, segments: &[&Segment]) -> RunEventKind {
    let is_its =
        |segment: &&&Segment| segment.exec == Some(exec) && matches!(segment.body, Body::Python { .. });
    let program = segments.iter().find(is_its);
    RunEventKind::Output {
        exec,
        stdout: String::new(),
        ok,
        error: None,
        ms: program.map_or(0, |program| ended.since(program.time)),
        cpu_ms: 0,
        memory_bytes: 0,
    }
}

fn done(record: &CallRecord) -> RunEventKind {
    let outcome = record.outcome.as_ref();
    RunEventKind::CallDone {
        call: record.call.id,
        ok: record.state == CallState::Done && outcome.is_some_and(|outcome| outcome.error.is_none()),
        summary: outcome.map(|outcome| outcome.summary.clone()).unwrap_or_default(),
        ms: record.ended.map_or(0, |ended| ended.since(record.started)),
        grounds: record.grounds.clone(),
        pictures: outcome
            .map(|outcome| outcome.pictures.clone())
            .unwrap_or_default(),
        files: outcome.map(|outcome| outcome.files.clone()).unwrap_or_default(),
    }
}

fn is_asking(record: &CallRecord) -> bool {
    record.call.toolkit == USER && ASKING.contains(&record.call.method.as_str())
}

/// The card by which a call was asked about.
fn card(record: &CallRecord) -> RunEventKind {
    let call = &record.call;
    if is_asking(record) {
        return RunEventKind::Question {
            call: call.id,
            text: question(&call.args),
            fields: None,
        };
    }
    RunEventKind::ApprovalNeeded {
        call: call.id,
        tool: call.tool(),
        args: call.args.clone(),
        class: record.class,
        origin: Vec::new(),
        family: String::new(),
    }
}

/// The text of a question as the program asked it.
fn question(args: &JsonMap) -> String {
    let card = args.get("card").and_then(|card| card.get("text"));
    let text = card.or_else(|| args.get("text")).and_then(|text| text.as_str());
    text.unwrap_or_default().to_owned()
}

/// The user's refusal of a call, with the reason that the program was given.
fn refusal(record: &CallRecord) -> Option<RunEventKind> {
    let refused = record.grounds.iter().find_map(|ground| match ground {
        Ground::User {
            approved: false,
            reason,
            ..
        } => Some(reason.clone()),
        _ => None,
    })?;
    (record.state == CallState::Refused).then(|| RunEventKind::Decided {
        call: record.call.id,
        approved: false,
        reason: refused.or_else(|| earlier_reason(record)),
    })
}

/// The reason of before grounds held it: behind the words of the error.
fn earlier_reason(record: &CallRecord) -> Option<String> {
    let error = record.outcome.as_ref()?.error.as_ref()?;
    let reason = error.message.strip_prefix("The user refused this call: ")?;
    Some(reason.to_owned())
}

/// The user's answer to a question, and when it came. A question that no program could have meant was never asked.
fn answer(record: &CallRecord) -> Option<(Moment, RunEventKind)> {
    let outcome = record
        .outcome
        .as_ref()
        .filter(|outcome| outcome.error.is_none())?;
    if !is_asking(record) || record.state != CallState::Done {
        return None;
    }
    let said = match (record.call.method.as_str(), outcome.data.as_str()) {
        ("ask", Some(text)) => text.to_owned(),
        ("ask", None) => outcome.data.to_string(),
        _ => outcome.summary.clone(),
    };
    let decided = RunEventKind::Decided {
        call: record.call.id,
        approved: true,
        reason: Some(said),
    };
    Some((record.ended?, decided))
}

#[cfg(test)]
mod tests;
