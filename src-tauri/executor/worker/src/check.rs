//! Looks at a program without running it, and names what it cannot do.
//!
//! Conservative: what depends on the run passes. A name counts as known when it is bound anywhere in the program, in
//! whatever scope; a program that calls `exec` may define any name.

mod calls;
mod imports;
mod names;

pub use names::{bound, defined};
#[cfg(test)]
mod tests;

use crate::failure::{self, Origin};
use crate::prelude;
use crate::rewrite::{self, FactNames, line_of};
use monty::MontyRun;
use monty_types::CompileOptions;
use ruff_python_ast::{ExceptHandler, Expr, ModModule, StmtTry};
use ruff_text_size::Ranged;
use shidi_executor_proto::{CheckRequest, Finding};
use std::collections::BTreeSet;

/// Findings told of one program: more do not help to repair it.
const MOST_FINDINGS: usize = 20;
const FILE: &str = "check";

/// What the program cannot do, by line. `existing` are the names that the session has already.
pub fn check(request: &CheckRequest, existing: &[String]) -> Vec<Finding> {
    let source = request.source.as_str();
    let mut findings: Vec<Finding> = compile(source).into_iter().collect();
    if let Some(place) = source.find(prelude::RESERVED) {
        let message = format!(
            "NameError: names that begin with {} are reserved",
            prelude::RESERVED
        );
        let hint = Some("Choose another name".to_owned());
        findings.push(Finding {
            kind: "NameError".to_owned(),
            message,
            line: line_of(source, place),
            hint,
        });
    }
    if let Some(module) = rewrite::parse(source) {
        let program = Program::new(request, existing, &module);
        names::find(&program, &mut findings);
        calls::find(&program, &mut findings);
        imports::find(&program, &mut findings);
    }
    findings.sort_by_key(|finding| finding.line);
    findings.dedup();
    findings.truncate(MOST_FINDINGS);
    findings
}

/// The first thing that the compiler refuses: syntax, or syntax that this Python lacks.
fn compile(source: &str) -> Option<Finding> {
    let rewritten = rewrite::rewrite(source, &mut FactNames::default());
    let error = MontyRun::new(rewritten.source, FILE, Vec::new(), CompileOptions::default()).err()?;
    let failure = failure::describe(
        &error,
        Origin {
            source,
            file: FILE,
            cpu_ms: 0,
            memory_bytes: 0,
        },
    );
    Some(Finding {
        kind: failure.kind,
        message: failure.message,
        line: failure.line.max(1),
        hint: failure.hint,
    })
}

/// A parsed program with the names that are known in it.
struct Program<'a> {
    request: &'a CheckRequest,
    module: &'a ModModule,
    /// Bound somewhere in the program.
    bound: BTreeSet<&'a str>,
    /// Known before it starts.
    known: BTreeSet<&'a str>,
}

impl<'a> Program<'a> {
    fn new(request: &'a CheckRequest, existing: &'a [String], module: &'a ModModule) -> Self {
        let toolkits = request.toolkits.iter().map(|toolkit| toolkit.name.as_str());
        let known = request
            .known
            .iter()
            .chain(existing)
            .map(String::as_str)
            .chain(toolkits)
            .collect();
        Self {
            request,
            module,
            bound: names::bound(module),
            known,
        }
    }

    /// The toolkit of that name, unless the program uses the name for something else.
    fn toolkit(&self, name: &str) -> Option<&'a shidi_executor_proto::ToolkitShape> {
        if self.bound.contains(name) {
            return None;
        }
        self.request.toolkits.iter().find(|toolkit| toolkit.name == name)
    }

    fn finding(&self, kind: &str, at: &impl Ranged, message: String, hint: Option<String>) -> Finding {
        let line = line_of(&self.request.source, at.start().to_usize());
        Finding {
            kind: kind.to_owned(),
            message: format!("{kind}: {message}"),
            line,
            hint,
        }
    }
}

/// Whether a `try` statement names one of these exceptions in a handler: its body then expects them.
fn expects(statement: &StmtTry, exceptions: &[&str]) -> bool {
    statement
        .handlers
        .iter()
        .any(|ExceptHandler::ExceptHandler(handler)| {
            handler.type_.as_deref().is_some_and(|caught| match caught {
                Expr::Tuple(several) => several.elts.iter().any(|one| is_one_of(one, exceptions)),
                one => is_one_of(one, exceptions),
            })
        })
}

fn is_one_of(expr: &Expr, names: &[&str]) -> bool {
    matches!(expr, Expr::Name(name) if names.contains(&name.id.as_str()))
}

fn did_you_mean(name: &str) -> String {
    format!("Did you mean `{name}`?")
}

/// Whether a module can be imported, by its first part.
fn is_module(name: &str) -> bool {
    if prelude::module(name).is_some() {
        return true;
    }
    let first = name.split('.').next().unwrap_or(name);
    (prelude::module(first).is_some() && first != "urllib") || monty::builtin_module_names().contains(&first)
}
