//! Files of other programs: what becomes of them, what is told of the rest, and what must not come along.

use crate::import::{Import, import};
use crate::markdown;
use crate::words;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use shidi_locales::Language;
use shidi_protocol::{AssistantSpec, worded};

pub(super) fn of(name: &str, text: &str) -> Import {
    import(&name.into(), text.as_bytes())
}

pub(super) fn only(name: &str, text: &str) -> (AssistantSpec, String, Vec<String>) {
    let mut import = of(name, text);
    assert_eq!(import.refused, []);
    assert_eq!(import.assistants.len(), 1);
    let one = import.assistants.remove(0);
    let told = words::told(&one.left_out, Language::SOURCE).into_iter();
    (
        one.spec,
        one.text,
        told.map(|fault| format!("{}: {}", fault.line, fault.what))
            .collect(),
    )
}

pub(super) fn tells(told: &[String], line: u64, what: &str) -> bool {
    told.iter()
        .any(|one| one.starts_with(&format!("{line}: ")) && one.contains(what))
}

#[test]
fn a_list_of_cherry_studio_becomes_an_assistant_each_and_a_bad_one_is_refused_alone() {
    let text = "[\n{\"id\": \"1\", \"name\": \"Poet\", \"emoji\": \"🖋\", \"group\": [\"Art\"], \"prompt\": \"Write on {{date}}.\", \"description\": \"d\"},\n{\"id\": \"!\", \"name\": \"!\", \"prompt\": \"x\"}\n]";
    let import = of("agents.json", text);
    assert_eq!(import.refused.len(), 1);
    assert_eq!(import.refused[0].place.line, 3);
    let poet = &import.assistants[0];
    assert_eq!(
        (poet.spec.name.as_str(), poet.spec.picture.as_str()),
        ("poet", "🖋")
    );
    assert!(poet.text.contains("- Art"), "kept: {}", poet.text);
    assert_eq!(
        poet.left_out.len(),
        2,
        "the group and the placeholder: {:?}",
        poet.left_out
    );
}

#[test]
fn an_agent_of_cherry_studio_brings_its_sampling_by_its_switches_and_its_phrases() {
    let long = "x".repeat(400);
    let one = |settings: Value| {
        let item = json!({
            "id": "7", "name": "Poet", "type": "agent", "settings": settings,
            "prompt": "Write in {{language}} on {{current_date_and_time}}, {{language}}.",
            "regularPhrases": [{"title": "Ode", "content": "An ode to ${whom}"}, {"title": "Long", "content": long}],
            "topics": [{"messages": ["mine"]}],
            "mcpServers": [{"name": "m", "env": {"KEY": "sk-1"}, "headers": {"Authorization": "sk-2"}}],
        });
        only("agents.json", &json!([item]).to_string())
    };
    let (spec, text, told) = one(json!({
        "temperature": 0.4, "enableTemperature": true, "topP": 0.8, "enableTopP": false, "maxTokens": 900,
        "enableMaxTokens": true, "contextCount": 5,
        "customParameters": [{"name": "seed", "value": 7, "type": "number"}, {"name": "top_k", "value": 3, "type": "number"}],
    }));
    let sampling = &spec.sampling;
    assert_eq!(
        (sampling.temperature, sampling.top_p, sampling.seed),
        (Some(0.4), None, Some(7))
    );
    assert_eq!(spec.suggestions.len(), 1);
    assert_eq!(worded(&spec.suggestions[0], "en"), "An ode to ${whom}");
    for what in [
        "maxTokens",
        "contextCount",
        "top_k",
        "topics",
        "mcpServers",
        "${whom}",
        "{{language}}",
        "{{current_date_and_time}}",
        "xxxx",
    ] {
        assert!(tells(&told, 1, what), "{what}: {told:?}");
    }
    assert_eq!(told.iter().filter(|one| one.contains("{{language}}")).count(), 1);
    assert!(
        text.contains(&long) && text.contains("{{current_date_and_time}}"),
        "kept: {text}"
    );
    assert!(
        !text.contains("sk-") && !text.contains("mine"),
        "left behind: {text}"
    );
    let (older, _, told) = one(json!({"temperature": 0.7, "topP": 1, "maxTokens": 0}));
    assert_eq!(
        (older.sampling.temperature, older.sampling.top_p),
        (Some(0.7), None)
    );
    assert!(!tells(&told, 1, "maxTokens"), "{told:?}");
    let (off, _, _) =
        one(json!({"temperature": 1, "enableTemperature": false, "topP": 0.5, "enableTopP": true}));
    assert_eq!((off.sampling.temperature, off.sampling.top_p), (None, Some(0.5)));
}

#[test]
fn a_model_of_open_webui_brings_its_questions_and_sampling_and_leaves_people_behind() {
    let one = json!({
        "id": "legal", "name": "Legal help", "base_model_id": "gpt-x", "user_id": "u-1", "access_control": {"read": ["u-2"]},
        "params": {"system": "You know the law.", "temperature": 0.2, "top_p": 0.9, "seed": 4, "num_ctx": 4096},
        "meta": {
            "description": "Law", "profile_image_url": "/static/x.png", "suggestion_prompts": [{"content": "May I?"}],
            "toolIds": ["t1"], "knowledge": [{"name": "Laws", "user": {"email": "me@example.org"}}], "capabilities": {"vision": true},
        },
    });
    for text in [one.to_string(), json!([one]).to_string()] {
        let (spec, text, told) = only("models.json", &text);
        assert_eq!(spec.name, "legal-help");
        assert_eq!(worded(&spec.prompt, "en"), "You know the law.");
        assert_eq!(worded(&spec.suggestions[0], "en"), "May I?");
        assert_eq!(
            (spec.sampling.temperature, spec.sampling.top_p, spec.sampling.seed),
            (Some(0.2), Some(0.9), Some(4))
        );
        for what in ["base_model_id", "toolIds", "knowledge", "num_ctx", "user_id"] {
            assert!(tells(&told, 1, what), "{what}: {told:?}");
        }
        assert!(
            !text.contains("example.org") && !text.contains("u-1") && !text.contains("u-2"),
            "{text}"
        );
        assert!(text.contains("num_ctx"), "{text}");
    }
}

#[test]
fn an_agent_in_markdown_brings_the_tools_that_there_are_and_tells_of_the_others_by_line() {
    let text = "---\nname: code-helper\ndescription: Helps with code\ntools: Read, Grep, Bash(git *), mcp__x__y\nmodel: sonnet\ncolor: red\n---\n\nYou help.\n";
    let (spec, _, told) = only("code-helper.md", text);
    assert_eq!(
        spec.toolkits,
        Some(["files.read", "files.grep", "shell"].map(str::to_owned).to_vec())
    );
    assert_eq!(worded(&spec.prompt, "en"), "You help.");
    assert!(
        tells(&told, 4, "mcp__x__y") && tells(&told, 5, "model") && tells(&told, 6, "color"),
        "{told:?}"
    );
    let (again, _, _) = only(
        "a.md",
        &markdown::text((&spec, &Value::Null), "en").expect("written"),
    );
    assert_eq!(
        (again.toolkits, again.prompt, again.description),
        (spec.toolkits, spec.prompt, spec.description)
    );
}

fn card() -> Value {
    json!({"spec": "chara_card_v3", "spec_version": "3.0", "data": {
        "name": "Ada", "description": "{{char}} counts.", "personality": "precise", "first_mes": "Hello, {{user}}!",
        "system_prompt": "", "alternate_greetings": ["Good day."], "character_book": {"entries": [1]},
        "extensions": {"depth": 4}, "tags": ["math"],
    }})
}

#[test]
fn a_character_card_opens_with_its_greeting_and_keeps_what_nothing_stands_for() {
    let (spec, text, told) = only("ada.json", &card().to_string());
    assert_eq!(worded(&spec.opening, "en"), "Hello, the user!");
    assert_eq!(worded(&spec.suggestions[0], "en"), "Good day.");
    let prompt = worded(&spec.prompt, "en");
    assert!(
        prompt.contains("Ada counts.") && prompt.contains("precise"),
        "{prompt}"
    );
    assert!(
        text.contains("depth: 4") && text.contains("character_book"),
        "{text}"
    );
    assert!(tells(&told, 1, "character_book"), "{told:?}");
}

#[test]
fn what_is_told_of_a_card_is_what_it_lost_and_nothing_that_was_taken_over() {
    let mut card = card();
    card["avatar"] = "none".into();
    card["name"] = "Ada".into();
    card["data"]["creator_notes"] = "For those who count.".into();
    card["data"]["alternate_greetings"] = json!(["Hi, {{User}}.", "y".repeat(400)]);
    card["data"]["scenario"] = "<BOT> meets <USER> at {{time}}.".into();
    let (spec, text, told) = only("ada.json", &card.to_string());
    assert_eq!(worded(&spec.description, "en"), "For those who count.");
    assert_eq!(worded(&spec.suggestions[0], "en"), "Hi, the user.");
    assert!(worded(&spec.prompt, "en").contains("Ada meets the user at {{time}}."));
    let lost = [
        "tags",
        "extensions",
        "character_book",
        "avatar",
        "{{time}}",
        "yyyy",
    ];
    assert!(lost.iter().all(|what| tells(&told, 1, what)), "{told:?}");
    assert_eq!(told.len(), lost.len(), "{told:?}");
    assert!(text.contains(&"y".repeat(400)), "kept: {text}");
}

#[test]
fn a_card_within_a_picture_is_the_same_card() {
    let data = [
        b"chara\0".to_vec(),
        STANDARD.encode(card().to_string()).into_bytes(),
    ]
    .concat();
    let mut picture = b"\x89PNG\r\n\x1a\n".to_vec();
    picture.extend(u32::try_from(data.len()).expect("short").to_be_bytes());
    picture.extend(b"tEXt");
    picture.extend(&data);
    picture.extend([0; 4]);
    let found = import(&"ada.png".into(), &picture);
    assert_eq!(found.assistants[0].spec, only("ada.json", &card().to_string()).0);
    let without = import(&"x.png".into(), b"\x89PNG\r\n\x1a\n");
    assert_eq!((without.assistants.len(), without.refused.len()), (0, 1));
}

#[test]
fn a_recipe_of_goose_brings_instructions_and_tells_of_its_extensions() {
    let text = "version: 1.0.0\ntitle: Weekly report\ndescription: d\ninstructions: Write it.\nprompt: For this week\n\
                settings:\n  goose_model: m\n  temperature: 0.5\nextensions:\n  - name: x\n";
    let (spec, _, told) = only("recipe.yaml", text);
    assert_eq!(spec.name, "weekly-report");
    assert_eq!(worded(&spec.prompt, "en"), "Write it.");
    assert_eq!(worded(&spec.suggestions[0], "en"), "For this week");
    assert_eq!(spec.sampling.temperature, Some(0.5));
    assert!(
        tells(&told, 7, "goose_model") && tells(&told, 9, "extensions"),
        "{told:?}"
    );
}

#[test]
fn what_is_no_assistant_is_refused_with_the_forms_that_are_known() {
    for text in ["", "{}", "just words", "[1, 2]", "a: 1"] {
        let import = of("x", text);
        assert!(
            import.assistants.is_empty() && !import.refused.is_empty(),
            "{text:?}"
        );
    }
}
