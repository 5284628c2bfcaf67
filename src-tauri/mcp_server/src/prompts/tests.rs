//! What becomes a prompt of the protocol, and how.

use super::*;
use serde_json::json;
use shidi_locales::Language;
use shidi_protocol::{PromptFieldKind, SkillFile};

fn field(name: &str) -> PromptField {
    PromptField {
        name: name.to_owned(),
        kind: PromptFieldKind::Free,
        label: format!("The {name}"),
        default: None,
        choices: Vec::new(),
        optional: false,
    }
}

fn skill() -> ListedSkill {
    ListedSkill {
        name: "review".to_owned(),
        description: "Reviews a text".to_owned(),
        source: SkillSource::User,
        trust: SkillTrust::Reviewed,
        on: true,
        path: Some("/skills/review".to_owned()),
        from: None,
        problem: None,
        notes: Vec::new(),
    }
}

#[test]
fn a_field_is_an_argument_that_is_required_unless_something_stands_for_it() {
    let optional = PromptField {
        optional: true,
        ..field("note")
    };
    let default = PromptField {
        default: Some("English".to_owned()),
        ..field("language")
    };
    let prompt = SavedPrompt {
        name: "translate".to_owned(),
        description: String::new(),
        text: "Translate {text} into {language}. {note}".to_owned(),
        fields: vec![field("text"), default, optional],
        path: String::new(),
        problem: None,
    };
    let said = serde_json::to_value(saved_prompt(&prompt)).unwrap();
    assert_eq!(
        said,
        json!({"name": "translate", "arguments": [
            {"name": "text", "description": "The text", "required": true},
            {"name": "language", "description": "The language", "required": false},
            {"name": "note", "description": "The note", "required": false},
        ]})
    );
}

#[test]
fn of_skills_only_those_that_the_user_has_reviewed_and_left_on_are_offered() {
    assert!(is_offered(&skill()));
    for other in [
        ListedSkill {
            trust: SkillTrust::New,
            ..skill()
        },
        ListedSkill {
            trust: SkillTrust::Changed,
            ..skill()
        },
        ListedSkill { on: false, ..skill() },
        ListedSkill {
            problem: Some("It has no text".to_owned()),
            ..skill()
        },
        ListedSkill {
            source: SkillSource::BuiltIn,
            ..skill()
        },
    ] {
        assert!(!is_offered(&other), "{other:?}");
    }
    let offered = skill_prompt(&skill(), Language::En.mcp_server());
    let said = serde_json::to_value(offered).unwrap();
    assert_eq!(said["description"], "Reviews a text");
    assert_eq!(said["arguments"][0]["name"], TASK);
}

#[test]
fn a_skill_with_files_says_where_they_lie() {
    let mut detail = SkillDetail {
        skill: skill(),
        text: "Read it twice".to_owned(),
        license: None,
        compatibility: None,
        allowed_tools: None,
        files: Vec::new(),
        findings: Vec::new(),
        digest: String::new(),
        replaces: false,
    };
    assert_eq!(guide(&detail), "Read it twice");
    detail.files = vec![SkillFile {
        path: "rules.md".to_owned(),
        bytes: 3,
        program: false,
    }];
    assert!(guide(&detail).ends_with("Its files lie in /skills/review"));
}

#[test]
fn choices_are_found_by_how_they_begin() {
    let choices = ["English".to_owned(), "Estonian".to_owned(), "French".to_owned()];
    assert_eq!(begun(&choices, "e"), ["English", "Estonian"]);
    assert_eq!(begun(&choices, ""), choices);
    assert!(begun(&choices, "x").is_empty());
}

#[test]
fn values_are_texts_however_they_are_written() {
    assert_eq!(said(json!("a")), "a");
    assert_eq!(said(json!(5)), "5");
    assert_eq!(said(json!(true)), "true");
}
