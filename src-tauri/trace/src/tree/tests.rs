//! A real mind, its events, and the steps that come of them.

use super::*;
use crate::{ChatFacts, SingleChat};
use shidi_agent::{Decided, Event, Mind, Past, ProgramEnd, Settings, UserInput};
use shidi_protocol::{
    CallOutcome, FailureKind, Finish, ModelFailure, ModelReply, Sampling, SessionId, Usage, Worded,
};

const PROGRAM: &str = "<Thought>t</Thought>\n\n```python\nx = files.read(\"/a\")\n```\n";

/// A run and its trace: time goes on by ten milliseconds with every event.
struct Bench {
    mind: Mind,
    tree: Tree,
    now: Moment,
    chat: Option<u32>,
    /// Every step in its last form.
    steps: BTreeMap<u32, Draft>,
}

impl Bench {
    fn asked() -> Self {
        Self::begun(Settings {
            toolkits: shidi_toolkits::declared(),
            ..Settings::default()
        })
    }

    fn begun(settings: Settings) -> Self {
        let run = RunId::from("r");
        let mind = Mind::new(SessionId::from("s"), run.clone(), settings, Past::default());
        let mut tree = Tree::new(run);
        tree.begin(Moment(1_000), mind.context());
        let mut bench = Self {
            mind,
            tree,
            now: Moment(1_010),
            chat: None,
            steps: BTreeMap::new(),
        };
        let input = UserInput {
            text: "why?".to_owned(),
            ..UserInput::default()
        };
        bench.give(Event::Asked(input));
        bench
    }

    fn give(&mut self, event: Event) {
        self.now.0 += 10;
        for effect in self.mind.handle(self.now, event) {
            let drafts = self.tree.observe(self.now, self.mind.context(), &effect);
            self.take(drafts);
            if let Effect::AskModel(request) = effect {
                let facts = ChatFacts {
                    provider: "openai",
                    model: "m",
                    window_tokens: 8_000,
                };
                let (chat, drafts) = self.tree.chat_begins(self.now, Arc::new(*request), facts);
                self.chat = chat;
                self.take(drafts);
            }
        }
    }

    fn take(&mut self, drafts: Vec<Draft>) {
        for draft in drafts {
            self.steps.insert(draft.span.id, draft);
        }
    }

    fn answer(&mut self, answer: Result<ModelReply, ModelFailure>) {
        self.now.0 += 10;
        let first = Some(Moment(self.now.0 - 4));
        let drafts = self.tree.chat_ends(self.now, self.chat.take(), first, &answer);
        self.take(drafts);
        self.give(match answer {
            Ok(reply) => Event::ModelAnswered { reply },
            Err(failure) => Event::ModelFailed { failure },
        });
    }

    /// The user stops it, also while something is under way.
    fn stop(&mut self) {
        self.give(Event::Cancelled);
        self.give(Event::Cancelled);
    }

    fn call(&mut self, toolkit: &str, method: &str, args: Value, class: shidi_protocol::Class) {
        let call = shidi_protocol::Call {
            id: CallId(0),
            exec: ExecId(1),
            toolkit: toolkit.to_owned(),
            method: method.to_owned(),
            args: map(args),
            line: 1,
            places: std::collections::BTreeMap::new(),
        };
        let barred = None;
        self.give(Event::CallRequested { call, class, barred });
    }

    fn named(&self, name: &str) -> &Draft {
        let mut steps = self.steps.values();
        steps
            .find(|draft| draft.span.name == name)
            .unwrap_or_else(|| panic!("{name} in {:?}", self.shape()))
    }

    fn shape(&self) -> Vec<(u32, Option<u32>, String, bool)> {
        let shown = |draft: &Draft| {
            let Span {
                id,
                parent,
                name,
                open,
                ..
            } = &draft.span;
            (*id, *parent, name.clone(), *open)
        };
        self.steps.values().map(shown).collect()
    }
}

fn reply(text: &str) -> ModelReply {
    ModelReply {
        asked: String::new(),
        text: text.to_owned(),
        reasoning: String::new(),
        tool_calls: Vec::new(),
        finish: Finish::Stop,
        usage: Usage {
            input: 90,
            cached: 40,
            output: 10,
            cost: Some(0.5),
            model_calls: 1,
            estimated: false,
        },
        model: "m-2026".to_owned(),
        provider: String::new(),
        sampling: Sampling::default(),
    }
}

fn ended(stdout: &str) -> Event {
    Event::ProgramEnded(ProgramEnd {
        stdout: stdout.to_owned(),
        value: None,
        error: None,
        variables: Vec::new(),
        wall_ms: 5,
        cpu_ms: 0,
        memory_bytes: 0,
        diverged: false,
    })
}

#[test]
fn a_run_is_a_tree_of_areas_models_programs_and_calls() {
    let mut bench = Bench::asked();
    assert!(
        bench.named("cognition").span.open,
        "it can be watched while it is at work"
    );
    bench.answer(Ok(reply(PROGRAM)));
    bench.call(
        "files",
        "read",
        json!({"path": "/a"}),
        shidi_protocol::Class::Read,
    );
    let outcome = CallOutcome::success(json!("text of a"), "a · 1 line").untrusted();
    bench.give(Event::CallReturned {
        call: CallId(1),
        outcome,
    });
    bench.give(ended("out"));
    bench.answer(Ok(reply("<Answer>because</Answer>")));
    let names = bench.shape();
    let expected = [
        (1, None, "shidi"),
        (2, Some(1), "perception"),
        (3, Some(1), "cognition"),
        (4, Some(3), "m-2026"),
        (5, Some(3), "python"),
        (6, Some(5), "files.read"),
        (7, Some(1), "motor"),
        (8, Some(7), "m-2026"),
        (9, Some(1), "expression"),
        (10, Some(1), "evaluation"),
    ];
    assert_eq!(
        names,
        expected.map(|(id, parent, name)| (id, parent, name.to_owned(), false))
    );
    let root = &bench.steps[&1].span;
    assert_eq!(root.attributes[names::USAGE_INPUT_TOKENS], 180);
    assert_eq!(root.attributes[names::STATUS], "completed");
    assert!(root.attributes[names::FIRST_WORD_MS].as_u64().unwrap() > 0);
    let call = bench.named("files.read");
    assert_eq!(call.span.attributes[names::GROUNDS][0]["by"], "table");
    assert_eq!(call.span.attributes[names::UNTRUSTED], true);
    assert_eq!(call.content[names::TOOL_CALL_RESULT], "text of a");
    assert!(
        bench.steps[&5].content[names::PROGRAM]
            .as_str()
            .unwrap()
            .contains("files.read")
    );
    assert_eq!(
        bench.steps[&4].span.attributes[names::RESPONSE_TIME_TO_FIRST_CHUNK],
        0.006
    );
}

#[test]
fn a_program_of_the_users_own_can_be_watched_from_its_beginning() {
    let bench = Bench::begun(Settings {
        program: Some("x = 1".to_owned()),
        ..Settings::default()
    });
    let program = bench.named("python");
    assert!(program.span.open, "{:?}", bench.shape());
    assert_eq!(program.content[names::PROGRAM], "x = 1");
    assert!(bench.steps[&1].span.open);
}

#[test]
fn why_a_call_was_allowed_is_told_and_what_a_person_said_of_it() {
    let mut bench = Bench::asked();
    bench.answer(Ok(reply(PROGRAM)));
    bench.call(
        "files",
        "read",
        json!({"path": "/etc/hosts"}),
        shidi_protocol::Class::ReadOutside,
    );
    let waiting = &bench.named("files.read").span;
    assert_eq!(waiting.attributes[names::GROUNDS][0]["verdict"], "ask");
    assert!(waiting.attributes.contains_key(names::WAITING_SINCE) && waiting.open);
    bench.give(Event::ProgramWaits);
    let since = bench.steps[&1].span.attributes[names::RESTING_SINCE].clone();
    bench.now.0 += 60_000;
    let decision = Decided::Approved { always: false };
    bench.give(Event::Decided {
        call: CallId(1),
        decision,
    });
    bench.give(Event::CallReturned {
        call: CallId(1),
        outcome: CallOutcome::success(json!(1), "1"),
    });
    bench.give(ended(""));
    bench.answer(Ok(reply("<Answer>because</Answer>")));
    let call = &bench.named("files.read").span.attributes;
    let grounds = call[names::GROUNDS].as_array().unwrap();
    assert_eq!(
        (&grounds[0]["class"], &grounds[0]["mode"]),
        (&json!("read_outside"), &json!("risky"))
    );
    assert_eq!(
        grounds[1],
        json!({"by": "user", "approved": true, "always": false})
    );
    assert!(call[names::WAITED_MS].as_u64().unwrap() >= 60_000);
    let root = &bench.steps[&1].span.attributes;
    assert_eq!(root[names::RESTS][0][0], since);
    assert!(!root.contains_key(names::RESTING_SINCE));
    assert!(
        root[names::FIRST_WORD_MS].as_u64().unwrap() < 1_000,
        "waiting for people is no waiting for words"
    );
}

#[test]
fn a_cancelled_run_leaves_nothing_open() {
    let mut bench = Bench::asked();
    bench.answer(Ok(reply(PROGRAM)));
    bench.call(
        "files",
        "read",
        json!({"path": "/a"}),
        shidi_protocol::Class::Read,
    );
    bench.stop();
    assert!(
        bench.shape().iter().all(|(.., open)| !open),
        "{:?}",
        bench.shape()
    );
    assert_eq!(
        bench.named("files.read").span.attributes[names::ERROR_TYPE],
        "cancelled"
    );
    assert_eq!(bench.steps[&1].span.attributes[names::STATUS], "cancelled");
}

#[test]
fn a_model_that_fails_ends_its_step_with_the_providers_words() {
    let mut bench = Bench::asked();
    let failure = ModelFailure {
        kind: FailureKind::Key,
        detail: Worded::theirs("401 invalid_api_key"),
        provider: "openai".to_owned(),
        provider_title: None,
        partial: None,
    };
    bench.answer(Err(failure));
    let chat = &bench.named("m").span.attributes;
    assert_eq!(
        (&chat[names::ERROR_TYPE], &chat[names::SUMMARY]),
        (&json!("key"), &json!("401 invalid_api_key"))
    );
    assert!(bench.shape().iter().all(|(.., open)| !open));
}

#[test]
fn a_trace_goes_on_where_its_record_ended() {
    let mut bench = Bench::asked();
    bench.answer(Ok(reply(PROGRAM)));
    bench.call(
        "files",
        "read",
        json!({"path": "/etc/hosts"}),
        shidi_protocol::Class::ReadOutside,
    );
    bench.give(Event::ProgramWaits);
    let spans = bench.steps.values().map(|draft| {
        let mut span = draft.span.clone();
        span.attributes.extend(draft.content.clone());
        span
    });
    let (tree, drafts) = Tree::restored(RunId::from("r"), spans.collect(), 0, None);
    assert!(drafts.is_empty());
    bench.tree = tree;
    bench.now.0 += 5_000;
    let decision = Decided::Refused {
        reason: Some("no".to_owned()),
    };
    bench.give(Event::Decided {
        call: CallId(1),
        decision,
    });
    bench.give(ended(""));
    bench.answer(Ok(reply("<Answer>could not</Answer>")));
    assert_eq!(bench.steps.len(), 10, "{:?}", bench.shape());
    assert!(bench.shape().iter().all(|(.., open)| !open));
    let call = bench.named("files.read");
    assert_eq!(
        (call.span.id, &call.span.attributes[names::DECIDED_SAID]),
        (6, &json!("no"))
    );
    assert_eq!(call.content[names::TOOL_CALL_ARGUMENTS]["path"], "/etc/hosts");
}

#[test]
fn the_step_of_an_answer_that_broke_off_with_its_process_holds_what_had_come() {
    let bench = Bench::asked();
    let spans: Vec<Span> = bench.steps.values().map(|draft| draft.span.clone()).collect();
    let answer = PartialAnswer {
        run: RunId::from("r"),
        time: Moment(9_000),
        role: shidi_protocol::ModelRole::Coder,
        format: "fenced".to_owned(),
        reply: shidi_protocol::PartialReply {
            text: "Once upon".to_owned(),
            usage: reply("").usage,
            provider: "stand-in".to_owned(),
            ..shidi_protocol::PartialReply::default()
        },
    };
    let (_, drafts) = Tree::restored(RunId::from("r"), spans.clone(), 0, Some(&answer));
    let [chat] = drafts.as_slice() else {
        panic!("{drafts:?}");
    };
    let attributes = &chat.span.attributes;
    assert!(!chat.span.open);
    assert_eq!(chat.span.started.0.saturating_add_unsigned(chat.span.ms), 9_000);
    assert_eq!(attributes[names::ERROR_TYPE], "interrupted");
    assert_eq!(attributes[names::PROVIDER_NAME], "stand-in");
    assert_eq!(attributes[names::USAGE_OUTPUT_TOKENS], 10);
    let said = &chat.content[names::OUTPUT_MESSAGES][0]["parts"][0]["content"];
    assert_eq!(said, "Once upon");
    let (_, drafts) = Tree::restored(RunId::from("r"), spans, 0, None);
    assert!(!drafts[0].content.contains_key(names::OUTPUT_MESSAGES));
}

#[test]
fn a_full_trace_counts_what_it_leaves_out_and_ends_all_the_same() {
    let mut bench = Bench::asked();
    bench.tree.last = STEPS_MAX;
    bench.answer(Ok(reply(PROGRAM)));
    bench.call(
        "files",
        "read",
        json!({"path": "/a"}),
        shidi_protocol::Class::Read,
    );
    bench.stop();
    let root = &bench.steps[&1].span;
    assert!(!root.open && root.attributes[names::STEPS_LEFT_OUT].as_u64().unwrap() >= 2);
}

/// The steps of a run that asked a model once, each in its last form.
fn single(
    answer: &Result<ModelReply, ModelFailure>,
    status: shidi_protocol::RunStatus,
) -> BTreeMap<u32, Draft> {
    let bench = Bench::asked();
    let request = bench.steps.values().find_map(|draft| draft.request.clone());
    let (run, session) = (RunId::from("w"), SessionId::from("s"));
    let drafts = Tree::of_single_chat(&SingleChat {
        run: &run,
        session: &session,
        assistant: "shidi",
        facts: ChatFacts {
            provider: "openai",
            model: "m",
            window_tokens: 8_000,
        },
        request: &request.unwrap(),
        began: Moment(1_000),
        first: Some(Moment(1_200)),
        ended: Moment(3_000),
        answer,
        status,
        usage: &reply("").usage,
    });
    drafts.into_iter().map(|draft| (draft.span.id, draft)).collect()
}

#[test]
fn a_question_that_is_a_run_by_itself_has_its_model_tokens_cost_and_prompt() {
    let steps = single(&Ok(reply("total")), shidi_protocol::RunStatus::Completed);
    let shape = steps.values().map(|draft| {
        let span = &draft.span;
        (span.id, span.parent, span.name.as_str(), span.ms, span.open)
    });
    let expected = [
        (1, None, "shidi", 2_000, false),
        (2, Some(1), "m-2026", 2_000, false),
    ];
    assert_eq!(shape.collect::<Vec<_>>(), expected);
    assert_eq!(steps[&1].span.attributes[names::STATUS], "completed");
    let chat = &steps[&2];
    let attributes = &chat.span.attributes;
    assert_eq!(attributes[names::USAGE_INPUT_TOKENS], 90);
    assert_eq!(attributes[names::COST], 0.5);
    assert_eq!(attributes[names::RESPONSE_TIME_TO_FIRST_CHUNK], 0.2);
    assert_eq!(
        chat.content[names::OUTPUT_MESSAGES][0]["parts"][0]["content"],
        "total"
    );
    assert!(chat.request.is_some(), "the prompt goes with it");
}

#[test]
fn a_question_that_was_cancelled_says_so_and_its_run_too() {
    let failure = ModelFailure {
        kind: FailureKind::Cancelled,
        detail: Worded::theirs("stopped"),
        provider: "openai".to_owned(),
        provider_title: None,
        partial: None,
    };
    let steps = single(&Err(failure), shidi_protocol::RunStatus::Cancelled);
    let errors = steps
        .values()
        .map(|draft| &draft.span.attributes[names::ERROR_TYPE]);
    assert_eq!(errors.collect::<Vec<_>>(), [&json!("cancelled"); 2]);
}
