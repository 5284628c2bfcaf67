//! The first case of a workflow that was made of a run: a suite that asks the run's question where the workflow is kept and the
//! files are there that the run read.
//!
//! Pure. Whatever stands in a file or a program is data there, and no template.

use crate::from_run::name_of;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// What a case is made of.
pub struct FirstCase<'a> {
    pub question: &'a str,
    /// The file's name of the workflow without its ending, and how programs call it.
    pub name: &'a str,
    pub method: &'a str,
    pub workflow: &'a str,
    /// By their paths in the folder in which the case is tried.
    pub files: &'a BTreeMap<String, String>,
    /// Files that the case lacks.
    pub left_out: &'a BTreeSet<String>,
    /// What the run found and its answer retold.
    pub shown: Option<&'a str>,
}

/// The text of the suite: the workflow is called for the question, and what comes of it is what came of it then.
///
/// # Errors
/// The library's words for a value that it can't write.
pub fn case_of(case: &FirstCase<'_>) -> Result<String, String> {
    let mut checks = vec![json!({"type": "tool-used", "value": format!("workflows.{}", case.method)})];
    checks.extend(
        case.shown
            .map(|shown| json!({"type": "contains", "value": plain(&untemplated(shown))})),
    );
    let mut situation = Map::new();
    // Nobody is there to be asked: what is risky is not done.
    situation.insert("mode".to_owned(), json!("risky"));
    let workflows = Map::from_iter([(case.name.to_owned(), json!(untemplated(case.workflow)))]);
    situation.insert("workflows".to_owned(), Value::Object(workflows));
    if !case.files.is_empty() {
        let files = case.files.iter();
        let files = files.map(|(name, text)| (name.clone(), json!(untemplated(text))));
        situation.insert("files".to_owned(), Value::Object(files.collect()));
    }
    let mut test = Map::new();
    test.insert("description".to_owned(), json!("as-it-was"));
    test.insert(
        "vars".to_owned(),
        json!({"question": quoted(case.question.trim())}),
    );
    test.insert("shidi".to_owned(), Value::Object(situation));
    test.insert("assert".to_owned(), Value::Array(checks));
    if !case.left_out.is_empty() {
        test.insert("metadata".to_owned(), json!({"left_out": case.left_out}));
    }
    let suite = json!({
        "description": name_of(case.question),
        "prompts": ["{{question}}"],
        "tests": [test],
    });
    serde_saphyr::to_string(&suite).map_err(|error| error.to_string())
}

/// A question that looks like the name of a file is none.
fn quoted(text: &str) -> String {
    match text.starts_with("file://") {
        true => format!("\u{201c}{text}\u{201d}"),
        false => text.to_owned(),
    }
}

/// A text that a check reads as itself.
fn plain(text: &str) -> &str {
    text.trim_start_matches("file://")
}

/// A text whose braces stand for themselves where suites have variables put in: each opening one is an expression of its own.
fn untemplated(text: &str) -> String {
    match text.contains("{{") || text.contains("{%") {
        true => text.replace('{', "{{ '{' }}"),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use minijinja::Environment;

    fn suite(case: &FirstCase<'_>) -> Value {
        let text = case_of(case).expect("a text");
        let root = shidi_yaml::read(&"case.yaml".into(), &text);
        root.unwrap_or_else(|malformed| panic!("{}\n{text}", malformed.why))
            .json()
    }

    #[test]
    fn it_has_the_workflow_and_the_files_and_says_which_it_lacks() {
        let files = [("a.txt".to_owned(), "one {{two}} {% three\n".to_owned())].into();
        let left_out = ["big.txt".to_owned()].into();
        let program = "version: '1.0'\nsteps: [{code: \"f'{{x}}'\"}]\n";
        let suite = suite(&FirstCase {
            question: "How many?",
            name: "how-many",
            method: "how_many",
            workflow: program,
            files: &files,
            left_out: &left_out,
            shown: Some("3 {{words}}"),
        });
        let test = &suite["tests"][0];
        assert_eq!(test["assert"][0]["value"], "workflows.how_many");
        assert_eq!(test["metadata"]["left_out"], json!(["big.txt"]));
        assert_eq!(test["shidi"]["mode"], "risky");
        // As whoever reads suites puts variables in.
        let rendered = |text: &Value| {
            let text = text.as_str().expect("a text");
            Environment::new().render_str(text, ()).expect("a template")
        };
        let workflow = rendered(&test["shidi"]["workflows"]["how-many"]);
        assert_eq!(workflow.trim_end(), program.trim_end());
        let file = rendered(&test["shidi"]["files"]["a.txt"]);
        assert_eq!(file.trim_end(), files["a.txt"].trim_end());
        assert_eq!(rendered(&test["assert"][1]["value"]), "3 {{words}}");
    }

    #[test]
    fn what_looks_like_a_file_is_the_text_that_it_is() {
        let suite = suite(&FirstCase {
            question: "file:///etc/passwd",
            name: "x",
            method: "x",
            workflow: "",
            files: &BTreeMap::new(),
            left_out: &BTreeSet::new(),
            shown: Some("file:///etc/passwd"),
        });
        let test = &suite["tests"][0];
        assert_eq!(test["vars"]["question"], "\u{201c}file:///etc/passwd\u{201d}");
        assert_eq!(test["assert"][1]["value"], "/etc/passwd");
        assert!(test["shidi"].get("files").is_none() && test.get("metadata").is_none());
    }
}
