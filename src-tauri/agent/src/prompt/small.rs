//! The prompt of a small model: few words, the calls that most tasks need, and up to two worked examples.
//!
//! A model of few parameters loses its way in what a large one reads with profit. Which model is small, its profile says.
//! Whoever wrote a module of their own has the whole prompt, with their module in it.

use super::abilities;
use crate::formats::Format;
use crate::limits;
use crate::parameters::{self, Waiting};
use crate::run_context::RunContext;
use crate::stubs;
use crate::tool_index;
use shidi_protocol::{
    Body, CallState, MethodSpec, ModelRole, Moment, RunId, Segment, SegmentId, SegmentKind, ToolkitSpec,
    VariablePreview, tokens,
};

/// Modules in their order: constant ones first, so that caches hold the longest prefix.
pub const ORDER: [&str; 4] = ["small", "assistant", "toolkits", "environment"];

/// What stands shorter in this prompt.
const REPLACED: [&str; 7] = [
    "platform",
    "mechanism",
    "output_fenced",
    "output_fim",
    "foundations",
    "principles",
    "skills",
];

/// The methods of our own toolkits that are shown, each in one line. The others are named.
const SHOWN: [(&str, &[&str]); 4] = [
    ("files", &["list", "read", "grep", "write", "edit"]),
    ("user", &["ask"]),
    ("memory", &["search", "remember"]),
    ("knowledge", &["query"]),
];

/// The module that holds the worked examples.
pub const EXAMPLES: &str = "examples";

/// The kinds of steps in an example.
const KINDS: [SegmentKind; 5] = [
    SegmentKind::User,
    SegmentKind::Thought,
    SegmentKind::Python,
    SegmentKind::Output,
    SegmentKind::Express,
];

/// Words of a user who wants a file made, and of one who wants something changed, in small letters. Those that stand in other
/// words too (写了什么, "add up") are not among them.
const MAKING: [&str; 17] = [
    "create", "draft", "generate", "make", "save", "write", "写入", "写成", "写到", "写一", "写个", "存成",
    "存到", "存为", "新建", "创建", "生成",
];
const CHANGING: [&str; 33] = [
    "add a", "add one", "add the", "add to", "append", "change", "copy", "delete", "fix", "move", "remove",
    "rename", "replace", "set", "update", "改成", "改为", "改到", "改名", "改一", "加一", "加上", "加到",
    "加进", "删掉", "删除", "换成", "替换", "移到", "补上", "更新", "修改", "合并",
];

/// Words by which an answer claims that something was done, in small letters.
const CLAIMING: [&str; 18] = [
    "added",
    "appended",
    "changed",
    "created",
    "deleted",
    "done",
    "moved",
    "now holds",
    "removed",
    "renamed",
    "replaced",
    "saved",
    "updated",
    "written",
    "已",
    "好了",
    "完成",
    "成功",
];

/// A method that `files` has only where a folder is granted.
const PRODUCING: &str = "write_table";

/// The error of a program that imports what is not there.
const NO_MODULE: &str = "ModuleNotFoundError";

/// Words of a user who speaks of a table, in small letters.
const TABULAR: [&str; 13] = [
    "csv", "tsv", "xlsx", "xls", "ods", "table", "column", "columns", "rows", "表格", "表里", "表中", "一列",
];

/// Whether the next prompt is the short one.
pub fn is_meant(context: &RunContext) -> bool {
    let settings = &context.settings;
    let is_own = |name: &&'static str| super::modules::is_own(context, name);
    let is_asked = settings.is_small && super::role(context) == ModelRole::Coder;
    let is_told = matches!(settings.format, Format::Fenced | Format::Fim);
    is_asked && is_told && !REPLACED.iter().any(is_own)
}

/// The calls that most tasks need, one line each, then the names of all others.
pub fn toolkits(context: &RunContext) -> String {
    let toolkits = &context.settings.toolkits;
    let mut asked_for = tool_index::asked_for(context);
    if abilities::on_offer(context).is_some() && !asked_for.contains(&tool_index::WORKFLOWS) {
        asked_for.push(tool_index::WORKFLOWS);
    }
    let is_shown = |toolkit: &ToolkitSpec, method: &MethodSpec| {
        let mut all = SHOWN.iter();
        all.any(|(name, methods)| *name == toolkit.name && methods.contains(&method.name.as_str()))
    };
    let (whole, ours): (Vec<&ToolkitSpec>, Vec<&ToolkitSpec>) = toolkits.iter().partition(|toolkit| {
        asked_for.contains(&toolkit.name.as_str())
            || toolkit.source.is_dynamic() && !tool_index::is_only_named(&toolkit.name)
    });
    let mut lines = Vec::new();
    let mut named = Vec::new();
    for toolkit in ours {
        let (shown, rest): (Vec<&MethodSpec>, Vec<&MethodSpec>) = toolkit
            .methods
            .iter()
            .partition(|method| is_shown(toolkit, method));
        lines.extend(shown.iter().map(|method| stubs::call(toolkit, method)));
        let rest: Vec<&str> = rest.iter().map(|method| method.name.as_str()).collect();
        if !rest.is_empty() && !tool_index::is_told_elsewhere(&toolkit.name) {
            named.push(format!("# {} [{}]", toolkit.name, rest.join(", ")));
        }
    }
    let mut text = lines.join("\n");
    if !whole.is_empty() {
        let whole: Vec<ToolkitSpec> = whole.into_iter().cloned().collect();
        text = format!("{text}\n\n{}", tool_index::rendered(&whole, &asked_for));
    }
    let all = named.len();
    let mut tokens = 0;
    named.retain(|line| {
        tokens += tokens::estimate(line);
        tokens <= limits::TOOLKITS_TOKENS_MAX / 2
    });
    if named.len() < all {
        named.push(format!(
            "# and {} more: await toolkits.search(\"…\")",
            all - named.len()
        ));
    }
    if named.is_empty() {
        return text;
    }
    let describe = tool_index::NAME;
    format!(
        "{text}\n\n# First print(await {describe}.describe('NAME')):\n{}",
        named.join("\n")
    )
}

/// What the last line of a prompt asks of a small model, which keeps best what it read last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextStep {
    /// To answer: a program has just ended well. Without the line, small models run it once more.
    Answer,
    /// To mend the line at which the program stopped.
    Mend { line: usize, code: String },
    /// To do without what the program imported.
    Without { code: String },
    /// To ask the user for what nobody has said.
    AskUser { about: String },
    /// To call what waits for the user's answer.
    Fill(Waiting),
    /// To call one of the user's workflows, where that is meant.
    Choose { calls: String },
    /// To work a question out that is of numbers or files.
    Compute,
}

/// The step that the last line asks for; `None` where the model is free.
pub fn next_step(context: &RunContext) -> Option<NextStep> {
    if !is_meant(context) {
        return None;
    }
    let steps = context.own_segments().rev();
    let mut steps = steps.filter(|segment| !segment.is(&SegmentKind::Round));
    let last = steps.next()?;
    match &last.body {
        Body::Output { failed: false, .. } => Some(NextStep::Answer),
        Body::Output { failed: true, .. } if is_refused(context, last) => None,
        Body::Output { failed: true, .. } if parameters::is_open(last.text()) => {
            let about = parameters::open(context, last.exec?)?;
            Some(NextStep::AskUser { about })
        }
        Body::Output { text, failed: true } => {
            let program = steps.find(|segment| segment.is(&SegmentKind::Python))?;
            let (line, error) = stopped_at(text)?;
            let code = program
                .text()
                .lines()
                .nth(line.checked_sub(1)?)?
                .trim()
                .to_owned();
            match error.starts_with(NO_MODULE) {
                true => Some(NextStep::Without { code }),
                false => (!code.is_empty()).then_some(NextStep::Mend { line, code }),
            }
        }
        Body::User { text } => {
            let compute = || is_computed(context, text).then_some(NextStep::Compute);
            abilities::step(context, text).or_else(compute)
        }
        _ => None,
    }
}

/// Whether the user refused a call of that output's program. That is to be respected, and not mended.
fn is_refused(context: &RunContext, output: &Segment) -> bool {
    let mut records = context.calls.values();
    records.any(|record| Some(record.call.exec) == output.exec && record.state == CallState::Refused)
}

/// The line at which a program stopped, and its error: they stand behind all that it printed.
fn stopped_at(output: &str) -> Option<(usize, &str)> {
    output.lines().rev().find_map(|line| {
        let (number, error) = line.strip_prefix("line ")?.split_once(": ")?;
        Some((number.parse().ok()?, error))
    })
}

/// Whether a question is one of numbers or of files.
fn is_computed(context: &RunContext, question: &str) -> bool {
    let numbers = question.split(|letter: char| !letter.is_ascii_digit());
    numbers.filter(|number| !number.is_empty()).count() > 1 || is_of_files(context, question)
}

/// Whether a question names a file, or has one attached.
pub fn is_of_files(context: &RunContext, question: &str) -> bool {
    let mut attachments = context.attachments.iter();
    attachments.any(|attachment| attachment.kind != "image")
        || question.to_lowercase().split_whitespace().any(names_file)
}

/// Whether a word holds a file's name, with a dot before an ending of two to four letters.
fn names_file(word: &str) -> bool {
    if word.contains('@') || word.contains("://") {
        return false;
    }
    let mut pieces = word.split('.').peekable();
    while let Some(piece) = pieces.next() {
        let Some(next) = pieces.peek() else { return false };
        let ending = next.chars().take_while(char::is_ascii_lowercase).count();
        let is_named = piece.chars().last().is_some_and(char::is_alphanumeric);
        let is_ended = next
            .chars()
            .nth(ending)
            .is_none_or(|letter| !letter.is_ascii_alphanumeric());
        if is_named && (2..=4).contains(&ending) && is_ended {
            return true;
        }
    }
    false
}

/// Whether the prompt has that variable: what a program imported or defined is no data.
pub fn has_variable(context: &RunContext, variable: &VariablePreview) -> bool {
    !is_meant(context) || !["type", "module", "function"].contains(&variable.kind.as_str())
}

/// The names of two examples for the session's first question, the nearer one last. Later questions keep them, for the
/// caches of prompts.
pub fn examples(context: &RunContext) -> [&'static str; 2] {
    let mut segments = context.segments.iter();
    let first = segments.find(|segment| segment.is(&SegmentKind::User));
    let first = first
        .map_or_else(|| context.question(), Segment::text)
        .to_lowercase();
    if abilities::on_offer(context).is_some() && !is_of_files(context, &first) && !says(&first, &TABULAR) {
        return ["ask", "ability"];
    }
    if !has_files(context) {
        return ["talk", "count"];
    }
    let reading = if says(&first, &TABULAR) { "table" } else { "lines" };
    if may_write(context) && says(&first, &MAKING) {
        [reading, "create"]
    } else if may_write(context) && says(&first, &CHANGING) {
        [reading, "change"]
    } else {
        ["count", reading]
    }
}

/// The name that an example has as a part of prompts.
pub fn part_of(example: &str) -> String {
    format!("{EXAMPLES}.{example}")
}

/// Whether the task went the way that an example shows: words alone, any program, or one that uses files.
pub fn is_followed(context: &RunContext, example: &str) -> bool {
    let mut own = context.own_segments();
    let has_program = own.any(|segment| segment.is(&SegmentKind::Python));
    let has_called = |methods: &[&str]| {
        let mut calls = context.calls.values().map(|record| &record.call);
        calls.any(|call| call.toolkit == "files" && methods.contains(&call.method.as_str()))
    };
    match example {
        "talk" => !has_program,
        "table" | "lines" => has_called(&["read"]),
        "create" | "change" => has_called(&["write", "edit"]),
        "ability" | "ask" => {
            let mut calls = context.calls.values();
            calls.any(|record| record.call.toolkit == tool_index::WORKFLOWS)
        }
        _ => has_program,
    }
}

/// Whether an answer claims to have made or changed a file that the user named, while nothing was done.
pub fn is_undone(context: &RunContext, answer: &str) -> bool {
    let question = context.question().to_lowercase();
    let is_wanted = says(&question, &MAKING) || says(&question, &CHANGING);
    let mut records = context.calls.values();
    is_meant(context)
        && is_wanted
        && may_write(context)
        && says(&answer.to_lowercase(), &CLAIMING)
        && question.split_whitespace().any(names_file)
        && !records.any(|record| record.class.has_side_effect())
}

/// Whether a text in small letters has one of the words. Chinese ones, and those of several words, stand anywhere.
fn says(text: &str, wanted: &[&str]) -> bool {
    let mut words = text.split(|letter: char| !letter.is_alphanumeric());
    let mut parts = wanted
        .iter()
        .filter(|word| !word.is_ascii() || word.contains(' '));
    words.any(|word| wanted.contains(&word)) || parts.any(|word| text.contains(word))
}

/// The first sentence of an answer, without its end.
pub fn first_sentence(text: &str) -> &str {
    let text = text.trim();
    let end = text.find(". ").or_else(|| text.find('。'));
    end.map_or(text, |end| &text[..end]).trim_end_matches('.')
}

/// A worked example as the steps of a session: each line that begins with a kind in brackets begins one.
pub fn steps(example: &str) -> Vec<Segment> {
    let mut steps: Vec<(SegmentKind, String)> = Vec::new();
    for line in example.lines() {
        let headed = KINDS.iter().find_map(|kind| {
            let head = format!("[{}]: ", kind.name());
            line.strip_prefix(&head)
                .map(|rest| (kind.clone(), rest.to_owned()))
        });
        match (headed, steps.last_mut()) {
            (Some(step), _) => steps.push(step),
            (None, Some((_, text))) => {
                text.push('\n');
                text.push_str(line);
            }
            (None, None) => {}
        }
    }
    let segment = |(at, (kind, text)): (usize, (SegmentKind, String))| Segment {
        id: SegmentId(0),
        run: RunId::from(EXAMPLES),
        body: Body::plain(&kind, text),
        exec: None,
        round: u32::try_from(at).unwrap_or(u32::MAX),
        tainted: false,
        time: Moment(0),
    };
    steps.into_iter().enumerate().map(segment).collect()
}

/// Whether the task has files at hand: in a granted folder, or attached.
fn has_files(context: &RunContext) -> bool {
    may_write(context) || !context.attachments.is_empty()
}

/// Whether a folder is granted: only then may files be made.
pub fn may_write(context: &RunContext) -> bool {
    let mut toolkits = context.settings.toolkits.iter();
    let files = toolkits.find(|toolkit| toolkit.name == "files");
    files.is_some_and(|files| files.methods.iter().any(|method| method.name == PRODUCING))
}
