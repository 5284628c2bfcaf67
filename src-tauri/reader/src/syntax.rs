//! From the text of a file to its outline, by the grammar of its language.
//!
//! The tree is gone through once, without recursion and within bounds. A part that does not parse is passed over, and
//! an outline is made of the rest. This runs in a confined program alone.

mod definitions;
mod rules;
mod words;

pub(crate) use rules::Grammar;

use crate::language::Language;
use crate::limits::{FILE_TIME, LINE_BYTES_MAX, NAME_BYTES_MAX, REFERENCES_MAX, SYMBOLS_MAX};
use crate::outline::{Kind, Mention, NONE, Outline, Reference, Symbol};
use rules::{BEFORE, CALLEES, LAST, Role};
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::time::Instant;
use tree_sitter::{Node, ParseOptions, ParseState, Parser, Point};

/// Names that say nothing about what is used.
const OWN: [&str; 9] = [
    "self",
    "this",
    "super",
    "crate",
    "cls",
    "std",
    "Self",
    "None",
    "undefined",
];

/// Steps from a longer name to its last part.
const STEPS_MAX: usize = 8;

/// The outline of one text, read in this very process: for tests of what is made of outlines.
#[must_use]
pub fn outlined(language: Language, text: &str) -> Option<Outline> {
    read(&mut Parser::new(), &Grammar::new(language), text)
}

/// The outline of a file; `None` of a text that takes too long, or is data or minified.
pub(crate) fn read(parser: &mut Parser, grammar: &Grammar, text: &str) -> Option<Outline> {
    if text.lines().any(|line| line.len() > LINE_BYTES_MAX) {
        return None;
    }
    parser.set_language(&grammar.language).ok()?;
    parser.reset();
    let began = Instant::now();
    let mut in_time = |_: &ParseState| match began.elapsed() < FILE_TIME {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    };
    let options = ParseOptions::new().progress_callback(&mut in_time);
    let bytes = text.as_bytes();
    let mut piece = |at: usize, _: Point| bytes.get(at..).unwrap_or_default();
    let tree = parser.parse_with_options(&mut piece, None, Some(options))?;
    let mut reading = Reading::new(grammar, text);
    reading.outline.doc = words::of_file(tree.root_node(), text);
    reading.walk(tree.root_node(), began);
    Some(reading.outline)
}

/// A file that is being read.
struct Reading<'a> {
    grammar: &'a Grammar,
    text: &'a str,
    outline: Outline,
    /// Places of names by themselves.
    known: HashMap<&'a str, u32>,
    /// Definitions around the present place: where each ends, and its place.
    around: Vec<(usize, u32)>,
    /// Where names begin that are defined, called, or behind a dot.
    defined: HashSet<usize>,
    called: HashSet<usize>,
    behind: HashMap<usize, u32>,
    /// Mentions that are told already.
    told: HashSet<(u32, u32, Mention)>,
}

impl<'a> Reading<'a> {
    fn new(grammar: &'a Grammar, text: &'a str) -> Self {
        let lines = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
        Self {
            grammar,
            text,
            outline: Outline {
                lines,
                ..Outline::default()
            },
            known: HashMap::new(),
            around: Vec::new(),
            defined: HashSet::new(),
            called: HashSet::new(),
            behind: HashMap::new(),
            told: HashSet::new(),
        }
    }

    /// Goes through all nodes, parents first.
    fn walk(&mut self, root: Node<'a>, began: Instant) {
        let mut cursor = root.walk();
        let mut seen: u32 = 0;
        loop {
            let node = cursor.node();
            while self
                .around
                .last()
                .is_some_and(|(end, _)| node.start_byte() >= *end)
            {
                self.around.pop();
            }
            self.visit(node);
            seen = seen.wrapping_add(1);
            // The tree of a file of bounded size is bounded; its depth makes single steps slow.
            if seen.is_multiple_of(4_096) && began.elapsed() > FILE_TIME * 2 {
                return;
            }
            if cursor.goto_first_child() {
                continue;
            }
            loop {
                if cursor.goto_next_sibling() {
                    break;
                }
                if !cursor.goto_parent() {
                    return;
                }
            }
        }
    }

    fn visit(&mut self, node: Node<'a>) {
        match self.grammar.role(node.kind_id()) {
            Role::Nothing => {}
            Role::Definition(kind) => self.define(node, kind),
            Role::Call(field) => self.call(node, field),
            Role::Member => self.member(node),
            Role::Tokens => self.tokens(node),
            Role::Name => self.mention(node, Mention::Use),
            Role::TypeName => self.mention(node, Mention::Type),
        }
    }

    fn define(&mut self, node: Node<'a>, kind: Kind) {
        let Some((name, kind)) = self.defined_by(node, kind) else {
            return;
        };
        let Some(text) = self.name_of(name) else { return };
        self.defined.insert(name.start_byte());
        if self.outline.symbols.len() >= SYMBOLS_MAX {
            return;
        }
        let line = line_of(node);
        let is_twice = |last: &Symbol| last.name == text && last.line == line;
        if self.outline.symbols.last().is_some_and(is_twice) {
            return;
        }
        let around = self.enclosing();
        let own = self.own_container(node);
        let is_of_type = own.is_some() || around.is_some_and(|around| around.kind.has_methods());
        let kind = if kind == Kind::Function && is_of_type {
            Kind::Method
        } else {
            kind
        };
        let outer = || around.map(|around| around.name.clone()).unwrap_or_default();
        let symbol = Symbol {
            name: text.to_owned(),
            kind,
            container: own.unwrap_or_else(outer),
            line,
            end: u32::try_from(node.end_position().row).map_or(line, |row| row + 1),
            signature: words::signature(node, kind.is_called(), self.text),
            doc: words::description(node, self.text),
            depth: u8::try_from(self.around.len()).unwrap_or(u8::MAX),
        };
        let place = u32::try_from(self.outline.symbols.len()).unwrap_or(NONE);
        self.outline.symbols.push(symbol);
        self.around.push((node.end_byte(), place));
    }

    fn call(&mut self, node: Node<'a>, field: u8) {
        let field = CALLEES.get(usize::from(field)).copied().unwrap_or_default();
        // Grammars without the field have the name as their first child.
        let callee = node.child_by_field_name(field).or_else(|| node.named_child(0));
        let Some(name) = callee.and_then(|callee| self.last_name(callee)) else {
            return;
        };
        self.called.insert(name.start_byte());
        self.stands_before(node, name);
    }

    fn member(&mut self, node: Node<'a>) {
        if let Some(name) = self.last_name(node) {
            self.stands_before(node, name);
        }
    }

    /// Notes what stands before the dot of a name.
    fn stands_before(&mut self, node: Node<'a>, name: Node<'a>) {
        let before = BEFORE.iter().find_map(|field| node.child_by_field_name(field));
        let before = before.filter(|before| before.end_byte() <= name.start_byte());
        let Some(before) = before.and_then(|before| self.last_name_or_own(before)) else {
            return;
        };
        if let Some(place) = self.place_of(before) {
            self.behind.insert(name.start_byte(), place);
        }
    }

    /// Calls among the words within a macro: a name before parentheses.
    fn tokens(&mut self, node: Node<'a>) {
        let mut cursor = node.walk();
        if !cursor.goto_first_child() {
            return;
        }
        let mut before: [Option<Node<'a>>; 3] = [None; 3];
        loop {
            let child = cursor.node();
            let is_group =
                child.kind() == "token_tree" && self.text.as_bytes().get(child.start_byte()) == Some(&b'(');
            if let (true, Some(name)) = (is_group, before[2].filter(|name| name.kind() == "identifier")) {
                self.called.insert(name.start_byte());
                let is_dot = before[1].is_some_and(|sign| [".", "::"].contains(&sign.kind()));
                let place = before[0]
                    .filter(|_| is_dot)
                    .and_then(|on| self.place_of(self.written(on)?));
                if let Some(place) = place {
                    self.behind.insert(name.start_byte(), place);
                }
            }
            before = [before[1], before[2], Some(child)];
            if !cursor.goto_next_sibling() {
                return;
            }
        }
    }

    fn mention(&mut self, node: Node<'a>, mention: Mention) {
        let start = node.start_byte();
        if self.defined.contains(&start) || self.outline.references.len() >= REFERENCES_MAX {
            return;
        }
        let mention = if self.called.contains(&start) {
            Mention::Call
        } else {
            mention
        };
        let Some(name) = self.name_of(node) else { return };
        // Every word of a command is a name to the grammar of shells.
        let is_noise = mention == Mention::Use && (name.len() < 3 || self.grammar.of == Language::Bash);
        if is_noise || OWN.contains(&name) {
            return;
        }
        let Some(name) = self.place_of(name) else { return };
        let within = self.around.last().map_or(NONE, |(_, place)| *place);
        if mention != Mention::Call && !self.told.insert((within, name, mention)) {
            return;
        }
        let on = self.behind.get(&start).copied().unwrap_or(NONE);
        self.outline.references.push(Reference {
            name,
            on,
            within,
            line: line_of(node),
            mention,
        });
    }

    /// The innermost definition around the present place.
    fn enclosing(&self) -> Option<&Symbol> {
        self.around
            .last()
            .and_then(|(_, place)| self.outline.symbol(*place))
    }

    fn place_of(&mut self, name: &'a str) -> Option<u32> {
        if let Some(place) = self.known.get(name) {
            return Some(*place);
        }
        let place = self.outline.names.next_place()?;
        self.outline.names.push(name);
        self.known.insert(name, place);
        Some(place)
    }

    fn written(&self, node: Node<'a>) -> Option<&'a str> {
        let text = self.text.get(node.byte_range())?;
        let is_name = !text.is_empty() && text.len() <= NAME_BYTES_MAX && !text.contains(char::is_whitespace);
        is_name.then_some(text)
    }

    /// The text of a name without quotes and marks.
    fn name_of(&self, node: Node<'a>) -> Option<&'a str> {
        let text = self.written(node)?.trim_matches(['"', '\'', '#', '$', '@']);
        (!text.is_empty()).then_some(text)
    }

    fn last_name_or_own(&self, node: Node<'a>) -> Option<&'a str> {
        match node.kind() {
            "self" | "this" | "super" | "crate" => self.written(node),
            _ => self.name_of(self.last_name(node)?),
        }
    }

    /// The last name of a longer one: `c` of `a.b::c`.
    fn last_name(&self, node: Node<'a>) -> Option<Node<'a>> {
        let mut node = node;
        for _ in 0..STEPS_MAX {
            if node.named_child_count() == 0 {
                let is_name = matches!(self.grammar.role(node.kind_id()), Role::Name | Role::TypeName)
                    || ["string", "predefined_type", "namespace_name", "operator"].contains(&node.kind());
                return is_name.then_some(node);
            }
            if [
                "destructor_name",
                "operator_name",
                "setter",
                "private_property_identifier",
            ]
            .contains(&node.kind())
            {
                return Some(node);
            }
            let next = LAST.iter().find_map(|field| node.child_by_field_name(field));
            node = next.or_else(|| node.named_child(0))?;
        }
        None
    }
}

fn line_of(node: Node<'_>) -> u32 {
    u32::try_from(node.start_position().row).map_or(u32::MAX, |row| row.saturating_add(1))
}

#[cfg(test)]
mod tests;
