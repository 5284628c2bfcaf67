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
fn arguments_that_do_not_fit_are_refused_in_the_words_of_the_protocol() {
    let language = PromptField {
        choices: vec!["English".to_owned(), "French".to_owned()],
        ..field("language")
    };
    let tone = PromptField {
        choices: vec!["plain".to_owned()],
        optional: true,
        ..field("tone")
    };
    let mut prompt = SavedPrompt {
        name: "translate".to_owned(),
        description: String::new(),
        text: "Translate {text} into {language}. {tone}".to_owned(),
        fields: vec![field("text"), language, tone],
        path: String::new(),
        problem: None,
    };
    let check = |prompt: &SavedPrompt, given: &[(&str, &str)]| {
        let values = given
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let refused = checked(prompt, &values.collect(), Language::En.mcp_server()).err()?;
        Some(format!(
            "{}. {}",
            refused.message,
            refused.hint.unwrap_or_default()
        ))
    };
    let text = ("text", "Hello");
    for fine in [
        &[text, ("language", "French")][..],
        &[text, ("language", "English"), ("tone", "")],
        &[text, ("language", "English"), ("tone", "plain")],
    ] {
        assert_eq!(check(&prompt, fine), None, "{fine:?}");
    }
    for (given, said) in [
        (
            &[("language", "French")][..],
            "The prompt translate needs the argument text. Give it in arguments, as in {\"text\":\"…\"}",
        ),
        (
            &[text, ("language", "french")],
            "language can't be french. language takes one of: English, French",
        ),
        (
            &[text, ("language", "French"), ("tone", "loud")],
            "tone can't be loud. tone takes one of: plain",
        ),
        (
            &[text, ("words", "5")],
            "There is no argument words. arguments may have: text, language, tone",
        ),
    ] {
        let refused = check(&prompt, given).unwrap();
        assert!(refused.contains(said), "{refused}");
        assert!(!refused.contains("--set"), "{refused}");
    }
    prompt.fields.clear();
    let refused = check(&prompt, &[text]).unwrap();
    assert!(refused.contains("takes no arguments"), "{refused}");
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
