//! Finds imports of modules that do not exist.

use super::{Program, expects};
use crate::{failure, library};
use ruff_python_ast::visitor::{Visitor, walk_stmt};
use ruff_python_ast::{ExceptHandler, Identifier, Stmt, StmtImport, StmtImportFrom, StmtTry};
use shidi_executor_proto::Finding;

/// Finds imports that fail.
pub fn find(program: &Program<'_>, findings: &mut Vec<Finding>) {
    Importer {
        program,
        findings,
        expecting: 0,
    }
    .visit_body(&program.module.body);
}

struct Importer<'a, 'f> {
    program: &'a Program<'a>,
    findings: &'f mut Vec<Finding>,
    expecting: usize,
}

impl<'a> Visitor<'a> for Importer<'_, '_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Import(import) if self.expecting == 0 => self.import(import),
            Stmt::ImportFrom(import) if self.expecting == 0 => self.import_from(import),
            Stmt::Try(attempt) => {
                let expected = usize::from(expects_missing_module(attempt));
                self.expecting += expected;
                self.visit_body(&attempt.body);
                self.expecting -= expected;
                for ExceptHandler::ExceptHandler(handler) in &attempt.handlers {
                    self.visit_body(&handler.body);
                }
                self.visit_body(&attempt.orelse);
                self.visit_body(&attempt.finalbody);
            }
            _ => walk_stmt(self, stmt),
        }
    }
}

impl Importer<'_, '_> {
    fn import(&mut self, import: &StmtImport) {
        for alias in &import.names {
            self.module(&alias.name, &alias.name);
        }
    }

    fn import_from(&mut self, import: &StmtImportFrom) {
        let Some(module) = &import.module else { return };
        self.module(module, module);
    }

    fn module(&mut self, name: &str, at: &Identifier) {
        if library::has(name) {
            return;
        }
        let message = format!("No module named '{name}'");
        let hint = failure::no_module(name, &self.program.request.toolkits);
        self.findings.push(
            self.program
                .finding("ModuleNotFoundError", at, message, Some(hint)),
        );
    }
}

/// Whether a `try` expects a module to be missing.
fn expects_missing_module(attempt: &StmtTry) -> bool {
    let only_imports = attempt
        .body
        .iter()
        .all(|stmt| matches!(stmt, Stmt::Import(_) | Stmt::ImportFrom(_)));
    only_imports || expects(attempt, &["ImportError", "ModuleNotFoundError"])
}
