//! A case as the text of a suite, without secrets: whatever stands in it is data there, and no template.

use crate::occasion::Occasion;
use serde_json::{Map, Value, json};
use shidi_locales::Language;
use shidi_senses::redacted;

/// What a case is made of beside its occasion: the user's own words about it.
pub struct Complaint<'a> {
    pub wrong: &'a str,
    pub wanted: &'a [String],
    pub language: Language,
}

/// The text, and how many pieces of it held a secret.
///
/// # Errors
/// The library's words for a value that it can't write.
pub fn written(occasion: &Occasion, complaint: &Complaint<'_>) -> Result<(String, u32), String> {
    let mut cleaner = Cleaner::default();
    let mut test = Map::new();
    test.insert("metadata".to_owned(), metadata(occasion, complaint, &mut cleaner));
    let situation = situation(occasion, &mut cleaner);
    test.insert("shidi".to_owned(), Value::Object(situation));
    test.insert("assert".to_owned(), checks(complaint, &mut cleaner));
    let suite = json!({
        "prompts": [question(&cleaner.template(&occasion.question))],
        "tests": [test],
    });
    let text = serde_saphyr::to_string(&suite).map_err(|error| error.to_string())?;
    Ok((text, cleaner.redacted))
}

/// A question that looks like the name of a file is none.
fn question(text: &str) -> String {
    match text.starts_with("file://") || text.trim_start().starts_with("[{") {
        true => format!("\u{201c}{text}\u{201d}"),
        false => text.to_owned(),
    }
}

fn metadata(occasion: &Occasion, complaint: &Complaint<'_>, cleaner: &mut Cleaner) -> Value {
    let wanted: Vec<String> = complaint
        .wanted
        .iter()
        .map(|wanted| cleaner.clean(wanted))
        .collect();
    let steps: Vec<String> = occasion.steps.iter().map(|step| cleaner.clean(step)).collect();
    json!({
        "run": occasion.run,
        "tainted": occasion.tainted || occasion.history.iter().any(|said| said.tainted),
        "language": complaint.language.code(),
        "wrong": cleaner.clean(complaint.wrong.trim()),
        "wanted": wanted,
        "answer": cleaner.clean(&occasion.answer),
        "steps": steps,
    })
}

fn situation(occasion: &Occasion, cleaner: &mut Cleaner) -> Map<String, Value> {
    let mut situation = Map::new();
    // Nobody is there to be asked: what is risky is not done.
    situation.insert("mode".to_owned(), json!("risky"));
    if !occasion.history.is_empty() {
        let said = occasion.history.iter().map(|said| {
            json!({
                "question": cleaner.template(&said.question),
                "answer": cleaner.template(&said.answer),
                "tainted": said.tainted,
            })
        });
        situation.insert("history".to_owned(), said.collect());
    }
    if !occasion.files.is_empty() {
        let files = occasion.files.iter();
        let files = files.map(|(name, text)| (name.clone(), json!(cleaner.template(text))));
        situation.insert("files".to_owned(), Value::Object(files.collect()));
    }
    if !occasion.attached.is_empty() {
        situation.insert("attach".to_owned(), json!(occasion.attached));
    }
    let mut texts = |name: &str, texts: &[String]| {
        if !texts.is_empty() {
            let texts: Value = texts.iter().map(|text| json!(cleaner.template(text))).collect();
            situation.insert(name.to_owned(), texts);
        }
    };
    texts("memory", &occasion.memory);
    texts("answers", &occasion.answers);
    if let Some(page) = &occasion.page {
        let page = json!({
            "url": cleaner.template(&page.url),
            "title": cleaner.template(&page.title),
            "text": cleaner.template(&page.text),
        });
        situation.insert("page".to_owned(), page);
    }
    situation
}

fn checks(complaint: &Complaint<'_>, cleaner: &mut Cleaner) -> Value {
    let wanted = complaint.wanted.iter().map(|wanted| wanted.trim());
    let wanted = wanted.filter(|wanted| !wanted.is_empty());
    let mut checks: Vec<Value> = wanted
        .map(|wanted| json!({"type": "icontains", "value": plain(&cleaner.template(wanted))}))
        .collect();
    let wrong = complaint.wrong.trim();
    if !wrong.is_empty() {
        let rubric = complaint.language.bad_cases().rubric(cleaner.template(wrong));
        checks.push(json!({"type": "llm-rubric", "value": rubric}));
    }
    Value::Array(checks)
}

/// A text that a check reads as itself.
fn plain(text: &str) -> String {
    match text.starts_with("file://") {
        true => text.trim_start_matches("file://").to_owned(),
        false => text.to_owned(),
    }
}

/// Takes secrets out, and counts the texts that had some.
#[derive(Default)]
struct Cleaner {
    redacted: u32,
}

impl Cleaner {
    fn clean(&mut self, text: &str) -> String {
        let clean = redacted(text);
        self.redacted += u32::from(clean != text);
        clean
    }

    /// The same where suites have variables put in: its own signs stand for themselves.
    fn template(&mut self, text: &str) -> String {
        let clean = self.clean(text);
        match clean.contains("{{") || clean.contains("{%") {
            true => escaped(&clean),
            false => clean,
        }
    }
}

/// Every opening brace in an expression of its own: what stands before or behind it opens nothing with it.
fn escaped(text: &str) -> String {
    text.replace('{', "{{ '{' }}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::occasion::{Said, SeenPage};
    use proptest::prelude::*;
    use shidi_evaluation::{Content, read};

    const SECRET: &str = "sk-abcdefghijklmnopqrstuvwx";

    fn english() -> Language {
        Language::of(Some("en"))
    }

    fn occasion(text: &str) -> Occasion {
        Occasion {
            run: "r1".to_owned(),
            tainted: false,
            question: format!("Q {text}"),
            answer: text.to_owned(),
            history: vec![Said {
                question: format!("H {text}"),
                answer: format!("A {text}"),
                tainted: true,
            }],
            files: [("a.csv".to_owned(), text.to_owned())].into(),
            attached: vec!["a.csv".to_owned()],
            memory: vec![format!("M {text}")],
            page: Some(SeenPage {
                url: "https://a.example/".to_owned(),
                title: format!("T {text}"),
                text: text.to_owned(),
            }),
            answers: vec![format!("Y {text}")],
            steps: vec![text.to_owned()],
            left_out: Vec::new(),
        }
    }

    fn complaint<'a>(wrong: &'a str, wanted: &'a [String]) -> Complaint<'a> {
        Complaint {
            wrong,
            wanted,
            language: english(),
        }
    }

    #[test]
    fn secrets_are_taken_out_of_everything_and_counted() {
        let text = format!("key {SECRET} end");
        let (written, redacted) =
            written(&occasion(&text), &complaint(&text, std::slice::from_ref(&text))).unwrap();
        assert!(!written.contains(SECRET), "{written}");
        assert!(redacted >= 9, "{redacted}");
    }

    #[test]
    fn what_looks_like_a_file_is_the_text_that_it_is() {
        let text = "file:///etc/passwd";
        let mut occasion = occasion("x");
        occasion.question = text.to_owned();
        let wanted = [text.to_owned()];
        let (written, _) = written(&occasion, &complaint("", &wanted)).unwrap();
        let suite = read("case", &written, english()).unwrap();
        assert!(suite.cases[0].turns[0].contains("file:///etc/passwd"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn whatever_was_said_comes_back_as_it_was(text in "[ -~\u{e9}\u{4f60}\n\t{}%#'\"]{0,80}") {
            let occasion = occasion(&text);
            let wanted = ["nothing".to_owned()];
            let (written, redacted) = written(&occasion, &complaint("wrong {{x}}", &wanted)).unwrap();
            prop_assume!(redacted == 0);
            let suite = read("case", &written, english());
            let suite = suite.map_err(|error| TestCaseError::fail(format!("{}\n{written}", error.message)))?;
            let case = &suite.cases[0];
            prop_assert_eq!(&case.turns[0], &occasion.question);
            prop_assert_eq!(&case.history[0].question, &occasion.history[0].question);
            prop_assert_eq!(&case.history[0].answer, &occasion.history[0].answer);
            prop_assert_eq!(&case.setup.files["a.csv"], &Content::Bytes(text.clone().into_bytes()));
            prop_assert_eq!(&case.setup.memory[0], &occasion.memory[0]);
            prop_assert_eq!(&case.setup.answers[0], &occasion.answers[0]);
            prop_assert_eq!(&case.setup.page.as_ref().unwrap().text, &text);
        }
    }
}
