//! Experiences: reviewed, counted and ended as told; gone with the session that taught them unless the user took them over.

use crate::fixture::{Folder, run, session, with_session};
use proptest::prelude::*;
use shidi_protocol::{
    Experience, ExperienceDraft, ExperienceGround, ExperienceId, ExperienceKind, ExperienceOutcome,
    ExperienceRole, ExperienceState, ExperienceVote, MemoryScope, Moment, RunId, RunStatus, SessionId,
};
use shidi_store::{ExperienceFilter, ExperienceKeys, ExperienceWrite, Store, Write};

fn id(name: &str) -> ExperienceId {
    ExperienceId::from(name)
}

fn candidate(name: &str) -> Experience {
    let draft = ExperienceDraft {
        goal: format!("goal of {name}"),
        lesson: format!("lesson of {name}"),
        code: format!("print('{name}')"),
    };
    let mut experience = Experience::written(id(name), draft, Moment(5_000));
    experience.state = ExperienceState::Candidate;
    experience.ground = ExperienceGround::Undecided;
    experience.seen = 1;
    experience
}

fn put(experience: &Experience) -> Write {
    Write::Experience(ExperienceWrite::Put {
        experience: Box::new(experience.clone()),
        keys: ExperienceKeys {
            goal: experience.goal.clone(),
            code: experience.code.clone(),
            links: experience.context.clone(),
        },
    })
}

fn link(experience: &str, run: &str, role: ExperienceRole) -> Write {
    Write::Experience(ExperienceWrite::Link {
        experience: id(experience),
        run: RunId::from(run),
        role,
        at: Moment(6_000),
    })
}

fn decide(experience: &str, state: ExperienceState, ground: ExperienceGround) -> Write {
    Write::Experience(ExperienceWrite::Decide {
        experience: id(experience),
        state,
        ground,
        at: Moment(7_000),
    })
}

fn one(store: &Store, name: &str) -> Experience {
    store.experience(&id(name)).unwrap().unwrap()
}

fn names(store: &Store, filter: &ExperienceFilter) -> Vec<String> {
    let found = store.experiences(filter, 0, 100).unwrap();
    found.into_iter().map(|found| found.id.to_string()).collect()
}

#[test]
fn an_experience_is_read_as_it_was_written_and_changed_without_losing_its_counts() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let mut written = candidate("e1");
    written.kind = ExperienceKind::Fix;
    written.scope = MemoryScope::Assistant("ops".to_owned());
    written.context = vec!["toolkit:files".to_owned(), "file:.csv".to_owned()];
    written.calls = vec!["files.read".to_owned()];
    written.failed_code = "print(1/0)".to_owned();
    written.error = "ZeroDivisionError: division by zero".to_owned();
    written.result = "3".to_owned();
    written.outcome = ExperienceOutcome::Success;
    written.tainted = true;
    written.votes = vec![ExperienceVote {
        model: "small".to_owned(),
        keep: true,
        score: 8,
        comment: "明白".to_owned(),
        time: Moment(5_500),
    }];
    store.commit(put(&written)).unwrap();
    assert_eq!(one(&store, "e1"), written);
    store
        .commit(vec![
            Write::Experience(ExperienceWrite::See {
                experience: id("e1"),
                tainted: false,
            }),
            put(&Experience {
                lesson: "another".to_owned(),
                ..written.clone()
            }),
        ])
        .unwrap();
    let changed = one(&store, "e1");
    assert_eq!((changed.lesson.as_str(), changed.seen), ("another", 2));
    let keys = ExperienceKeys {
        goal: String::new(),
        code: written.code.clone(),
        links: Vec::new(),
    };
    let twin = |kind| store.experience_twin(kind, &keys).unwrap();
    assert_eq!(twin(ExperienceKind::Fix).map(|twin| twin.id), Some(id("e1")));
    assert_eq!(twin(ExperienceKind::Warning), None);
    let nothing = ExperienceKeys::default();
    assert_eq!(
        store.experience_twin(ExperienceKind::Fix, &nothing).unwrap(),
        None
    );
}

#[test]
fn a_run_scores_what_it_used_once_and_what_it_only_taught_never() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let score = |outcome| {
        Write::Experience(ExperienceWrite::Score {
            run: RunId::from("r1"),
            outcome,
        })
    };
    store
        .commit(vec![
            put(&candidate("e1")),
            put(&candidate("e2")),
            link("e1", "r1", ExperienceRole::Used),
            link("e2", "r1", ExperienceRole::Taught),
            link("e1", "r9", ExperienceRole::Used),
            link("e9", "r1", ExperienceRole::Used),
        ])
        .unwrap();
    let used = store.experiences_of(&RunId::from("r1")).unwrap();
    assert_eq!(
        used.iter().map(|used| used.id.as_str()).collect::<Vec<_>>(),
        ["e1"]
    );
    store
        .commit(vec![
            score(ExperienceOutcome::Failure),
            score(ExperienceOutcome::Failure),
        ])
        .unwrap();
    let (used, taught) = (one(&store, "e1"), one(&store, "e2"));
    assert_eq!(
        (used.wins, used.losses, used.last_used),
        (0, 1, Some(Moment(6_000)))
    );
    assert_eq!((taught.wins, taught.losses, taught.last_used), (0, 0, None));
    assert_eq!(used.runs[0].outcome, Some(ExperienceOutcome::Failure));
    assert_eq!(used.runs[0].question, "why?");
    store
        .commit(decide("e1", ExperienceState::Approved, ExperienceGround::User))
        .unwrap();
    assert_eq!(one(&store, "e1").losses, 0, "approved anew, it starts anew");
}

#[test]
fn a_deleted_session_takes_what_only_it_taught_and_leaves_what_the_user_approved() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let other = run("r2", "s2", Some(RunStatus::Completed));
    store
        .commit(vec![
            Write::PutSession(session("s2")),
            Write::PutRun(Box::new(other)),
            put(&candidate("alone")),
            put(&candidate("shared")),
            put(&candidate("approved")),
            put(&candidate("voted")),
            put(&candidate("by-hand")),
            decide("approved", ExperienceState::Approved, ExperienceGround::User),
            decide("voted", ExperienceState::Approved, ExperienceGround::Votes),
            link("alone", "r1", ExperienceRole::Taught),
            link("shared", "r1", ExperienceRole::Taught),
            link("shared", "r2", ExperienceRole::Taught),
            link("approved", "r1", ExperienceRole::Taught),
            link("voted", "r1", ExperienceRole::Taught),
        ])
        .unwrap();
    store.commit(Write::DeleteSession(SessionId::from("s1"))).unwrap();
    let mut left = names(&store, &ExperienceFilter::default());
    left.sort();
    assert_eq!(left, ["approved", "by-hand", "shared"]);
    assert!(one(&store, "approved").runs.is_empty());
    drop(store);
    assert!(!folder.holds("lesson of alone") && folder.holds("lesson of approved"));
}

#[test]
fn an_erased_experience_is_in_no_file() {
    let folder = Folder::new();
    let store = with_session(&folder);
    store.commit(put(&candidate("e1"))).unwrap();
    store
        .commit(Write::Experience(ExperienceWrite::Delete(id("e1"))))
        .unwrap();
    assert_eq!(store.experience(&id("e1")).unwrap(), None);
    drop(store);
    assert!(!folder.holds("lesson of e1"));
}

#[test]
fn lists_are_filtered_and_what_waits_for_a_review_comes_first_by_votes() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let voted = |name: &str, score| {
        let mut voted = candidate(name);
        voted.votes = vec![ExperienceVote {
            model: "m".to_owned(),
            keep: score > 5,
            score,
            comment: String::new(),
            time: Moment(1),
        }];
        put(&voted)
    };
    store
        .commit(vec![
            put(&candidate("plain")),
            voted("bad", 2),
            voted("good", 9),
            put(&candidate("over")),
            decide("over", ExperienceState::Rejected, ExperienceGround::User),
        ])
        .unwrap();
    assert_eq!(
        names(&store, &ExperienceFilter::default()),
        ["good", "plain", "bad", "over"]
    );
    let rejected = ExperienceFilter {
        states: vec![ExperienceState::Rejected],
        text: String::new(),
    };
    assert_eq!(names(&store, &rejected), ["over"]);
    let spoken = ExperienceFilter {
        states: Vec::new(),
        text: "LESSON of b".to_owned(),
    };
    assert_eq!(names(&store, &spoken), ["bad"]);
    let counts = store.experience_counts().unwrap();
    let counts: Vec<_> = counts
        .iter()
        .map(|count| (count.state, count.experiences))
        .collect();
    assert_eq!(
        counts,
        [(ExperienceState::Candidate, 3), (ExperienceState::Rejected, 1)]
    );
    assert_eq!(store.find_experience("goo").unwrap(), Some(id("good")));
    store
        .commit(Write::Experience(ExperienceWrite::Drop { most: 2 }))
        .unwrap();
    assert_eq!(names(&store, &ExperienceFilter::default()).len(), 2);
}

#[test]
fn what_nobody_used_or_reviewed_since_then_expires() {
    let folder = Folder::new();
    let store = with_session(&folder);
    store
        .commit(vec![
            put(&candidate("old")),
            put(&candidate("used")),
            put(&candidate("new")),
            decide("new", ExperienceState::Approved, ExperienceGround::User),
            link("used", "r1", ExperienceRole::Used),
            Write::Experience(ExperienceWrite::Expire {
                since: Moment(5_500),
                now: Moment(9_000),
            }),
        ])
        .unwrap();
    let states = ["old", "used", "new"].map(|name| one(&store, name).state);
    assert_eq!(
        states,
        [
            ExperienceState::Expired,
            ExperienceState::Candidate,
            ExperienceState::Approved
        ]
    );
    assert_eq!(one(&store, "old").ground, ExperienceGround::Unused);
}

#[test]
fn links_lead_to_what_is_approved_and_go_with_their_experience() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let linked = |name: &str, links: &[&str]| {
        let mut experience = candidate(name);
        experience.context = links.iter().map(|&link| link.to_owned()).collect();
        put(&experience)
    };
    let approved = |name: &str| decide(name, ExperienceState::Approved, ExperienceGround::User);
    store
        .commit(vec![
            linked("a", &["tool:files.read", "error:TypeError"]),
            linked("b", &["error:TypeError", "site:shop.example"]),
            linked("c", &["error:TypeError"]),
            linked("d", &["site:shop.example"]),
            approved("b"),
            approved("d"),
        ])
        .unwrap();
    let around = |of: &[&str]| -> Vec<String> {
        let ids: Vec<ExperienceId> = of.iter().map(|name| id(name)).collect();
        let found = store.experience_links(&ids, 10).unwrap().into_iter();
        found
            .map(|one| format!("{} {}", one.experience, one.link))
            .collect()
    };
    let of_a = ["a error:TypeError", "a tool:files.read"];
    assert_eq!(
        around(&["a"]),
        [&of_a[..], &["b error:TypeError"]].concat(),
        "one link far, no candidate, and nothing that leads elsewhere"
    );
    assert!(around(&[]).is_empty());
    store.commit(linked("b", &["site:shop.example"])).unwrap();
    assert_eq!(around(&["a"]), of_a, "the links are those of its newest form");
    store
        .commit(Write::Experience(ExperienceWrite::Delete(id("a"))))
        .unwrap();
    assert!(around(&["a"]).is_empty());
}

#[test]
fn a_rare_link_is_found_among_thousands_of_rows_and_a_common_one_ends_with_the_newest() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let approved = |name: &str, decided: i64, links: &[&str]| {
        let mut experience = candidate(name);
        experience.state = ExperienceState::Approved;
        experience.decided = Moment(decided);
        experience.context = links.iter().map(|&link| link.to_owned()).collect();
        put(&experience)
    };
    let mut writes = vec![approved("a", 9_000, &["tool:files.read", "site:shop.example"])];
    for number in 0..1_500 {
        let own = format!("file:.{number}");
        let name = format!("e{number:04}");
        writes.push(approved(
            &name,
            1_000 + number,
            &["tool:files.read", own.as_str()],
        ));
    }
    // The oldest, and the last by its name.
    writes.push(approved("z", 1, &["site:shop.example"]));
    store.commit(writes).unwrap();
    let found = |newest: u32| -> Vec<String> {
        let rows = store.experience_links(&[id("a")], newest).unwrap().into_iter();
        rows.map(|one| format!("{} {}", one.experience, one.link))
            .collect()
    };
    let all = found(5_000);
    assert_eq!(all.len(), 2 + 1_500 + 1, "who has a link of it, and nothing else");
    assert!(all.contains(&"z site:shop.example".to_owned()));
    let newest = found(1_000);
    assert_eq!(newest.len(), 1_000 + 1 + 1, "each link by itself");
    assert!(newest.contains(&"z site:shop.example".to_owned()));
    assert!(newest.contains(&"e1499 tool:files.read".to_owned()));
    assert!(!newest.contains(&"e0000 tool:files.read".to_owned()));
}

#[test]
fn a_correction_counts_once_for_each_session_and_goes_with_it() {
    let folder = Folder::new();
    let store = with_session(&folder);
    store
        .commit(vec![
            Write::PutSession(session("s2")),
            Write::PutRun(Box::new(run("r2", "s1", None))),
            Write::PutRun(Box::new(run("r3", "s2", None))),
        ])
        .unwrap();
    let correct = |name: &str, class: &str, at: i64| {
        Write::Experience(ExperienceWrite::Correct {
            run: RunId::from(name),
            tool: "files.read".to_owned(),
            class: class.to_owned(),
            at: Moment(at),
        })
    };
    store
        .commit(vec![
            correct("r1", "TypeError", 3),
            correct("r2", "TypeError", 2),
            correct("r2", "TypeError", 9),
            correct("r3", "TypeError", 4),
            correct("r3", "KeyError", 1),
            correct("r9", "TypeError", 1),
        ])
        .unwrap();
    let runs = || {
        let runs = store.corrected_runs("files.read", "TypeError").unwrap();
        runs.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(runs(), ["r2", "r3"]);
    store.commit(Write::DeleteSession(SessionId::from("s2"))).unwrap();
    assert_eq!(runs(), ["r2"]);
}

#[test]
fn what_was_counted_of_a_common_mistake_goes_with_it_and_stays_when_it_is_rejected() {
    let of_kind = |name: &str, kind| {
        let mut one = candidate(name);
        (one.kind, one.goal) = (kind, "files.read|TypeError".to_owned());
        put(&one)
    };
    let gone = |name: &str| Write::Experience(ExperienceWrite::Delete(id(name)));
    let dropped = Write::Experience(ExperienceWrite::Drop { most: 0 });
    let rejected = decide("mistake", ExperienceState::Rejected, ExperienceGround::User);
    for (what, write, left) in [
        ("deleted", gone("mistake"), 0),
        ("dropped", dropped, 0),
        ("its session", Write::DeleteSession(SessionId::from("s2")), 0),
        ("made a lesson", of_kind("mistake", ExperienceKind::Fix), 0),
        ("edited", of_kind("mistake", ExperienceKind::Mistake), 1),
        ("rejected", rejected, 1),
        ("another", gone("fix"), 1),
    ] {
        let folder = Folder::new();
        let store = with_session(&folder);
        store
            .commit(vec![
                Write::PutSession(session("s2")),
                Write::PutRun(Box::new(run("r2", "s2", Some(RunStatus::Completed)))),
                of_kind("mistake", ExperienceKind::Mistake),
                of_kind("fix", ExperienceKind::Fix),
                link("mistake", "r2", ExperienceRole::Taught),
                Write::Experience(ExperienceWrite::Correct {
                    run: RunId::from("r1"),
                    tool: "files.read".to_owned(),
                    class: "TypeError".to_owned(),
                    at: Moment(2),
                }),
            ])
            .unwrap();
        store.commit(write).unwrap();
        let runs = store.corrected_runs("files.read", "TypeError").unwrap();
        assert_eq!(runs.len(), left, "{what}");
    }
}

proptest! {
    #[test]
    fn another_win_never_lowers_the_bound_and_another_loss_never_raises_it(
        wins in 0_u32..10_000,
        losses in 0_u32..10_000,
    ) {
        let bound = Experience::lower_bound(wins, losses);
        prop_assert!((0.0..=1.0).contains(&bound));
        prop_assert!(Experience::lower_bound(wins + 1, losses) >= bound);
        prop_assert!(Experience::lower_bound(wins, losses + 1) <= bound);
        if wins + losses > 0 {
            prop_assert!(bound <= f64::from(wins) / f64::from(wins + losses) + 1e-12);
        }
    }
}
