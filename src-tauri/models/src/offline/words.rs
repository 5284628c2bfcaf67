//! The planner's sentences, from the catalogue. Every answer that is not computed says that no model understood
//! the question.

use shidi_locales::Language;

/// Pieces that mark the planner's own earlier answers, so that a recall does not quote them back.
pub(super) fn own_marks() -> &'static [&'static str] {
    &[
        "我没有理解它们",
        "没有找到相关内容",
        "没有语言模型",
        "已记住：",
        "I have not interpreted",
        "hold nothing about this",
        "out a language model",
        "Remembered: ",
        "shidi key set",
        "书房抽屉`",
        "护照在哪`",
        "in the desk`",
        "my passport`",
    ]
}

pub(super) fn found_in_notes(language: Language) -> &'static str {
    language.planner().found_in_notes()
}

fn missing_lead(language: Language) -> &'static str {
    language.planner().nothing_in_notes()
}

pub(super) fn nothing_in_notes(language: Language) -> String {
    format!(
        "{}{}",
        missing_lead(language),
        language.planner().between_sentences()
    ) + &without_model(language)
}

pub(super) fn found_in_files(language: Language) -> &'static str {
    language.planner().found_in_files()
}

pub(super) fn nothing_in_files(language: Language, names: &str, words: &[String]) -> String {
    let words = words.join(" ");
    language.planner().no_line_in_files(names, words)
}

pub(super) fn beginnings_of_files(language: Language) -> &'static str {
    language.planner().beginnings_of_files()
}

pub(super) fn no_readable_file(language: Language, has_image: bool) -> String {
    let what = if has_image {
        language.planner().no_images()
    } else {
        language.planner().no_text_in_files()
    };
    format!(
        "{what}{}{}",
        language.planner().between_sentences(),
        set_a_model(language)
    )
}

pub(super) fn cannot_interpret(language: Language) -> String {
    let what = language.planner().cannot_interpret();
    format!(
        "{what}{}{}",
        language.planner().between_sentences(),
        set_a_model(language)
    )
}

/// The honest answer to every other question.
pub(super) fn cannot(language: Language) -> String {
    let what = language.planner().cannot();
    format!("{what}\n\n{}\n\n{}", abilities(language), set_a_model(language))
}

/// The sentence for a note or a recall where there is no memory.
pub(super) fn without_memory(language: Language) -> &'static str {
    language.planner().without_memory()
}

pub(super) fn greeting(language: Language) -> String {
    let hello = language.planner().hello();
    format!("{hello}\n\n{}\n\n{}", abilities(language), set_a_model(language))
}

pub(super) fn thanks(language: Language) -> &'static str {
    language.planner().welcome()
}

/// The sentence about the end of a program that the user typed.
pub(super) fn output(language: Language, output: &str, failed: bool) -> String {
    let output = output.trim_end();
    let empty = output.is_empty();
    let lead = match (failed, empty) {
        (true, _) => language.planner().program_failed(),
        (false, true) => {
            return language.planner().program_printed_nothing().to_owned();
        }
        (false, false) => language.planner().program_printed(),
    };
    let fence = if output.contains("```") { "~~~~" } else { "```" };
    format!("{lead}\n\n{fence}text\n{}\n{fence}", harmless(output))
}

/// Text without any line that is read as an instruction. A fence or tag at a line's start gets an invisible
/// character before it.
fn harmless(text: &str) -> String {
    let line = |line: &str| {
        let start = line.trim_start();
        let is_special = start.starts_with("```")
            || start.starts_with("~~~")
            || start.starts_with('[')
            || start.starts_with('<');
        if is_special {
            format!("\u{200c}{line}")
        } else {
            line.to_owned()
        }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn without_model(language: Language) -> String {
    let what = language.planner().without_model();
    format!(
        "{what}{}{}",
        language.planner().between_sentences(),
        set_a_model(language)
    )
}

fn abilities(language: Language) -> &'static str {
    language.planner().abilities()
}

fn set_a_model(language: Language) -> &'static str {
    language.planner().set_a_model()
}
