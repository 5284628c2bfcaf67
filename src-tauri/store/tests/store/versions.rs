//! Versions: each line of a session's runs has its own variables, as if the others had never been.

use crate::fixture::{Folder, run, session, variable, with_session};
use proptest::prelude::*;
use serde_json::{Value, json};
use shidi_protocol::{Moment, RunId, SessionId};
use shidi_store::{HeadMove, RunState, Store, Variable, VariableRow, Write};
use std::collections::BTreeMap;

type Found = BTreeMap<String, Value>;

fn s1() -> SessionId {
    SessionId::from("s1")
}

fn follows(id: &str, parent: Option<&str>, started: i64) -> Write {
    Write::PutRun(Box::new(RunState {
        parent: parent.map(RunId::from),
        started: Moment(started),
        ..run(id, "s1", None)
    }))
}

fn left(name: &str, value: Value, at: Option<&RunId>) -> Write {
    let variable = Variable {
        run: at.cloned(),
        ..variable(name, value)
    };
    Write::PutVariable {
        session: s1(),
        variable,
    }
}

fn found(store: &Store, after: Option<&RunId>) -> Found {
    let variables = store.variables(&s1(), after).unwrap();
    variables
        .into_iter()
        .map(|variable| (variable.name, variable.value.unwrap()))
        .collect()
}

#[derive(Debug, Clone)]
enum Step {
    /// Asks what follows one of the runs, or begins anew.
    Ask(Option<prop::sample::Index>),
    Put(&'static str, u32),
    Delete(&'static str),
    Erase(&'static str),
    /// Shows one of the versions.
    Switch(prop::sample::Index),
    Sweep,
    Reopen,
}

fn step() -> impl Strategy<Value = Step> {
    let name = || prop::sample::select(vec!["a", "b", "c"]);
    prop_oneof![
        4 => prop::option::weighted(0.9, any::<prop::sample::Index>()).prop_map(Step::Ask),
        8 => (name(), any::<u32>()).prop_map(|(name, value)| Step::Put(name, value)),
        3 => name().prop_map(Step::Delete),
        1 => name().prop_map(Step::Erase),
        4 => any::<prop::sample::Index>().prop_map(Step::Switch),
        3 => Just(Step::Sweep),
        1 => Just(Step::Reopen),
    ]
}

/// What each run ended with, told in the simplest way: what follows a run begins with a copy.
#[derive(Default)]
struct ReferenceModel {
    before: Found,
    runs: Vec<(Option<usize>, Found)>,
    shown: Option<usize>,
}

impl ReferenceModel {
    fn id(place: usize) -> RunId {
        RunId::from(format!("run-{place}"))
    }

    fn at(&mut self, place: Option<usize>) -> &mut Found {
        match place {
            None => &mut self.before,
            Some(place) => &mut self.runs[place].1,
        }
    }

    /// Where versions end.
    fn ends(&self) -> Vec<usize> {
        let is_followed = |place: &usize| self.runs.iter().any(|(parent, _)| *parent == Some(*place));
        (0..self.runs.len()).filter(|place| !is_followed(place)).collect()
    }

    /// Does a step here and gives its write.
    fn perform(&mut self, step: &Step) -> Option<Write> {
        let shown = self.shown;
        let run = shown.map(Self::id);
        Some(match step {
            Step::Ask(follows) => {
                let any = follows.filter(|_| !self.runs.is_empty());
                let parent = any.map(|index| index.index(self.runs.len()));
                let begins_with = self.at(parent).clone();
                let place = self.runs.len();
                self.runs.push((parent, begins_with));
                self.shown = Some(place);
                let parent = parent.map(Self::id);
                let started = i64::try_from(place).unwrap();
                self::follows(
                    Self::id(place).as_str(),
                    parent.as_ref().map(RunId::as_str),
                    started,
                )
            }
            Step::Put(name, value) => {
                self.at(shown).insert((*name).to_owned(), json!(value));
                left(name, json!(value), run.as_ref())
            }
            Step::Delete(name) | Step::Erase(name) => {
                self.at(shown).remove(*name);
                let (session, name) = (s1(), (*name).to_owned());
                match step {
                    Step::Delete(_) => Write::DeleteVariable { session, name, run },
                    _ => Write::EraseVariable { session, name, run },
                }
            }
            Step::Switch(index) => {
                let ends = self.ends();
                if ends.is_empty() {
                    return None;
                }
                let place = ends[index.index(ends.len())];
                self.shown = Some(place);
                Write::SetHead {
                    session: s1(),
                    run: Self::id(place),
                }
            }
            Step::Sweep => Write::SweepVariables(s1()),
            Step::Reopen => return None,
        })
    }

    /// What was erased may be gone in the middle of lines, where no version ends; nothing else is there instead.
    fn erased(&mut self, store: &Store, name: &str) {
        let ends = self.ends();
        let places: Vec<Option<usize>> = (0..self.runs.len()).map(Some).chain([None]).collect();
        for place in places {
            let is_end = match place {
                Some(place) => ends.contains(&place),
                None => ends.is_empty(),
            };
            let now = found(store, place.map(Self::id).as_ref());
            let told = self.at(place);
            if !is_end && !now.contains_key(name) {
                told.remove(name);
            }
        }
    }

    fn assert_found(&mut self, store: &Store) {
        for place in 0..self.runs.len() {
            assert_eq!(
                found(store, Some(&Self::id(place))),
                self.runs[place].1,
                "run {place}"
            );
        }
        assert_eq!(found(store, None), self.before);
        assert_eq!(store.head(&s1()).unwrap(), self.shown.map(Self::id));
        // What a session shows is what its own row says.
        let detail = store.session_detail(&s1()).unwrap().unwrap();
        let shown: Found = detail.variables.into_iter().collect();
        let place = self.shown;
        assert_eq!(&shown, self.at(place));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn every_version_finds_what_its_own_line_of_runs_left(steps in prop::collection::vec(step(), 1..40)) {
        let folder = Folder::new();
        let mut store = folder.open();
        store.commit(Write::PutSession(session("s1"))).unwrap();
        let mut told = ReferenceModel::default();
        for step in steps {
            match told.perform(&step) {
                Some(write) => store.commit(write).unwrap(),
                None => {
                    drop(store);
                    store = folder.open();
                }
            }
            if let Step::Erase(name) = step {
                told.erased(&store, name);
            }
            told.assert_found(&store);
        }
    }
}

#[test]
fn what_a_version_wrote_is_its_own_and_what_both_follow_is_of_both() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let [r1, r2, r3] = ["r1", "r2", "r3"].map(RunId::from);
    store
        .commit(vec![
            left("both", json!(0), Some(&r1)),
            left("early", json!("by hand"), None),
            follows("r2", Some("r1"), 2_000),
            left("x", json!(1), Some(&r2)),
            follows("r3", Some("r1"), 3_000),
            left("x", json!(2), Some(&r3)),
            Write::DeleteVariable {
                session: s1(),
                name: "both".to_owned(),
                run: Some(r3.clone()),
            },
        ])
        .unwrap();
    let of = |run| serde_json::to_value(found(&store, Some(run))).unwrap();
    assert_eq!(of(&r2), json!({"both": 0, "early": "by hand", "x": 1}));
    assert_eq!(of(&r3), json!({"early": "by hand", "x": 2}));
    assert_eq!(of(&r1), json!({"both": 0, "early": "by hand"}));
    let copy: Vec<VariableRow> = store.variable_rows(&s1()).unwrap();
    assert_eq!(copy.len(), 5, "{copy:?}");
}

#[test]
fn what_somebody_deletes_is_in_no_version_but_those_that_end_with_it() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let [r1, r2, r3] = ["r1", "r2", "r3"].map(RunId::from);
    let erase = |run: &RunId| Write::EraseVariable {
        session: s1(),
        name: "x".to_owned(),
        run: Some(run.clone()),
    };
    store
        .commit(vec![
            left("x", json!(1), Some(&r1)),
            follows("r2", Some("r1"), 2_000),
            follows("r3", Some("r1"), 3_000),
            erase(&r3),
        ])
        .unwrap();
    assert_eq!(found(&store, Some(&r3)), Found::new());
    assert_eq!(found(&store, Some(&r2)).len(), 1);
    store.commit(erase(&r2)).unwrap();
    assert!(store.variable_rows(&s1()).unwrap().is_empty(), "nobody finds it");
    assert_eq!(found(&store, Some(&r1)), Found::new());
}

#[test]
fn values_that_a_long_session_replaced_take_a_bounded_room() {
    const RUNS: i64 = 40;
    let folder = Folder::new();
    let store = with_session(&folder);
    let mut parent = RunId::from("r1");
    for number in 0..RUNS {
        let next = RunId::from(format!("run-{number}"));
        let large = Variable {
            text: "vv".to_owned(),
            run: Some(next.clone()),
            ..variable("x", json!("v".repeat(1 << 20)))
        };
        store
            .commit(vec![
                follows(next.as_str(), Some(parent.as_str()), 2_000 + number),
                Write::PutVariable {
                    session: s1(),
                    variable: large,
                },
                left("last", json!(number), Some(&next)),
                Write::SweepVariables(s1()),
            ])
            .unwrap();
        parent = next;
    }
    let rows = store.variable_rows(&s1()).unwrap();
    let large = rows
        .iter()
        .filter(|row| matches!(row, VariableRow::Left(left) if left.name == "x"));
    assert_eq!(
        large.count(),
        16,
        "what is there, and 15 earlier ones within 16 MB"
    );
    // The last question asked again finds what it found; the first one finds nothing, and nothing else.
    let before_last = RunId::from(format!("run-{}", RUNS - 2));
    assert_eq!(found(&store, Some(&before_last)).len(), 2);
    let third = found(&store, Some(&RunId::from("run-2")));
    assert_eq!(serde_json::to_value(third).unwrap(), json!({"last": 2}));
}

#[test]
fn what_is_shown_moves_from_where_it_was_chosen_alone() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let title = |store: &Store| store.session(&s1()).unwrap().unwrap().title;
    let to = |from: &str, run: &str| Write::MoveHead {
        session: s1(),
        to: HeadMove {
            from: Some(RunId::from(from)),
            run: RunId::from(run),
            title: format!("question of {run}"),
        },
    };
    store.commit(follows("r2", None, 2_000)).unwrap();
    store.commit(to("r1", "r1")).unwrap();
    assert_eq!(
        store.head(&s1()).unwrap(),
        Some(RunId::from("r2")),
        "a question came between"
    );
    assert_eq!(title(&store), "title of s1");
    store.commit(to("r2", "r1")).unwrap();
    assert_eq!(store.head(&s1()).unwrap(), Some(RunId::from("r1")));
    assert_eq!(title(&store), "question of r1");
    let named = Write::RenameSession {
        session: s1(),
        title: "moving".to_owned(),
    };
    store.commit(named).unwrap();
    store.commit(to("r1", "r2")).unwrap();
    let entitled = Write::EntitleSession {
        session: s1(),
        title: "another question".to_owned(),
    };
    store.commit(entitled).unwrap();
    assert_eq!(title(&store), "moving");
}
