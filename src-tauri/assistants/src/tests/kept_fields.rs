//! Fields that are not ours survive an import, a change by the form and every export, whichever program they came from.

use super::forms::{self, Form};
use super::importing::of;
use super::read;
use crate::import::{Format, Imported};
use crate::markdown;
use crate::writing;
use serde_json::Value;
use shidi_protocol::AssistantSpec;

fn imported(file: &str, text: &str) -> Imported {
    let mut import = of(file, text);
    assert_eq!(import.refused, [], "{text}");
    assert_eq!(import.assistants.len(), 1, "{text}");
    import.assistants.remove(0)
}

/// The fields in a file of ours that came with another program's, or beside our own keys.
fn kept(form: &Form, document: &Value) -> Value {
    match form.format {
        Format::Shidi => document.clone(),
        Format::Cherry
        | Format::OpenWebui
        | Format::AgentMarkdown
        | Format::OpencodeAgent
        | Format::CharacterCard
        | Format::Goose => document["other"][form.format.name()].clone(),
    }
}

/// Fails where one of the form's other fields is not there as it came.
fn assert_kept(form: &Form, document: &Value, after: &str) {
    let kept = kept(form, document);
    for (key, value) in form.others.as_object().expect("fields") {
        let name = form.format.name();
        assert_eq!(&kept[key], value, "{key} of {name} after {after}: {document}");
    }
}

/// The assistant with another prompt, as somebody changes it by the form.
fn changed(spec: &AssistantSpec) -> AssistantSpec {
    AssistantSpec {
        prompt: [(String::new(), "Now something else.".to_owned())].into(),
        ..spec.clone()
    }
}

#[test]
fn fields_of_every_other_program_survive_import_change_and_export_as_yaml_and_json() {
    for form in forms::all() {
        let first = imported(form.file, form.text);
        assert_kept(&form, &first.document, "an import");
        let spec = changed(&first.spec);
        let text = writing::text(&spec, &first.document).expect("written");
        let saved = read(&text).unwrap_or_else(|faults| panic!("{faults:?} in {text}"));
        assert_eq!(saved.spec, spec);
        assert_kept(&form, &saved.document, "a change");
        for (file, exported) in [("out.yaml", text), ("out.json", saved.document.to_string())] {
            let again = imported(file, &exported);
            assert_eq!(again.spec, spec, "{exported}");
            assert_eq!(again.origin, first.origin, "{exported}");
            assert_kept(&form, &again.document, file);
        }
    }
}

#[test]
fn fields_of_agents_in_markdown_stand_in_their_export_as_such() {
    let are_agents = |form: &Form| matches!(form.format, Format::AgentMarkdown | Format::OpencodeAgent);
    let agents: Vec<Form> = forms::all().into_iter().filter(are_agents).collect();
    assert_eq!(agents.len(), 2);
    for form in agents {
        let first = imported(form.file, form.text);
        let spec = changed(&first.spec);
        let exported = markdown::text((&spec, &first.document), "en").expect("written");
        let again = imported("out.md", &exported);
        assert_kept(&form, &again.document, "an export as Markdown");
        assert_eq!(again.origin, first.origin, "it is known again: {exported}");
        assert_eq!(
            (again.spec.prompt, again.spec.sampling, again.spec.toolkits),
            (spec.prompt, spec.sampling, spec.toolkits),
            "{exported}"
        );
    }
}

#[test]
fn a_description_that_was_cut_is_whole_in_the_export_until_somebody_writes_another() {
    let long = "a long tale ".repeat(60);
    let text = format!("---\nname: a\ndescription: {long}\ntools: Read\n---\nx\n");
    let first = imported("a.md", &text);
    let exported = |spec: &AssistantSpec| markdown::text((spec, &first.document), "en").expect("written");
    let again = imported("out.md", &exported(&first.spec));
    assert_eq!(again.document["other"], first.document["other"]);
    let other = AssistantSpec {
        description: [(String::new(), "Brief.".to_owned())].into(),
        ..first.spec.clone()
    };
    assert!(exported(&other).contains("description: Brief."));
}
