//! Tools of coding programs by the names of ours that do the same.

use shidi_protocol::{Class, MethodSpec};

/// Their tools in small letters, and ours.
const TOOLS: [(&str, &str); 18] = [
    ("read", "files.read"),
    ("write", "files.write"),
    ("edit", "files.edit"),
    ("multiedit", "files.edit"),
    ("patch", "files.edit"),
    ("glob", "files.glob"),
    ("grep", "files.grep"),
    ("ls", "files.list"),
    ("list", "files.list"),
    ("bash", "shell"),
    ("webfetch", "web.fetch"),
    ("websearch", "web.search"),
    ("todowrite", "todo"),
    ("todoread", "todo"),
    ("task", "agents"),
    ("agent", "agents"),
    ("skill", "skills"),
    ("question", "user.ask"),
];
/// Tools that change files: whoever may not use them may change none in another way either.
const CHANGES: [&str; 4] = ["write", "edit", "multiedit", "patch"];
/// What stands for every tool.
pub const ALL: &str = "*";

/// A tool's plain name: `Bash(git *)` asks for less than the tool, and the tool itself asks.
#[must_use]
pub fn plain(written: &str) -> String {
    written
        .split('(')
        .next()
        .unwrap_or_default()
        .trim()
        .to_lowercase()
}

/// The tool of ours that does the same; an export of ours names our own.
#[must_use]
pub fn ours(plain: &str) -> Option<String> {
    let known = TOOLS.iter().find(|(theirs, _)| *theirs == plain);
    let ours = known.map(|(_, ours)| (*ours).to_owned());
    ours.or_else(|| (!methods(plain).is_empty()).then(|| plain.to_owned()))
}

/// The families of calls that a tool stands for; none of one that nothing here stands for.
#[must_use]
pub fn families(plain: &str) -> Vec<String> {
    if CHANGES.contains(&plain) {
        let files = methods("files").into_iter();
        let changes = files.filter(|method| method.class == Class::Write);
        return changes.map(|method| format!("files.{}", method.name)).collect();
    }
    let ours = ours(plain).into_iter();
    let whole = |tool: String| {
        if tool.contains('.') {
            tool
        } else {
            format!("{tool}.*")
        }
    };
    ours.map(whole).collect()
}

/// Whether its calls are asked about until somebody allows them.
#[must_use]
pub fn is_asked_about(plain: &str) -> bool {
    let ours = ours(plain).unwrap_or_default();
    methods(&ours).iter().any(|method| method.class != Class::Read)
}

/// The methods of a toolkit, or the one of a tool.
fn methods(named: &str) -> Vec<MethodSpec> {
    let (toolkit, method) = named
        .split_once('.')
        .map_or((named, None), |(toolkit, method)| (toolkit, Some(method)));
    let declared = shidi_toolkits::declared().into_iter();
    let methods = declared
        .filter(|declared| declared.name == toolkit)
        .flat_map(|declared| declared.methods);
    methods
        .filter(|declared| method.is_none_or(|method| declared.name == method))
        .collect()
}
