//! Checks a program without running it, and names its faults.
//!
//! Conservative: a fault that depends on the run passes. A name counts as known when it is bound anywhere in
//! the program, in any scope; a program that calls `exec` may define any name.

mod calls;
mod fitting;
mod given;
mod imports;
mod names;

#[cfg(test)]
mod tests;

use crate::failure;
use crate::interpreter::Interpreter;
use crate::meant;
use crate::rewrite::{self, FactNames, RESERVED, line_of};
use ruff_python_ast::{ExceptHandler, Expr, ModModule, StmtTry};
use ruff_text_size::Ranged;
use shidi_executor_proto::{CheckRequest, Finding, MethodShape, ToolkitShape};
use std::collections::BTreeSet;

/// Findings reported of one program: more do not help to repair it.
const MOST_FINDINGS: usize = 20;
const FILE: &str = "<program to check>";

/// The program's faults in this session, by line.
pub fn check(request: &CheckRequest, interpreter: &Interpreter) -> Vec<Finding> {
    let source = request.source.as_str();
    let existing = interpreter.names();
    let mut findings: Vec<Finding> = compile(request, interpreter).into_iter().collect();
    if let Some(place) = source.find(RESERVED) {
        let message = format!("NameError: names that begin with {RESERVED} are reserved");
        let hint = Some("Choose another name".to_owned());
        findings.push(Finding {
            kind: "NameError".to_owned(),
            message,
            line: line_of(source, place),
            hint,
        });
    }
    if let Some(module) = rewrite::parse(source) {
        let program = Program::new(request, &existing, &module);
        names::find(&program, &|name| interpreter.is_builtin(name), &mut findings);
        calls::find(&program, &mut findings);
        imports::find(&program, &mut findings);
    }
    findings.sort_by_key(|finding| finding.line);
    findings.dedup();
    findings.truncate(MOST_FINDINGS);
    findings
}

/// The first error of the compiler.
fn compile(request: &CheckRequest, interpreter: &Interpreter) -> Option<Finding> {
    let source = request.source.as_str();
    let rewritten = rewrite::rewrite(source, &mut FactNames::default());
    let raised = interpreter.compile(&rewritten.source, FILE)?;
    let failure = failure::describe(&raised, source, FILE, &request.toolkits);
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
    /// Names bound somewhere in the program.
    bound: BTreeSet<&'a str>,
    /// Names known before the program starts.
    known: BTreeSet<&'a str>,
    /// The method `exists` of `files`, where its `info` answers it.
    exists: Option<MethodShape>,
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
            exists: request.toolkits.iter().find_map(meant::exists),
        }
    }

    /// The toolkit of that name, unless the program binds the name otherwise.
    fn toolkit(&self, name: &str) -> Option<&'a ToolkitShape> {
        if self.bound.contains(name) {
            return None;
        }
        self.request.toolkits.iter().find(|toolkit| toolkit.name == name)
    }

    /// A toolkit's method, or one that another method answers.
    fn method(&self, toolkit: &'a ToolkitShape, name: &str) -> Option<&MethodShape> {
        let own = toolkit.methods.iter().find(|method| method.name == name);
        let answered = self.exists.as_ref().filter(|exists| exists.name == name);
        own.or_else(|| answered.filter(|_| meant::exists(toolkit).is_some()))
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

/// Whether a handler of a `try` statement names one of these exceptions: the body may then raise it.
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
