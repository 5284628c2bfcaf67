//! Generator expressions, `map`, `filter`, `zip` and `enumerate`, which the interpreter evaluates at once into a list.
//!
//! Where all of it is consumed on the spot the list is as good and faster, and stays. Elsewhere
//! `(f(x) for x in xs if x)` becomes `_shidi__lazy.each(lambda _shidi_one, _shidi_take: [f(x) for x in
//! (_shidi_one or _shidi_take(xs)) if x])`: every part stays where it was, on its line. Of several loops only the
//! first waits.

use super::{Rewriter, is_name};
use ruff_python_ast::visitor::{Visitor, walk_expr};
use ruff_python_ast::{Expr, ExprCall, ExprGenerator};
use ruff_text_size::Ranged;

/// Built-ins that take all of their argument before they give anything.
const CONSUMERS: &[&str] = &[
    "dict",
    "frozenset",
    "list",
    "max",
    "min",
    "set",
    "sorted",
    "sum",
    "tuple",
];
/// Built-ins that give iterators in CPython and lists here.
const ITERATORS: &[&str] = &["enumerate", "filter", "map", "zip"];

impl Rewriter<'_, '_> {
    /// Whether a call takes all of its arguments at once, so that an argument may be a list.
    pub(super) fn consumes(&self, call: &ExprCall) -> bool {
        match call.func.as_ref() {
            Expr::Name(name) => CONSUMERS.contains(&name.id.as_str()) && !self.is_defined(&name.id),
            Expr::Attribute(method) => {
                method.attr.as_str() == "join" && matches!(method.value.as_ref(), Expr::StringLiteral(_))
            }
            _ => false,
        }
    }

    /// An argument of a consumer: its own list is left alone, what stands in it is not.
    pub(super) fn consumed<'a>(&mut self, argument: &'a Expr)
    where
        Self: Visitor<'a>,
    {
        match argument {
            Expr::Generator(_) => walk_expr(self, argument),
            Expr::Call(inner) if self.iterator(inner).is_some() => {
                self.visit_arguments(&inner.arguments);
            }
            _ => self.visit_expr(argument),
        }
    }

    /// The built-in iterator that a call makes.
    pub(super) fn iterator(&self, call: &ExprCall) -> Option<&'static str> {
        let name = ITERATORS.iter().find(|name| is_name(&call.func, name))?;
        (!self.is_defined(name)).then_some(*name)
    }

    pub(super) fn lazy_iterator(&mut self, call: &ExprCall, name: &str) {
        let home = self.home("lazy");
        self.replace(
            call.func.start().to_usize(),
            call.func.end().to_usize(),
            format!("{home}.{name}"),
        );
    }

    /// Makes a generator expression wait, if it can: what it awaits or binds must happen in its own function.
    pub(super) fn lazy_generator(&mut self, generator: &ExprGenerator) {
        let Some(first) = generator.generators.first() else {
            return;
        };
        if binds_or_awaits(generator) || generator.generators.iter().any(|one| one.is_async) {
            return;
        }
        let home = self.home("lazy");
        let (start, end) = (generator.start().to_usize(), generator.end().to_usize());
        let opening = format!("{home}.each(lambda _shidi_one, _shidi_take: [");
        if generator.parenthesized {
            self.replace(start, start + 1, opening);
            self.replace(end - 1, end, "])".to_owned());
        } else {
            self.replace(start, start, opening);
            self.close(end, "])");
        }
        let (from, to) = self.with_parentheses(
            first.target.end().to_usize(),
            first.iter.start().to_usize(),
            first.iter.end().to_usize(),
        );
        self.replace(from, from, "(_shidi_one or _shidi_take(".to_owned());
        self.close(to, "))");
    }

    /// The range of an expression with the parentheses around it, none of which opens before `floor`.
    fn with_parentheses(&self, floor: usize, start: usize, end: usize) -> (usize, usize) {
        let (mut from, mut to) = (start, end);
        loop {
            let before = self.source[floor..from].trim_end();
            let after = self.source[to..].trim_start();
            if !before.ends_with('(') || !after.starts_with(')') {
                return (from, to);
            }
            from = floor + before.len() - 1;
            to = self.source.len() - after.len() + 1;
        }
    }
}

fn binds_or_awaits(generator: &ExprGenerator) -> bool {
    struct Finder(bool);
    impl<'a> Visitor<'a> for Finder {
        fn visit_expr(&mut self, expr: &'a Expr) {
            match expr {
                Expr::Named(_) | Expr::Await(_) | Expr::Yield(_) | Expr::YieldFrom(_) => self.0 = true,
                Expr::Lambda(_) => {}
                _ => walk_expr(self, expr),
            }
        }
    }
    let mut finder = Finder(false);
    finder.visit_expr(&generator.elt);
    for one in &generator.generators {
        finder.visit_expr(&one.iter);
        one.ifs.iter().for_each(|condition| finder.visit_expr(condition));
    }
    finder.0
}
