//! Changes a program line for line before it runs, and tells which facts of the host the program will ask for.
//!
//! A name keeps the value of the last expression. `r.data`, `r.ok` and `r.error` of a result become calls, so
//! that they work on a call's data itself. A program that does not parse stays unchanged: the interpreter
//! reports its fault.

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_interpolated_string_element, walk_stmt};
use ruff_python_ast::{
    Expr, ExprAttribute, ExprCall, ExprContext, InterpolatedElement, InterpolatedStringElement, ModModule,
    Pattern, Stmt,
};
use ruff_python_parser::parse_module;
use ruff_text_size::Ranged;

/// The name that keeps the value of the last expression.
pub const VALUE: &str = "_shidi_value";
/// The prefix of our own names; programs that use such a name are refused.
pub const RESERVED: &str = "_shidi_";
pub const RESERVED_MESSAGE: &str = "names that begin with `_shidi` are reserved";

/// Most brackets open at one place: as in CPython.
const DEEPEST_NESTING: usize = 200;

/// A program in the form that the interpreter runs.
#[derive(Debug, Default)]
pub struct Rewritten {
    pub source: String,
    /// Whether the program reads the clock; it then gets its time zone before it starts.
    pub wants_clock: bool,
    /// Whether the program draws random numbers; it then gets a seed before it starts.
    pub wants_entropy: bool,
    /// Whether the program uses asyncio; it must then run as a task of the loop.
    pub wants_loop: bool,
}

/// Whether a program is nested too deeply for a parser's stack.
pub fn is_too_deep(source: &str) -> bool {
    let mut nesting: usize = 0;
    for byte in source.bytes() {
        match byte {
            b'(' | b'[' | b'{' => nesting += 1,
            b')' | b']' | b'}' => nesting = nesting.saturating_sub(1),
            _ => {}
        }
        if nesting > DEEPEST_NESTING {
            return true;
        }
    }
    false
}

/// Parses a program that is not nested too deeply.
pub fn parse(source: &str) -> Option<ModModule> {
    if is_too_deep(source) {
        return None;
    }
    parse_module(source)
        .ok()
        .map(ruff_python_parser::Parsed::into_syntax)
}

/// Rewrites a program. `known` holds names that earlier programs of the session imported from modules of time,
/// chance and tasks; this program's imports are added.
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
        facts: Vec::new(),
        known,
    };
    rewriter.visit_body(&module.body);
    if let Some(Stmt::Expr(last)) = module.body.last() {
        let start = last.start().to_usize();
        // The first edit at its place: all other inserted text stands inside the expression.
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

/// Names through which programs of a session reach clock, chance and tasks.
#[derive(Debug, Default, Clone)]
pub struct FactNames(Vec<(Fact, String)>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fact {
    Clock,
    Entropy,
    Loop,
}

impl FactNames {
    fn learn(&mut self, module: &str, bound: &str) -> Option<Fact> {
        let fact = match module.split('.').next().unwrap_or(module) {
            "time" | "datetime" | "calendar" => Fact::Clock,
            "random" => Fact::Entropy,
            "asyncio" => Fact::Loop,
            _ => return None,
        };
        let learnt = (fact, bound.to_owned());
        if !self.0.contains(&learnt) {
            self.0.push(learnt);
        }
        Some(fact)
    }

    fn facts(&self, name: &str) -> Vec<Fact> {
        // After `from random import *` any name may belong to the module.
        let of_name = self.0.iter().filter(|(_, known)| known == name || known == "*");
        of_name.map(|(fact, _)| *fact).collect()
    }
}

struct Edit {
    start: usize,
    end: usize,
    text: String,
}

struct Rewriter<'a, 'k> {
    source: &'a str,
    edits: Vec<Edit>,
    facts: Vec<Fact>,
    known: &'k mut FactNames,
}

impl<'a> Visitor<'a> for Rewriter<'_, '_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Import(import) => {
                for alias in &import.names {
                    let bound = alias.asname.as_ref().unwrap_or(&alias.name).as_str();
                    let bound = bound.split('.').next().unwrap_or(bound);
                    self.facts.extend(self.known.learn(&alias.name, bound));
                }
            }
            Stmt::ImportFrom(import) => {
                let module = import.module.as_ref().map_or("", |module| module.as_str());
                for alias in &import.names {
                    let bound = alias.asname.as_ref().unwrap_or(&alias.name);
                    self.facts.extend(self.known.learn(module, bound));
                }
            }
            _ => walk_stmt(self, stmt),
        }
    }

    /// A dotted name in a `case` is compared as a value; a call in its place would be another pattern.
    fn visit_pattern(&mut self, _: &'a Pattern) {}

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) if name.ctx == ExprContext::Load => {
                self.facts.extend(self.known.facts(name.id.as_str()));
            }
            Expr::Attribute(attribute) => {
                self.attribute(attribute);
                walk_expr(self, expr);
            }
            Expr::Call(call) => self.call(call),
            _ => walk_expr(self, expr),
        }
    }

    fn visit_interpolated_string_element(&mut self, element: &'a InterpolatedStringElement) {
        let before = self.edits.len();
        walk_interpolated_string_element(self, element);
        if let InterpolatedStringElement::Interpolation(field) = element
            && field.debug_text.is_some()
            && self.edits.len() > before
        {
            match self.written_out(field) {
                Some(edits) => self.edits.extend(edits),
                None => self.edits.truncate(before),
            }
        }
    }
}

impl Rewriter<'_, '_> {
    /// A field of a result is no function, so `logger.error(…)` stays unchanged.
    fn call(&mut self, call: &ExprCall) {
        match call.func.as_ref() {
            Expr::Attribute(function) => self.visit_expr(&function.value),
            function => self.visit_expr(function),
        }
        self.visit_arguments(&call.arguments);
    }

    fn attribute(&mut self, attribute: &ExprAttribute) {
        let field = attribute.attr.as_str();
        let value = attribute.value.as_ref();
        let is_own =
            value.is_literal_expr() || matches!(value, Expr::Name(name) if name.id.as_str() == "self");
        if attribute.ctx != ExprContext::Load || !matches!(field, "data" | "ok" | "error") || is_own {
            return;
        }
        let name = attribute.attr.start().to_usize();
        if !self.source[..name].ends_with('.') {
            return;
        }
        let start = attribute.start().to_usize();
        self.edits.push(Edit {
            start,
            end: start,
            text: format!("_shidi_{field}("),
        });
        self.edits.push(Edit {
            start: name - 1,
            end: attribute.end().to_usize(),
            text: ")".to_owned(),
        });
    }

    /// `{r.data=}` as `r.data={…!r}`, so that the output shows the written text. `None` for text that a string
    /// cannot hold unchanged.
    fn written_out(&self, field: &InterpolatedElement) -> Option<[Edit; 2]> {
        let (start, end) = (field.start().to_usize(), field.expression.end().to_usize());
        let shown = &self.source[start + 1..end];
        let rest = &self.source[end..];
        let sign = rest
            .trim_start_matches(' ')
            .strip_prefix('=')?
            .trim_start_matches(' ');
        let after = end + rest.len() - sign.len();
        let begins_with_it = shown.trim_start_matches(' ').len() == field.expression.range().len().to_usize();
        if !begins_with_it || shown.contains(['\'', '"', '\\', '{', '}', '\n', '\r']) {
            return None;
        }
        let opening = Edit {
            start,
            end: start + 1,
            text: format!("{shown}{}{{", &self.source[end..after]),
        };
        let closing = Edit {
            start: end,
            end: after,
            text: if sign.starts_with('}') { "!r" } else { "" }.to_owned(),
        };
        Some([opening, closing])
    }

    fn finish(mut self) -> Rewritten {
        // A stable sort: of two insertions at one place, the outer expression's comes first.
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
            wants_clock: self.facts.contains(&Fact::Clock),
            wants_entropy: self.facts.contains(&Fact::Entropy),
            wants_loop: self.facts.contains(&Fact::Loop),
        }
    }
}

/// The line of a byte, from 1.
pub fn line_of(source: &str, offset: usize) -> u32 {
    let before = source.as_bytes().get(..offset).unwrap_or(source.as_bytes());
    u32::try_from(before.iter().filter(|&&byte| byte == b'\n').count() + 1).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
