//! What links bring in, and whether that helps: R@3 on `tests/memory/experience` with links and without.

use super::super::choosing::choose;
use super::*;
use serde::Deserialize;
use shidi_protocol::{Ask, ExperienceDraft, Moment, SessionId};

#[derive(Deserialize)]
struct Sample {
    id: String,
    goal: String,
    lesson: String,
    calls: Vec<String>,
    error: String,
    context: Vec<String>,
}

#[derive(Deserialize)]
struct Question {
    text: String,
    #[serde(default)]
    page: Option<String>,
    relevant: Vec<String>,
}

fn approved(told: Sample) -> Experience {
    let draft = ExperienceDraft {
        goal: told.goal,
        lesson: told.lesson,
        code: String::new(),
    };
    let mut experience = Experience::written(ExperienceId::from(told.id.as_str()), draft, Moment(1));
    experience.kind = ExperienceKind::Fix;
    (experience.calls, experience.error, experience.context) = (told.calls, told.error, told.context);
    experience
}

fn lines<Line: for<'line> Deserialize<'line>>(name: &str) -> Vec<Line> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/memory/experience");
    let text = std::fs::read_to_string(format!("{folder}/{name}.jsonl")).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn wanted(question: &Question) -> Wanted {
    let ask = Ask {
        text: question.text.clone(),
        context: question
            .page
            .as_ref()
            .map(|page| serde_json::json!({ "url": page })),
        ..Ask::default()
    };
    Wanted::of(&ask, &SessionId::from("s"))
}

/// Of one half: R@3 over the questions that have an answer, what links brought, and how much of that was wanted.
fn scored(half: &str, most: usize) -> (f64, usize, usize) {
    let known: Vec<Experience> = lines::<Sample>(&format!("{half}-experiences"))
        .into_iter()
        .map(approved)
        .collect();
    let links = Links::of(&known);
    let (mut recall, mut answered, mut brought, mut right) = (0.0, 0.0, 0, 0);
    for question in lines::<Question>(&format!("{half}-questions")) {
        let wanted = wanted(&question);
        let by_words = choose(&wanted, &known);
        let more = linked(&wanted, &by_words, &known, &links, most);
        let is_relevant = |one: &&Chosen<'_>| {
            question
                .relevant
                .iter()
                .any(|id| one.experience.id.as_str() == id)
        };
        brought += more.len();
        right += more.iter().filter(is_relevant).count();
        if !question.relevant.is_empty() {
            let found = by_words.iter().chain(&more).filter(is_relevant).count();
            recall += found as f64 / question.relevant.len() as f64;
            answered += 1.0;
        }
    }
    (recall / answered, brought, right)
}

#[test]
fn links_are_followed_as_far_as_they_find_more_of_what_is_wanted() {
    for half in ["dev", "test"] {
        let (without, _, _) = scored(half, 0);
        let (with, brought, right) = scored(half, 1);
        println!(
            "{half}: R@3 {without:.3} by words, {with:.3} with one link; {right} of {brought} brought are wanted"
        );
        let helps = with > without + 0.02 && right * 2 > brought;
        assert_eq!(helps, LINKED_MAX > 0, "{half}: the measure decides");
    }
}

fn known() -> Vec<Experience> {
    let told = |id: &str, goal: &str, error: &str, context: &[&str]| {
        approved(Sample {
            id: id.to_owned(),
            goal: goal.to_owned(),
            lesson: "lesson".to_owned(),
            calls: vec!["page.fill".to_owned()],
            error: error.to_owned(),
            context: context.iter().map(|&key| key.to_owned()).collect(),
        })
    };
    let site = ["site:intranet.example"];
    vec![
        told(
            "travel",
            "Fill in the travel expense form",
            "ValueError: no date",
            &site,
        ),
        told("leave", "填请假申请", "ValueError: no date", &site),
        told("other", "Order paper clips", "", &[]),
    ]
}

fn found(known: &[Experience], most: usize) -> Vec<&str> {
    let ask = Ask {
        text: "Fill in the travel expense form for Berlin".to_owned(),
        ..Ask::default()
    };
    let wanted = Wanted::of(&ask, &SessionId::from("s"));
    let chosen = choose(&wanted, known);
    assert_eq!(chosen.len(), 1);
    let more = linked(&wanted, &chosen, known, &Links::of(known), most);
    assert!(more.iter().all(|one| one.fit < chosen[0].fit), "words come first");
    more.iter().map(|one| one.experience.id.as_str()).collect()
}

#[test]
fn what_shares_an_error_and_a_site_is_brought_in_and_a_tool_alone_brings_nothing() {
    let mut known = known();
    assert_eq!(found(&known, 2), ["leave"]);
    assert!(found(&known, 0).is_empty(), "the switch");
    for state in ExperienceState::ALL {
        known[1].state = state;
        assert_eq!(
            found(&known, 1).len(),
            usize::from(state == ExperienceState::Approved)
        );
    }
    known[1].state = ExperienceState::Approved;
    known[1].kind = ExperienceKind::Mistake;
    assert!(found(&known, 1).is_empty(), "mistakes have a module of their own");
    known[1].kind = ExperienceKind::Fix;
    known[1].scope = "assistant:ops".parse().unwrap();
    assert!(found(&known, 1).is_empty(), "another assistant's");
    (known[1].scope, known[1].error, known[1].context) = ("user".parse().unwrap(), String::new(), Vec::new());
    assert!(found(&known, 1).is_empty(), "the tool alone");
}

#[test]
fn links_are_tools_the_error_and_what_was_around() {
    let mut one = known().remove(0);
    one.context = vec![
        "toolkit:files".to_owned(),
        "file:.csv".to_owned(),
        "x".repeat(500),
    ];
    one.code = "rows = await files.read(path='await x')\nawait (f())\nawait asyncio.sleep(1)".to_owned();
    let expected = [
        "error:ValueError",
        "file:.csv",
        "tool:asyncio.sleep",
        "tool:files.read",
        "tool:page.fill",
    ];
    assert_eq!(links(&one).iter().collect::<Vec<_>>(), expected);
}
