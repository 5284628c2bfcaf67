//! Python that the user typed: run unchanged, when it is surely code and the user wants it run.

use super::Plan;
use regex::Regex;
use shidi_locales::Language;
use std::sync::OnceLock;

/// Longest program, in bytes.
const PROGRAM_BYTES_MAX: usize = 64 * 1024;

/// Words around a fenced program that only ask to run it.
const RUN_WORDS: &[&str] = &[
    "",
    "run",
    "run this",
    "run it",
    "run this code",
    "run this program",
    "run this python",
    "run the following",
    "run the following code",
    "please run",
    "please run this",
    "please run this code",
    "execute",
    "execute this",
    "execute this code",
    "can you run this",
    "what does this print",
    "what is the output",
    "运行",
    "运行一下",
    "运行这段代码",
    "运行这段程序",
    "运行下面的代码",
    "执行",
    "执行一下",
    "执行这段代码",
    "跑一下",
    "跑一下这段代码",
    "请运行",
    "请运行这段代码",
    "帮我运行",
    "帮我运行一下",
    "帮我运行这段代码",
    "帮我跑一下",
    "帮我执行一下",
    "这段代码输出什么",
    "输出是什么",
];

/// The plan for a question that is a program.
pub(super) fn plan(typed: &str, language: Language) -> Option<Plan> {
    if typed.len() > PROGRAM_BYTES_MAX {
        return None;
    }
    let program = match fenced(typed) {
        Fence::Program(program) => program,
        Fence::Other => return Some(Plan::Say(super::words::cannot_interpret(language))),
        Fence::None => bare(typed)?,
    };
    Some(Plan::Run {
        thought: language.planner().thought_program().to_owned(),
        program,
    })
}

/// Statements that hold others; on one line, the inner statement must be code too.
const COMPOUND: &[&str] = &["for ", "while ", "if ", "def ", "async def ", "class "];

enum Fence {
    None,
    Program(String),
    /// A program with a question about it, or in another language.
    Other,
}

fn fenced(typed: &str) -> Fence {
    let Some((before, rest)) = typed.split_once("```") else {
        return Fence::None;
    };
    let (label, rest) = rest.split_once('\n').unwrap_or(("", rest));
    let (program, after) = rest.split_once("```").unwrap_or((rest, ""));
    let around = format!("{before} {after}").to_lowercase();
    let around = around.trim_matches([
        ' ', '\n', '\t', '\r', ':', '：', '.', '。', '!', '?', '？', ',', '，',
    ]);
    let is_python = ["", "python", "py", "python3"].contains(&label.trim().to_lowercase().as_str());
    if is_python && RUN_WORDS.contains(&around) && !program.trim().is_empty() {
        return Fence::Program(program.trim_end().to_owned());
    }
    Fence::Other
}

/// A whole question that is code: every line must look like code, and one line must be code beyond doubt.
fn bare(typed: &str) -> Option<String> {
    static SURE: OnceLock<Option<Regex>> = OnceLock::new();
    static LIKELY: OnceLock<Option<Regex>> = OnceLock::new();
    let sure = SURE.get_or_init(|| {
        Regex::new(
            r#"^(?:print\(.*\)|import [a-z_][\w.]*(?: as \w+)?|from [a-z_][\w.]* import [\w, *]+|(?:async )?def \w+\(.*\):.*|for \w+(?:, ?\w+)* in .+:.*|while .+:|if .+:|class \w+.*:|[a-zA-Z_]\w*(?:\[[^\]]*\])? ?[+\-*/]?= ?(?:[\[{("']|-?\d|[\w.]+\(|await |\w+ ?[-+*/%\[]).*|(?:await )?[a-z_]\w*(?:\.[a-z_]\w*)*\(.*\)(?:\.\w+|\[.*\])*|[\[{].+ for \w+ in .+[\]}])$"#,
        )
        .ok()
    });
    let likely = LIKELY.get_or_init(|| {
        Regex::new(r"^(?:\s+\S.*|#.*|else:|elif .+:|try:|except.*:|finally:|with .+:|return.*|pass|break|continue|[\])}]+,?|[a-zA-Z_]\w*|[\w.]+\(.*\)|\w+.* [-+*/%] .*|@\w+.*|)$").ok()
    });
    let (sure, likely) = (sure.as_ref()?, likely.as_ref()?);
    let program = typed.trim_end();
    let lines: Vec<&str> = program.lines().map(|line| line.trim_end()).collect();
    let is_sure = |line: &str| {
        let body = COMPOUND
            .iter()
            .any(|word| line.starts_with(word))
            .then(|| line.split_once(": ").map_or("", |(_, body)| body));
        sure.is_match(line)
            && is_balanced(line)
            && body.is_none_or(|body| sure.is_match(body))
            && !calls_the_unknown(line)
    };
    let is_code = lines
        .iter()
        .all(|line| likely.is_match(line) || sure.is_match(line.trim_start()));
    let is_sure = if lines.len() == 1 {
        is_sure(lines[0]) && !has_prose(lines[0])
    } else {
        lines.iter().any(|line| sure.is_match(line)) && is_balanced(program)
    };
    (is_code && is_sure && !program.ends_with(['?', '？']))
        .then(|| program.trim_start_matches('\n').to_owned())
}

/// Functions that a single line may call; `sin(30)` is more likely a question.
const BUILTINS: &[&str] = &[
    "abs",
    "all",
    "any",
    "bin",
    "bool",
    "chr",
    "dict",
    "divmod",
    "enumerate",
    "filter",
    "float",
    "hex",
    "int",
    "isinstance",
    "len",
    "list",
    "map",
    "max",
    "min",
    "oct",
    "ord",
    "pow",
    "print",
    "range",
    "repr",
    "reversed",
    "round",
    "set",
    "sorted",
    "str",
    "sum",
    "tuple",
    "type",
    "zip",
];

/// Whether a line is the call of a function that Python does not have.
fn calls_the_unknown(line: &str) -> bool {
    let name: &str = line
        .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .next()
        .unwrap_or_default();
    line[name.len()..].starts_with('(') && !BUILTINS.contains(&name)
}

/// Whether brackets and quotes close.
fn is_balanced(text: &str) -> bool {
    let (mut depth, mut quote, mut escaped) = (0_i32, None, false);
    for letter in text.chars() {
        match (quote, letter) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if open == letter => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(letter),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, _) => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0 && quote.is_none()
}

/// Whether words stand side by side outside of quotes, as in prose: `call(me) maybe`, Chinese without quotes.
fn has_prose(line: &str) -> bool {
    let mut outside = String::new();
    let mut quote = None;
    for letter in line.chars() {
        match quote {
            Some(open) if open == letter => quote = None,
            Some(_) => {}
            None if letter == '"' || letter == '\'' => {
                quote = Some(letter);
                outside.push('_');
            }
            None => outside.push(letter),
        }
    }
    if outside.chars().any(super::text::is_han) {
        return true;
    }
    const KEYWORDS: &[&str] = &[
        "for", "in", "if", "else", "and", "or", "not", "is", "lambda", "await", "import", "as", "from",
        "async", "def", "class", "while", "return",
    ];
    let mut last_was_word = false;
    for token in outside.split(' ') {
        let is_word = !token.is_empty() && token.chars().all(|letter| letter.is_alphabetic());
        if is_word && last_was_word && !KEYWORDS.contains(&token) {
            return true;
        }
        last_was_word = is_word && !KEYWORDS.contains(&token);
    }
    false
}
