//! Keys that tell that two runs taught the same. They are the goal's words without figures, and the program's shape
//! without its texts, figures and comments. Pure.

use shidi_protocol::{Experience, ExperienceKind};
use shidi_store::{ExperienceKeys, question_terms};

/// Terms of a goal that make its key; longer goals differ anyway.
const TERMS_MAX: usize = 40;

/// Goals of fewer terms and programs of fewer letters say too little to be taken for the same.
const TERMS_MIN: usize = 2;
const SHAPE_MIN: usize = 24;

/// The keys of an experience as it now is, by which its twin is known. Links to others are not among them.
pub fn keys(experience: &Experience) -> ExperienceKeys {
    let (program, class) = match experience.kind {
        ExperienceKind::Practice => (&experience.code, String::new()),
        // The same goal can fail in several ways, each with a lesson of its own.
        ExperienceKind::Fix => (&experience.failed_code, class(&experience.error)),
        ExperienceKind::Warning => (&experience.code, class(&experience.error)),
        ExperienceKind::Mistake => return of_mistake(experience),
    };
    let with_class = |key: String| match key.is_empty() {
        true => key,
        false => format!("{key}|{class}"),
    };
    ExperienceKeys {
        goal: with_class(goal_key(&experience.goal)),
        code: with_class(code_key(program)),
        links: Vec::new(),
    }
}

/// Keys of a common mistake: its tool and its class, whatever the task was and whatever the words are now. The store
/// counts corrections by the same two.
fn of_mistake(mistake: &Experience) -> ExperienceKeys {
    let class = class(&mistake.error);
    let goal = match mistake.calls.first().filter(|_| !class.is_empty()) {
        Some(tool) => format!("{tool}|{class}"),
        None => String::new(),
    };
    ExperienceKeys {
        goal,
        ..ExperienceKeys::default()
    }
}

/// The name of the exception: what stands before the first colon.
pub fn class(error: &str) -> String {
    let name = error.split(':').next().unwrap_or_default().trim();
    let is_name = |character: char| character.is_alphanumeric() || matches!(character, '_' | '.');
    match name.chars().all(is_name) {
        true => name.to_owned(),
        false => String::new(),
    }
}

fn goal_key(goal: &str) -> String {
    let mut terms = question_terms(goal);
    terms.retain(|term| !term.chars().any(|character| character.is_ascii_digit()));
    terms.sort();
    terms.dedup();
    terms.truncate(TERMS_MAX);
    if terms.len() < TERMS_MIN {
        return String::new();
    }
    terms.join(" ")
}

fn code_key(program: &str) -> String {
    let shape = shape(program);
    if shape.chars().count() < SHAPE_MIN {
        return String::new();
    }
    format!("{:016x}", fingerprint(&shape))
}

/// A program with every text as `"`, every figure as `0`, without comments, its blanks made one.
fn shape(program: &str) -> String {
    let mut shape = String::with_capacity(program.len());
    let mut rest = program;
    while let Some(character) = rest.chars().next() {
        let taken = match character {
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '"' | '\'' => {
                shape.push('"');
                text_length(rest, character)
            }
            _ if character.is_ascii_digit() && !shape.ends_with(is_word) => {
                shape.push('0');
                let is_figure = |character: char| character.is_ascii_alphanumeric() || character == '.';
                rest.find(|character| !is_figure(character)).unwrap_or(rest.len())
            }
            _ if character.is_whitespace() => {
                if !shape.ends_with(' ') {
                    shape.push(' ');
                }
                character.len_utf8()
            }
            _ => {
                shape.push(character);
                character.len_utf8()
            }
        };
        rest = rest.get(taken..).unwrap_or_default();
    }
    shape.trim().to_owned()
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Bytes of the text literal at the beginning of `rest`, its quotes included; one that never ends takes all.
fn text_length(rest: &str, quote: char) -> usize {
    let triple: String = std::iter::repeat_n(quote, 3).collect();
    let end = if rest.starts_with(&triple) {
        triple
    } else {
        quote.to_string()
    };
    let mut at = end.len();
    while let Some(left) = rest.get(at..).filter(|left| !left.is_empty()) {
        if left.starts_with(&end) {
            return at + end.len();
        }
        let mut characters = left.chars();
        let first = characters.next().map_or(0, char::len_utf8);
        let escaped = match left.starts_with('\\') {
            true => characters.next().map_or(0, char::len_utf8),
            false => 0,
        };
        at += first + escaped;
    }
    rest.len()
}

/// FNV-1a: the same in every version, which the standard library's hashes are not.
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn programs_that_differ_in_texts_and_figures_alone_have_one_shape() {
        let first = "path = 'sales-10.csv'  # October\nrows = await files.read(path=path, limit=20)";
        let second = "path = \"sales-11.csv\"\nrows = await files.read(path=path, limit=5_000)";
        assert_eq!(code_key(first), code_key(&second.replace("5_000", "50")));
        assert_ne!(
            code_key(first),
            code_key(&first.replace("files.read", "files.list"))
        );
        assert_eq!(shape("a1 = 'it\\'s' + '''x\n'y'''"), "a1 = \" + \"");
        assert_eq!(code_key("print(1)"), "", "too little to be the same");
    }

    #[test]
    fn goals_that_differ_in_figures_alone_have_one_key() {
        assert_eq!(goal_key("汇总 10 月的销售额"), goal_key("汇总 11 月的销售额"));
        assert_ne!(goal_key("汇总 10 月的销售额"), goal_key("画出 10 月的销售额"));
        assert_eq!(
            class("ModuleNotFoundError: No module named 'pandas'"),
            "ModuleNotFoundError"
        );
        assert_eq!(class("it went wrong: badly"), "");
    }

    proptest! {
        #[test]
        fn every_text_has_a_shape(program in any::<String>()) {
            prop_assert!(shape(&program).len() <= program.len() + 1);
        }
    }
}
