//! Names that nothing defines.

use super::{Program, did_you_mean, expects, is_module};
use crate::rewrite::LACKING_BUILTINS;
use monty::MontyRepl;
use monty_types::{CompileOptions, NamedValues, PrintWriter, ResourceTracker};
use ruff_python_ast::visitor::{
    Visitor, walk_except_handler, walk_expr, walk_parameter, walk_pattern, walk_stmt, walk_type_param,
};
use ruff_python_ast::{
    ExceptHandler, Expr, ExprContext, ExprName, ModModule, Parameter, Pattern, Stmt, TypeParam,
};
use shidi_executor_proto::{Finding, closest};
use std::collections::{BTreeMap, BTreeSet};

/// Built-ins of CPython that this Python lacks, for the hint.
const LACKING: [&str; 13] = [
    "globals",
    "vars",
    "dir",
    "input",
    "bytearray",
    "memoryview",
    "compile",
    "breakpoint",
    "help",
    "__import__",
    "staticmethod",
    "classmethod",
    "delattr",
];
/// Names offered as what was meant.
const COMMON: [&str; 20] = [
    "print",
    "len",
    "range",
    "sorted",
    "enumerate",
    "zip",
    "map",
    "filter",
    "sum",
    "min",
    "max",
    "str",
    "int",
    "float",
    "list",
    "dict",
    "set",
    "tuple",
    "isinstance",
    "reversed",
];

/// Names that are bound anywhere in the program.
pub fn bound(module: &ModModule) -> BTreeSet<&str> {
    let mut binder = Binder {
        imports: true,
        ..Binder::default()
    };
    binder.visit_body(&module.body);
    binder.names
}

/// Names to which the program itself gives a meaning, imports left out.
pub fn defined(module: &ModModule) -> BTreeSet<&str> {
    let mut binder = Binder {
        imports: false,
        ..Binder::default()
    };
    binder.visit_body(&module.body);
    binder.names
}

/// Finds names that are bound nowhere.
pub fn find(program: &Program<'_>, findings: &mut Vec<Finding>) {
    let mut reader = Reader {
        loads: Vec::new(),
        expecting: 0,
    };
    reader.visit_body(&program.module.body);
    // Code in a text may define any name.
    if reader
        .loads
        .iter()
        .any(|name| matches!(name.id.as_str(), "exec" | "locals"))
    {
        return;
    }
    let mut builtins = Builtins::default();
    let mut told: BTreeSet<&str> = BTreeSet::new();
    for name in reader.loads {
        let text = name.id.as_str();
        let known = program.bound.contains(text)
            || program.known.contains(text)
            || LACKING_BUILTINS.contains(&text)
            || builtins.has(text);
        if !known && told.insert(text) {
            let message = format!("name '{text}' is not defined");
            findings.push(program.finding("NameError", name, message, hint(program, text)));
        }
    }
}

fn hint(program: &Program<'_>, name: &str) -> Option<String> {
    if LACKING.contains(&name) {
        return Some(format!("This Python has no `{name}`"));
    }
    if is_module(name) {
        return Some(format!("Write `import {name}` first"));
    }
    for toolkit in &program.request.toolkits {
        if toolkit.methods.iter().any(|method| method.name == name) {
            return Some(did_you_mean(&format!("{}.{name}", toolkit.name)));
        }
    }
    let candidates = program.known.iter().chain(&program.bound).copied().chain(COMMON);
    closest(name, candidates).map(did_you_mean)
}

#[derive(Default)]
struct Binder<'a> {
    names: BTreeSet<&'a str>,
    /// Whether imports bind.
    imports: bool,
}

impl<'a> Visitor<'a> for Binder<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(function) => {
                self.names.insert(&function.name);
            }
            Stmt::ClassDef(class) => {
                self.names.insert(&class.name);
            }
            Stmt::Import(import) if self.imports => {
                for alias in &import.names {
                    let bound = alias.asname.as_ref().unwrap_or(&alias.name).as_str();
                    self.names.insert(bound.split('.').next().unwrap_or(bound));
                }
            }
            Stmt::ImportFrom(import) if self.imports => {
                for alias in &import.names {
                    self.names.insert(alias.asname.as_ref().unwrap_or(&alias.name));
                }
            }
            Stmt::Global(names) => self.names.extend(names.names.iter().map(|name| name.as_str())),
            Stmt::Nonlocal(names) => self.names.extend(names.names.iter().map(|name| name.as_str())),
            _ => {}
        }
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Name(name) = expr
            && name.ctx != ExprContext::Load
        {
            self.names.insert(name.id.as_str());
        }
        walk_expr(self, expr);
    }

    fn visit_parameter(&mut self, parameter: &'a Parameter) {
        self.names.insert(&parameter.name);
        walk_parameter(self, parameter);
    }

    fn visit_type_param(&mut self, parameter: &'a TypeParam) {
        self.names.insert(parameter.name());
        walk_type_param(self, parameter);
    }

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(caught) = handler;
        if let Some(name) = &caught.name {
            self.names.insert(name);
        }
        walk_except_handler(self, handler);
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        let name = match pattern {
            Pattern::MatchAs(found) => found.name.as_ref(),
            Pattern::MatchStar(found) => found.name.as_ref(),
            Pattern::MatchMapping(found) => found.rest.as_ref(),
            Pattern::MatchValue(_)
            | Pattern::MatchSingleton(_)
            | Pattern::MatchSequence(_)
            | Pattern::MatchClass(_)
            | Pattern::MatchOr(_) => None,
        };
        if let Some(name) = name {
            self.names.insert(name);
        }
        walk_pattern(self, pattern);
    }
}

/// Collects the names that are read, except where their absence is expected.
struct Reader<'a> {
    loads: Vec<&'a ExprName>,
    expecting: usize,
}

impl<'a> Visitor<'a> for Reader<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        let Stmt::Try(attempt) = stmt else {
            return walk_stmt(self, stmt);
        };
        let expected = usize::from(expects(attempt, &["NameError"]));
        self.expecting += expected;
        self.visit_body(&attempt.body);
        self.expecting -= expected;
        attempt
            .handlers
            .iter()
            .for_each(|handler| self.visit_except_handler(handler));
        self.visit_body(&attempt.orelse);
        self.visit_body(&attempt.finalbody);
    }

    /// Annotations are not evaluated.
    fn visit_annotation(&mut self, _: &'a Expr) {}

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Name(name) = expr
            && name.ctx == ExprContext::Load
            && self.expecting == 0
        {
            self.loads.push(name);
        }
        walk_expr(self, expr);
    }
}

/// What the interpreter itself defines, found by asking it.
#[derive(Default)]
struct Builtins(BTreeMap<String, bool>);

impl Builtins {
    fn has(&mut self, name: &str) -> bool {
        if let Some(known) = self.0.get(name) {
            return *known;
        }
        let mut repl = MontyRepl::new("builtins", ResourceTracker::default(), CompileOptions::default());
        let known = repl
            .feed_run(name, NamedValues::new(), PrintWriter::Disabled)
            .is_ok();
        self.0.insert(name.to_owned(), known);
        known
    }
}
