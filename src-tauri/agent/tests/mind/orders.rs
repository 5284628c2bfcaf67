//! Events in any order: no shown segment is lost, every relied-on row is durable, no addition of the user goes
//! unheard. A run that rests can always be taken up again.

use crate::bench::*;
use proptest::prelude::*;
use shidi_agent::Phase;
use shidi_protocol::ModelRole;

/// An event that may reach the mind.
#[derive(Debug, Clone)]
enum Happening {
    Model(&'static str),
    ModelFails(FailureKind),
    Calls(&'static str, Class),
    Returns {
        call: u32,
        foreign: bool,
    },
    Waits,
    Decides {
        call: u32,
        decision: Decided,
    },
    Ends {
        error: bool,
    },
    Refused,
    Says,
    Cancelled,
    TimedOut,
    /// The process is killed: only the durable rows are left.
    Killed,
}

fn happening() -> impl Strategy<Value = Happening> {
    let texts = [
        "[Thought]: try\n```python\nx = 1\n```",
        "[Thought]: once more\n```python\nprint(2)\n```",
        "It is done.",
        "",
        "```python\nunfinished",
    ];
    let calls = vec![
        ("files.read", Class::Read),
        ("files.read", Class::ReadOutside),
        ("memory.remember", Class::Keep),
        ("shell.run", Class::ExecuteOpen),
        ("user.say", Class::Read),
        ("user.ask", Class::Read),
        ("todo.write", Class::Read),
        ("system.compress", Class::Read),
    ];
    let failures = vec![
        FailureKind::Unreachable,
        FailureKind::ContextLength,
        FailureKind::Cancelled,
        FailureKind::Budget,
    ];
    let decisions = vec![
        Decided::Approved { always: false },
        Decided::Approved { always: true },
        Decided::Refused { reason: None },
        Decided::Answered { text: "four".into() },
    ];
    prop_oneof![
        8 => prop::sample::select(texts.to_vec()).prop_map(Happening::Model),
        1 => prop::sample::select(failures).prop_map(Happening::ModelFails),
        6 => prop::sample::select(calls).prop_map(|(tool, class)| Happening::Calls(tool, class)),
        4 => (1u32..6, any::<bool>()).prop_map(|(call, foreign)| Happening::Returns { call, foreign }),
        3 => Just(Happening::Waits),
        4 => (1u32..6, prop::sample::select(decisions)).prop_map(|(call, decision)| Happening::Decides { call, decision }),
        3 => any::<bool>().prop_map(|error| Happening::Ends { error }),
        1 => Just(Happening::Refused),
        2 => Just(Happening::Says),
        1 => prop_oneof![Just(Happening::Cancelled), Just(Happening::TimedOut)],
        3 => Just(Happening::Killed),
    ]
}

fn event(happening: &Happening, place: usize) -> Option<Event> {
    Some(match happening {
        Happening::Model(text) => Event::ModelAnswered { reply: reply(text) },
        Happening::ModelFails(kind) => Event::ModelFailed {
            failure: ModelFailure {
                kind: *kind,
                detail: Worded::default(),
                provider: "p".into(),
                provider_title: None,
                partial: None,
            },
        },
        Happening::Returns { call, foreign } => {
            let outcome = CallOutcome::success(json!("data"), "data");
            Event::CallReturned {
                call: CallId(*call),
                outcome: if *foreign { outcome } else { outcome.own() },
            }
        }
        Happening::Waits => Event::ProgramWaits,
        Happening::Decides { call, decision } => Event::Decided {
            call: CallId(*call),
            decision: decision.clone(),
        },
        Happening::Ends { error } => Event::ProgramEnded(ProgramEnd {
            stdout: "out".into(),
            value: None,
            error: error.then(|| "ValueError: no".to_owned()),
            variables: Vec::new(),
            wall_ms: 1,
            cpu_ms: 0,
            memory_bytes: 0,
            diverged: false,
        }),
        Happening::Refused => Event::ProgramRefused {
            findings: vec![Finding {
                kind: "NameError".into(),
                message: "no".into(),
                line: 1,
                hint: None,
            }],
        },
        Happening::Says => Event::Said(UserInput {
            text: addition(place),
            ..UserInput::default()
        }),
        Happening::Cancelled => Event::Cancelled,
        Happening::TimedOut => Event::TimedOut,
        Happening::Calls(..) | Happening::Killed => return None,
    })
}

/// The user's addition at that place of the order, different from any other.
fn addition(place: usize) -> String {
    format!("also thing {place}.")
}

/// The rows that a power cut would leave, and the rows that wait for the next commit.
#[derive(Default)]
struct Disk {
    durable: Vec<Record>,
    buffered: Vec<Record>,
    /// Segments that somebody saw.
    shown: Vec<(SegmentKind, String)>,
    /// The user's additions that no request to the model has held yet.
    unheard: Vec<String>,
}

impl Disk {
    /// Takes the effects in their order, and checks the rows that each relies on.
    fn take(&mut self, effects: &[Effect]) -> Result<(), TestCaseError> {
        for effect in effects {
            match effect {
                Effect::Buffer(records) => self.buffered.extend(records.iter().cloned()),
                Effect::Commit(records) => {
                    self.durable.append(&mut self.buffered);
                    self.durable.extend(records.iter().cloned());
                }
                Effect::Show(RunEventKind::Segment { body, .. }) => {
                    self.shown.push((body.kind(), body.text().to_owned()));
                }
                Effect::AskModel(request) => {
                    self.everything_shown_is_durable()?;
                    let mut messages = request.messages.iter().map(|message| message.plain());
                    if request.role == ModelRole::Coder {
                        let prompt = messages.by_ref().collect::<Vec<_>>().join("\n");
                        self.unheard.retain(|text| !prompt.contains(text.as_str()));
                    }
                }
                Effect::Show(RunEventKind::Notification { text, .. }) if text.contains("Ask it again") => {
                    self.unheard.clear();
                }
                Effect::End { status, .. } => {
                    self.everything_shown_is_durable()?;
                    let is_heard = self.unheard.is_empty() || *status != RunStatus::Completed;
                    prop_assert!(is_heard, "completed without a word of {:?}", self.unheard);
                }
                Effect::Suspend => self.everything_shown_is_durable()?,
                Effect::PerformCall { call, class } if class.has_side_effect() => {
                    let intent = self.durable.iter().rev().find_map(|record| match record {
                        Record::Call(known) if known.call.id == call.id => Some(known.state),
                        _ => None,
                    });
                    prop_assert_eq!(
                        intent,
                        Some(CallState::Intended),
                        "no durable intent of {}",
                        call.tool()
                    );
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn everything_shown_is_durable(&self) -> Result<(), TestCaseError> {
        let count = |kind: &SegmentKind, text: &str| {
            let same = |record: &&Record| matches!(record, Record::Segment(known) if known.kind() == *kind && known.text() == text);
            self.durable.iter().filter(same).count()
        };
        for (kind, text) in &self.shown {
            let shown = self
                .shown
                .iter()
                .filter(|other| other == &&(kind.clone(), text.clone()))
                .count();
            prop_assert!(
                count(kind, text) >= shown,
                "{kind:?} {text:?} was shown and is not durable"
            );
        }
        Ok(())
    }
}

/// A mind made from the durable rows alone.
fn after_the_kill(bench: &mut Bench, disk: &mut Disk) -> Bench {
    disk.buffered.clear();
    bench.written.clone_from(&disk.durable);
    // A shown segment that was not durable may be lost. A segment that was written twice may keep only its
    // second writing.
    let mut kept: Vec<&Record> = disk.durable.iter().collect();
    disk.shown.retain(|(kind, text)| {
        let is_it = |record: &&Record| matches!(record, Record::Segment(known) if known.kind() == *kind && known.text() == *text);
        kept.iter().position(is_it).map(|place| kept.remove(place)).is_some()
    });
    bench.restarted(Settings::default())
}

fn goes_on(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| {
        matches!(
            effect,
            Effect::AskModel(_) | Effect::RunProgram { replay: true, .. } | Effect::End { .. }
        )
    })
}

fn segments_are_numbered(disk: &Disk) -> Result<(), TestCaseError> {
    let ids = disk
        .durable
        .iter()
        .chain(&disk.buffered)
        .filter_map(|record| match record {
            Record::Segment(segment) => Some(segment.id.0),
            _ => None,
        });
    let ids: Vec<_> = ids.collect();
    prop_assert!(ids.windows(2).all(|pair| pair[0] < pair[1]), "{ids:?}");
    Ok(())
}

proptest! {
    #[test]
    fn no_order_of_events_loses_what_was_shown_and_every_run_can_be_taken_up(
        happenings in prop::collection::vec(happening(), 1..60),
    ) {
        let mut disk = Disk::default();
        let (mut bench, effects) = Bench::asked("q");
        disk.take(&effects)?;
        for (place, happening) in happenings.iter().enumerate() {
            if matches!(happening, Happening::Says) && bench.mind.state().phase != Phase::Ended {
                disk.unheard.push(addition(place));
            }
            let effects = match happening {
                Happening::Calls(tool, class) if matches!(bench.mind.state().phase, Phase::Running { .. }) => {
                    let args = json!({"text": "t", "path": "/a", "items": []});
                    bench.call(tool, args, *class)
                }
                Happening::Calls(..) => Vec::new(),
                Happening::Killed => {
                    let was_over = bench.mind.state().phase == Phase::Ended;
                    bench = after_the_kill(&mut bench, &mut disk);
                    if was_over {
                        continue;
                    }
                    let waiting = bench.mind.waiting().len();
                    let effects = bench.give(Event::Resumed);
                    prop_assert!(goes_on(&effects), "{:?}: {effects:?}", bench.mind.state().phase);
                    prop_assert_eq!(bench.mind.waiting().len(), waiting, "what waits goes on waiting");
                    effects
                }
                other => event(other, place).map(|event| bench.give(event)).unwrap_or_default(),
            };
            disk.take(&effects)?;
            segments_are_numbered(&disk)?;
        }
    }
}
