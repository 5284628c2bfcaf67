//! Turns what the model wrote into what the interpreter can run, line for line.
//!
//! Everything is changed in place and without moving a line: imports of prelude modules become assignments;
//! names added to existing modules, methods, built-ins and lazy iterators are taken from the prelude; the value of a last expression is kept in a name;
//! `r.data`, `r.ok`, `r.error` of a result become calls; `asyncio.gather(…, return_exceptions=True)` too; and
//! `\1` in the replacement of `re.sub` is written `\g<1>`, since the interpreter reads `\1_` as a group named `1_`.
//! A program that does not parse is left as it is: the interpreter says what is wrong with it.

mod lacking;
mod lazy;

pub use lacking::BUILTINS as LACKING_BUILTINS;

use crate::{check, prelude};
use monty::source_within_nesting_bound;
use monty_types::SOURCE_SCAN_THRESHOLD;
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{
    Alias, Expr, ExprAttribute, ExprCall, ExprContext, ModModule, Pattern, Stmt, StmtImport, StmtImportFrom,
};
use ruff_python_parser::parse_module;
use ruff_text_size::Ranged;
use std::collections::BTreeSet;

/// The name that keeps the value of the last expression.
pub const VALUE: &str = "_shidi_value";

/// A program as the interpreter gets it.
#[derive(Debug, Default)]
pub struct Rewritten {
    pub source: String,
    /// Prelude modules that must be there first.
    pub modules: Vec<&'static str>,
    pub facts: Facts,
}

/// Where the program first depends on the host, by line from 1.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    pub clock: Option<u32>,
    pub entropy: Option<u32>,
}

/// Parses a program that is not nested too deeply for the parser's stack.
pub fn parse(source: &str) -> Option<ModModule> {
    if !source_within_nesting_bound(source, SOURCE_SCAN_THRESHOLD) {
        return None;
    }
    parse_module(source)
        .ok()
        .map(ruff_python_parser::Parsed::into_syntax)
}

/// Rewrites a program. `known` holds the names that earlier programs of the session imported from the modules of
/// time and chance; this one's are added to them.
pub fn rewrite(source: &str, known: &mut FactNames) -> Rewritten {
    let Some(module) = parse(source) else {
        return Rewritten {
            source: source.to_owned(),
            ..Rewritten::default()
        };
    };
    let mut rewriter = Rewriter {
        source,
        edits: Vec::new(),
        closings: Vec::new(),
        modules: Vec::new(),
        facts: Facts::default(),
        known,
        defined: check::defined(&module).into_iter().map(str::to_owned).collect(),
    };
    rewriter.visit_body(&module.body);
    let own = rewriter
        .defined
        .iter()
        .filter(|name| lacking::BUILTINS.contains(&name.as_str()));
    rewriter.known.own.extend(own.cloned());
    if let Some(Stmt::Expr(last)) = module.body.last() {
        let start = last.start().to_usize();
        // First of all edits: whatever else is put there stands inside the expression.
        rewriter.edits.insert(
            0,
            Edit {
                start,
                end: start,
                text: format!("{VALUE} = "),
            },
        );
    }
    rewriter.finish()
}

/// Names through which programs of a session reach the clock and chance.
#[derive(Debug, Default, Clone)]
pub struct FactNames {
    clock: Vec<String>,
    entropy: Vec<String>,
    /// Built-ins of which an earlier program made something of its own.
    own: BTreeSet<String>,
    /// Toolkits of the run: their methods are the host's, whatever their names.
    toolkits: BTreeSet<String>,
}

impl FactNames {
    pub fn set_toolkits<'t>(&mut self, names: impl Iterator<Item = &'t str>) {
        self.toolkits = names.map(str::to_owned).collect();
    }

    fn learn(&mut self, module: &str, bound: &str) -> Option<Fact> {
        let (fact, names) = match module {
            "time" | "datetime" => (Fact::Clock, &mut self.clock),
            "random" => (Fact::Entropy, &mut self.entropy),
            _ => return None,
        };
        if !names.iter().any(|name| name == bound) {
            names.push(bound.to_owned());
        }
        Some(fact)
    }

    fn fact(&self, name: &str) -> Option<Fact> {
        if self.clock.iter().any(|known| known == name) {
            Some(Fact::Clock)
        } else if self.entropy.iter().any(|known| known == name) {
            Some(Fact::Entropy)
        } else {
            None
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Fact {
    Clock,
    Entropy,
}

struct Edit {
    start: usize,
    end: usize,
    text: String,
}

struct Rewriter<'a, 'k> {
    source: &'a str,
    edits: Vec<Edit>,
    /// Insertions at the end of an expression, the outer ones first.
    closings: Vec<Edit>,
    modules: Vec<&'static str>,
    facts: Facts,
    known: &'k mut FactNames,
    /// Names that the program gives a meaning of its own.
    defined: BTreeSet<String>,
}

impl<'a> Visitor<'a> for Rewriter<'_, '_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Import(import) => self.import(import),
            Stmt::ImportFrom(import) => self.import_from(import),
            Stmt::Delete(delete) => self.delete(delete),
            _ => walk_stmt(self, stmt),
        }
    }

    /// A dotted name in a `case` is compared with; a call in its place would be another pattern.
    fn visit_pattern(&mut self, _: &'a Pattern) {}

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) if name.ctx == ExprContext::Load => {
                if let Some(fact) = self.known.fact(name.id.as_str()) {
                    self.note(fact, expr.start().to_usize());
                }
                self.lacking_builtin(name);
            }
            Expr::Attribute(attribute) => {
                self.attribute(attribute);
                walk_expr(self, expr);
            }
            Expr::Generator(generator) => {
                self.lazy_generator(generator);
                walk_expr(self, expr);
            }
            Expr::Call(call) => {
                if self.lacking_function(call) {
                    return self.visit_arguments(&call.arguments);
                }
                if let Some(iterator) = self.iterator(call) {
                    self.lazy_iterator(call, iterator);
                    return self.visit_arguments(&call.arguments);
                }
                // A field of a result is no function, so `logger.error(…)` is left alone.
                let Expr::Attribute(function) = call.func.as_ref() else {
                    self.visit_expr(&call.func);
                    return self.arguments(call);
                };
                let settles = call.arguments.keywords.iter().any(|keyword| {
                    keyword
                        .arg
                        .as_ref()
                        .is_some_and(|name| name.as_str() == "return_exceptions")
                });
                if settles && is_name(&function.value, "asyncio") && function.attr.as_str() == "gather" {
                    self.replace(
                        function.start().to_usize(),
                        function.end().to_usize(),
                        "_shidi_gather".to_owned(),
                    );
                } else {
                    if matches!(function.attr.as_str(), "sub" | "subn") {
                        call.arguments
                            .args
                            .iter()
                            .take(2)
                            .for_each(|argument| self.references(argument));
                    }
                    if !self.added(function)
                        && !self.lacking_method(call, function)
                        && !self.unbound_call(function)
                    {
                        self.function_name(function);
                    }
                    self.visit_expr(&function.value);
                }
                self.arguments(call);
            }
            _ => walk_expr(self, expr),
        }
    }
}

impl<'a> Rewriter<'_, '_> {
    fn arguments(&mut self, call: &'a ExprCall) {
        if self.consumes(call) {
            call.arguments
                .args
                .iter()
                .for_each(|argument| self.consumed(argument));
            call.arguments
                .keywords
                .iter()
                .for_each(|keyword| self.visit_keyword(keyword));
        } else {
            self.visit_arguments(&call.arguments);
        }
    }
}

impl Rewriter<'_, '_> {
    /// Whether the program, or an earlier one, gives a built-in's name another meaning.
    fn is_defined(&self, name: &str) -> bool {
        self.defined.contains(name) || self.known.own.contains(name)
    }

    /// Whether an expression is a toolkit by its name.
    fn is_toolkit(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Name(name) if self.known.toolkits.contains(name.id.as_str()) && !self.is_defined(&name.id))
    }

    fn import(&mut self, import: &StmtImport) {
        let line = import.start().to_usize();
        for alias in &import.names {
            let bound = alias.asname.as_ref().unwrap_or(&alias.name);
            if let Some(fact) = self.known.learn(alias.name.as_str(), bound.as_str()) {
                self.note(fact, line);
            }
        }
        if !import
            .names
            .iter()
            .any(|alias| prelude::module(alias.name.as_str()).is_some())
        {
            return;
        }
        let statements: Vec<String> = import
            .names
            .iter()
            .map(|alias| match prelude::module(alias.name.as_str()) {
                Some(module) => {
                    self.modules.push(module);
                    // `import a.b` binds `a`.
                    let (bound, class) = match &alias.asname {
                        Some(name) => (name.as_str(), prelude::class(&alias.name)),
                        None => (module, prelude::class(module)),
                    };
                    format!("{bound} = {class}")
                }
                None => format!("import {}", written(alias)),
            })
            .collect();
        self.replace_statement(import, &statements);
    }

    fn import_from(&mut self, import: &StmtImportFrom) {
        let Some(module) = import.module.as_ref().filter(|_| import.level == 0) else {
            return;
        };
        for alias in &import.names {
            let bound = alias.asname.as_ref().unwrap_or(&alias.name);
            if let Some(fact) = self.known.learn(module.as_str(), bound.as_str()) {
                self.note(fact, import.start().to_usize());
            }
        }
        let ours = prelude::module(module.as_str());
        let added = |alias: &Alias| prelude::ADDED.contains(&(module.as_str(), alias.name.as_str()));
        if ours.is_none() && !import.names.iter().any(added) {
            return;
        }
        let statements: Vec<String> = import
            .names
            .iter()
            .map(|alias| {
                let bound = alias.asname.as_ref().unwrap_or(&alias.name);
                if let Some(module) = ours {
                    self.modules.push(module);
                    let class = prelude::class(import.module.as_deref().unwrap_or(module));
                    format!("{bound} = {class}.{}", alias.name)
                } else if added(alias) {
                    let home = self.home(module.as_str());
                    format!("{bound} = {home}.{}", alias.name)
                } else {
                    format!("from {module} import {}", written(alias))
                }
            })
            .collect();
        self.replace_statement(import, &statements);
    }

    fn attribute(&mut self, attribute: &ExprAttribute) {
        if attribute.ctx != ExprContext::Load
            || self.added(attribute)
            || self.method_value(attribute)
            || self.function_name(attribute)
        {
            return;
        }
        let field = attribute.attr.as_str();
        if !matches!(field, "data" | "ok" | "error") || is_name(&attribute.value, "self") {
            return;
        }
        let name = attribute.attr.start().to_usize();
        if !self.source[..name].ends_with('.') {
            return;
        }
        let start = attribute.start().to_usize();
        self.replace(start, start, format!("_shidi_{field}("));
        self.replace(name - 1, attribute.end().to_usize(), ")".to_owned());
    }

    /// Writes references to groups in a text so that what follows is not taken for a part of them.
    fn references(&mut self, argument: &Expr) {
        let Expr::StringLiteral(text) = argument else {
            return;
        };
        for part in text.value.iter() {
            let (start, end) = (part.start().to_usize(), part.end().to_usize());
            let written = &self.source[start..end];
            let changed = with_delimited_references(written, part.flags.prefix().is_raw());
            if changed != written {
                self.replace(start, end, changed);
            }
        }
    }

    /// Takes a name that a module lacks from the prelude: `collections.ChainMap`.
    fn added(&mut self, attribute: &ExprAttribute) -> bool {
        let Expr::Name(module) = attribute.value.as_ref() else {
            return false;
        };
        if !prelude::ADDED.contains(&(module.id.as_str(), attribute.attr.as_str())) {
            return false;
        }
        let home = self.home(module.id.as_str());
        self.replace(module.start().to_usize(), module.end().to_usize(), home);
        true
    }

    /// The prelude class that holds what is added to `module`.
    fn home(&mut self, module: &str) -> String {
        let home = format!("_{module}");
        if let Some(own) = prelude::module(&home) {
            self.modules.push(own);
        }
        format!("_shidi_{home}")
    }

    fn note(&mut self, fact: Fact, offset: usize) {
        let line = line_of(self.source, offset);
        let slot = match fact {
            Fact::Clock => &mut self.facts.clock,
            Fact::Entropy => &mut self.facts.entropy,
        };
        slot.get_or_insert(line);
    }

    /// Replaces a statement, keeping the lines that it took.
    fn replace_statement(&mut self, statement: &impl Ranged, statements: &[String]) {
        let (start, end) = (statement.start().to_usize(), statement.end().to_usize());
        let lines = self.source[start..end].matches('\n').count();
        self.replace(start, end, statements.join("; ") + &"\n".repeat(lines));
    }

    fn replace(&mut self, start: usize, end: usize, text: String) {
        self.edits.push(Edit { start, end, text });
    }

    /// Ends an expression at `place`.
    fn close(&mut self, place: usize, text: &str) {
        self.closings.push(Edit {
            start: place,
            end: place,
            text: text.to_owned(),
        });
    }

    fn finish(mut self) -> Rewritten {
        // Stable: of two insertions at one place the outer expression's comes first; of two that close one, last.
        self.closings.reverse();
        self.closings.append(&mut self.edits);
        self.edits = self.closings;
        self.edits.sort_by_key(|edit| edit.start);
        let mut source = String::with_capacity(self.source.len() + 64);
        let mut copied = 0;
        for edit in &self.edits {
            if edit.start < copied {
                continue;
            }
            source.push_str(&self.source[copied..edit.start]);
            source.push_str(&edit.text);
            copied = edit.end;
        }
        source.push_str(&self.source[copied..]);
        Rewritten {
            source,
            modules: self.modules,
            facts: self.facts,
        }
    }
}

/// A literal as written, with `\1` as `\g<1>`. Of backslashes before a digit the last one counts when they are odd;
/// two in the source make one where the literal is not raw.
fn with_delimited_references(literal: &str, is_raw: bool) -> String {
    let each = if is_raw { 1 } else { 2 };
    let mut changed = String::with_capacity(literal.len() + 8);
    let mut backslashes = 0;
    let mut rest = literal.chars().peekable();
    while let Some(letter) = rest.next() {
        let refers = backslashes % each == 0 && (backslashes / each) % 2 == 1;
        if refers && letter.is_ascii_digit() && letter != '0' {
            changed.push_str("g<");
            changed.push(letter);
            changed.extend(rest.next_if(char::is_ascii_digit));
            changed.push('>');
        } else {
            changed.push(letter);
        }
        backslashes = if letter == '\\' { backslashes + 1 } else { 0 };
    }
    changed
}

/// The line of a byte, from 1.
pub fn line_of(source: &str, offset: usize) -> u32 {
    let before = source.as_bytes().get(..offset).unwrap_or(source.as_bytes());
    u32::try_from(before.iter().filter(|&&byte| byte == b'\n').count() + 1).unwrap_or(u32::MAX)
}

fn is_name(expr: &Expr, name: &str) -> bool {
    matches!(expr, Expr::Name(found) if found.id.as_str() == name)
}

fn written(alias: &Alias) -> String {
    match &alias.asname {
        Some(name) => format!("{} as {name}", alias.name),
        None => alias.name.to_string(),
    }
}

#[cfg(test)]
mod tests;
