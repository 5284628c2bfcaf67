//! Finds names that nothing defines.

use super::{Program, did_you_mean, expects};
use crate::library;
use ruff_python_ast::visitor::{
    Visitor, walk_except_handler, walk_expr, walk_parameter, walk_pattern, walk_stmt, walk_type_param,
};
use ruff_python_ast::{
    ExceptHandler, Expr, ExprContext, ExprName, ModModule, Parameter, Pattern, Stmt, TypeParam,
};
use shidi_executor_proto::{Finding, closest};
use std::collections::BTreeSet;

/// Names that every module has.
const MODULE_NAMES: [&str; 8] = [
    "__name__",
    "__doc__",
    "__builtins__",
    "__package__",
    "__loader__",
    "__spec__",
    "__class__",
    "__annotations__",
];
/// Names offered as the probable meaning of a mistyped one.
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
    let mut binder = Binder::default();
    binder.visit_body(&module.body);
    binder.names
}

/// The binding of `from module import *`: its names are only known at run time.
const ALL: &str = "*";

/// Finds names that are bound nowhere and are not built in.
pub fn find(program: &Program<'_>, is_builtin: &dyn Fn(&str) -> bool, findings: &mut Vec<Finding>) {
    let mut reader = Reader {
        loads: Vec::new(),
        expecting: 0,
    };
    reader.visit_body(&program.module.body);
    // Code in a text may define any name, and so may a star import.
    if program.bound.contains(ALL)
        || reader
            .loads
            .iter()
            .any(|name| matches!(name.id.as_str(), "exec" | "locals" | "globals" | "vars"))
    {
        return;
    }
    let mut told: BTreeSet<&str> = BTreeSet::new();
    for name in reader.loads {
        let text = name.id.as_str();
        let known = program.bound.contains(text)
            || program.known.contains(text)
            || MODULE_NAMES.contains(&text)
            || is_builtin(text);
        if !known && told.insert(text) {
            let message = format!("name '{text}' is not defined");
            findings.push(program.finding("NameError", name, message, hint(program, text)));
        }
    }
}

fn hint(program: &Program<'_>, name: &str) -> Option<String> {
    if library::has(name) {
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
            Stmt::Import(import) => {
                for alias in &import.names {
                    let bound = alias.asname.as_ref().unwrap_or(&alias.name).as_str();
                    self.names.insert(bound.split('.').next().unwrap_or(bound));
                }
            }
            Stmt::ImportFrom(import) => {
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

/// Collects the names that are read, unless their absence is expected.
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
