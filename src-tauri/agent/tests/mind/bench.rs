//! A mind on a bench: its clock, its written rows, and methods to ask about its effects.

pub use serde_json::json;
pub use shidi_agent::permissions::{Grants, Pattern, Rule};
pub use shidi_agent::{Decided, Effect, Event, Finding, ProgramEnd, Record, Settings, UserInput};
use shidi_agent::{Mind, Past, Phase};
pub use shidi_protocol::{
    Body, CallId, CallOutcome, CallState, Class, ContextPiece, FailureKind, Finish, Mode, ModelFailure,
    ModelReply, Moment, RunEventKind, RunStatus, SegmentKind, ToolCall, Verdict, Worded,
};
use shidi_protocol::{
    Call, CallRecord, ExecId, MethodSpec, Sampling, ToolkitSource, ToolkitSpec, Usage, VariablePreview,
};

/// A mind with its clock and everything it has written so far.
pub struct Bench {
    pub mind: Mind,
    pub clock: i64,
    pub written: Vec<Record>,
}

impl Bench {
    pub fn new(settings: Settings) -> Self {
        Self {
            mind: Mind::new("s".into(), "run-00000001".into(), settings, Past::default()),
            clock: 1_000,
            written: Vec::new(),
        }
    }

    pub fn asked(question: &str) -> (Self, Vec<Effect>) {
        Self::asked_with(Settings::default(), question)
    }

    pub fn asked_with(settings: Settings, question: &str) -> (Self, Vec<Effect>) {
        let mut bench = Self::new(settings);
        let effects = bench.ask(question);
        (bench, effects)
    }

    pub fn ask(&mut self, question: &str) -> Vec<Effect> {
        self.give(Event::Asked(UserInput {
            text: question.into(),
            ..UserInput::default()
        }))
    }

    /// Asks in an interface of the given language.
    pub fn ask_in(&mut self, question: &str, interface: &str) -> Vec<Effect> {
        self.give(Event::Asked(UserInput {
            text: question.into(),
            language: Some(interface.into()),
            ..UserInput::default()
        }))
    }

    pub fn give(&mut self, event: Event) -> Vec<Effect> {
        self.clock += 10;
        let effects = self.mind.handle(Moment(self.clock), event);
        for effect in &effects {
            if let Effect::Commit(records) | Effect::Buffer(records) = effect {
                self.written.extend(records.iter().cloned());
            }
        }
        effects
    }

    pub fn model(&mut self, text: &str) -> Vec<Effect> {
        self.give(Event::ModelAnswered { reply: reply(text) })
    }

    pub fn call(&mut self, tool: &str, args: serde_json::Value, class: Class) -> Vec<Effect> {
        self.call_to(None, tool, args, class)
    }

    /// A call whose path leads to `place`.
    pub fn call_to(
        &mut self,
        place: Option<&str>,
        tool: &str,
        args: serde_json::Value,
        class: Class,
    ) -> Vec<Effect> {
        let call = self.asked_call(place, tool, args);
        let barred = None;
        self.give(Event::CallRequested { call, class, barred })
    }

    /// What the program that runs asks for.
    pub fn asked_call(&self, place: Option<&str>, tool: &str, args: serde_json::Value) -> Call {
        let (toolkit, method) = tool.split_once('.').unwrap();
        let exec = match self.mind.state().phase {
            Phase::Running { exec } => exec,
            _ => ExecId(0),
        };
        let args = args.as_object().cloned().unwrap();
        Call {
            id: CallId(0),
            exec,
            toolkit: toolkit.into(),
            method: method.into(),
            args,
            line: 1,
            places: place
                .map(|place| ("path".to_owned(), place.to_owned()))
                .into_iter()
                .collect(),
        }
    }

    pub fn ended(&mut self, stdout: &str, error: Option<&str>) -> Vec<Effect> {
        let error = error.map(str::to_owned);
        let stdout = stdout.into();
        self.give(Event::ProgramEnded(ProgramEnd {
            stdout,
            error,
            ..end()
        }))
    }

    /// Ends the program well, with integer variables of the given names and values.
    pub fn ended_with(&mut self, stdout: &str, variables: &[(&str, &str)]) -> Vec<Effect> {
        let preview = |(name, value): &(&str, &str)| VariablePreview {
            name: (*name).to_owned(),
            kind: "int".to_owned(),
            preview: (*value).to_owned(),
        };
        let variables = variables.iter().map(preview).collect();
        let stdout = stdout.into();
        self.give(Event::ProgramEnded(ProgramEnd {
            stdout,
            variables,
            ..end()
        }))
    }

    /// The same run after a restart, restored from its written rows.
    pub fn restarted(&self, settings: Settings) -> Self {
        self.restarted_after(self, settings)
    }

    /// The same run, restored after its session has gone on with another run.
    pub fn restarted_after(&self, session: &Self, settings: Settings) -> Self {
        let run = self.mind.context().run.clone();
        let mut calls: Vec<CallRecord> = Vec::new();
        let mut state = None;
        for record in &self.written {
            match record {
                Record::Call(call) if call.run == run => {
                    calls.retain(|other| other.call.id != call.call.id);
                    calls.push((**call).clone());
                }
                Record::State(new) => state = Some((**new).clone()),
                Record::Call(_)
                | Record::Segment(_)
                | Record::Rule { .. }
                | Record::Result { .. }
                | Record::Title(_) => {}
            }
        }
        calls.sort_by_key(|record| record.call.id);
        let mind = Mind::new("s".into(), run, settings, session.past());
        let mind = mind.restore(state.unwrap(), calls, Vec::new());
        Self {
            mind,
            clock: session.clock,
            written: session.written.clone(),
        }
    }

    /// A new run in the same session, before its question.
    pub fn followed(&self, settings: Settings) -> Self {
        let last = self.mind.context().run.as_str();
        let number: u32 = last.trim_start_matches("run-").parse().unwrap();
        let run = format!("run-{:08}", number + 1);
        Self {
            mind: Mind::new("s".into(), run.into(), settings, self.past()),
            clock: self.clock,
            written: self.written.clone(),
        }
    }

    /// The session's past, as recorded.
    fn past(&self) -> Past {
        let segments = self.written.iter().filter_map(|record| match record {
            Record::Segment(segment) => Some(segment.clone()),
            _ => None,
        });
        let mut calls: Vec<CallRecord> = Vec::new();
        for record in &self.written {
            if let Record::Call(call) = record {
                calls.retain(|other| (&other.run, other.call.id) != (&call.run, call.call.id));
                calls.push((**call).clone());
            }
        }
        Past {
            segments: segments.collect(),
            calls,
            left_behind: self.mind.state().left_behind,
            ..Past::default()
        }
    }
}

/// Settings with idempotent `tools`: a call performed again still happens only once.
pub fn with_idempotent(tools: &[&str]) -> Settings {
    let toolkit = |tool: &&str| {
        let (name, method) = tool.split_once('.').unwrap();
        let method = MethodSpec {
            name: method.into(),
            doc: String::new(),
            parameters: Vec::new(),
            returns: "dict".into(),
            class: Class::Read,
            matters: Vec::new(),
            idempotent: true,
        };
        ToolkitSpec {
            name: name.into(),
            doc: String::new(),
            methods: vec![method],
            source: ToolkitSource::BuiltIn,
            left_out: 0,
        }
    };
    Settings {
        toolkits: tools.iter().map(toolkit).collect(),
        ..Settings::default()
    }
}

fn end() -> ProgramEnd {
    ProgramEnd {
        stdout: String::new(),
        value: None,
        error: None,
        variables: Vec::new(),
        wall_ms: 1,
        cpu_ms: 0,
        memory_bytes: 0,
        diverged: false,
    }
}

pub fn reply(text: &str) -> ModelReply {
    ModelReply {
        text: text.into(),
        reasoning: String::new(),
        tool_calls: Vec::new(),
        finish: Finish::Stop,
        usage: Usage {
            input: 100,
            output: 10,
            model_calls: 1,
            ..Usage::default()
        },
        model: "m".into(),
        provider: String::new(),
        sampling: Sampling::default(),
        asked: String::new(),
    }
}

pub fn ended_as(effects: &[Effect]) -> Option<RunStatus> {
    effects.iter().find_map(|effect| match effect {
        Effect::End { status, .. } => Some(*status),
        _ => None,
    })
}

pub fn answer(effects: &[Effect]) -> Option<&str> {
    effects.iter().find_map(|effect| match effect {
        Effect::Show(RunEventKind::Answer { text }) => Some(text.as_str()),
        _ => None,
    })
}

pub fn asks_model(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| matches!(effect, Effect::AskModel(_)))
}

pub fn position(effects: &[Effect], wanted: impl Fn(&Effect) -> bool) -> usize {
    effects.iter().position(wanted).expect("the effect is there")
}

pub fn answered(effects: &[Effect]) -> Option<(CallId, CallOutcome, u32)> {
    effects.iter().find_map(|effect| match effect {
        Effect::AnswerCall { call, outcome, order } => Some((*call, outcome.clone(), *order)),
        _ => None,
    })
}

pub const PROGRAM: &str = "[Thought]: try\n```python\nx = 1\n```";
