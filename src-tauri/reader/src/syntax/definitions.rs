//! The definition in a node: its name, its kind, and the type that it says it belongs to. Grammars differ here
//! most.

use super::rules::Role;
use super::{Reading, STEPS_MAX};
use crate::language::Language;
use crate::outline::Kind;
use tree_sitter::Node;

/// Nodes that hold a function where something else would stand.
const FUNCTIONS: [&str; 6] = [
    "arrow_function",
    "function_expression",
    "function",
    "generator_function",
    "class",
    "func_literal",
];

impl<'a> Reading<'a> {
    /// The name and the kind of a node's definition. `None` where the node defines nothing that is worth a line.
    pub(super) fn defined_by(&self, node: Node<'a>, kind: Kind) -> Option<(Node<'a>, Kind)> {
        let field = |name: &str| node.child_by_field_name(name);
        let is_inside_function = self.enclosing().is_some_and(|around| around.kind.is_called());
        let holds_function = || {
            let value = field("value").or_else(|| field("right"));
            value.is_some_and(|value| FUNCTIONS.contains(&value.kind()))
        };
        let (name, kind) = match node.kind() {
            "impl_item" => (field("type"), kind),
            "variable_declarator" | "field_definition" | "public_field_definition" => {
                let name = field("name").or_else(|| field("property"));
                let is_method = node.kind() != "variable_declarator";
                match holds_function() {
                    true if is_method => (name, Kind::Method),
                    true => (name, Kind::Function),
                    false if is_inside_function => (None, kind),
                    false => (name.filter(|name| name.named_child_count() == 0), kind),
                }
            }
            "assignment_expression" => (field("left").filter(|_| holds_function()), kind),
            "pair" => (field("key").filter(|_| holds_function()), kind),
            "assignment" => {
                let left = field("left").filter(|left| ["identifier", "constant"].contains(&left.kind()));
                let is_constant =
                    |left: &Node<'_>| self.grammar.of != Language::Ruby || left.kind() == "constant";
                (left.filter(|left| !is_inside_function && is_constant(left)), kind)
            }
            "declaration" | "field_declaration" => {
                let declarator = field("declarator").filter(|_| !is_inside_function);
                (declarator.filter(|declarator| is_of_function(*declarator)), kind)
            }
            "struct_specifier" | "union_specifier" | "class_specifier" | "enum_specifier" => {
                (field("name").filter(|_| field("body").is_some()), kind)
            }
            "function_definition" => (field("declarator").or_else(|| field("name")), kind),
            "type_definition" => (field("declarator"), kind),
            "const_element" => (node.named_child(0), kind),
            "const_spec" | "var_spec" => (field("name").filter(|_| !is_inside_function), kind),
            "type_spec" => (field("name"), kind_of_go(field("type"), kind)),
            "class" | "function_expression" => (field("name"), kind),
            _ => (field("name"), kind),
        };
        let is_local = kind == Kind::Constant && is_inside_function;
        let name = name.filter(|_| !is_local)?;
        Some((self.last_name(name)?, kind))
    }

    /// The type that a function names as its own: a receiver of Go, a scope of C++.
    pub(super) fn own_container(&self, node: Node<'a>) -> Option<String> {
        let of_receiver = || {
            let receiver = node.child_by_field_name("receiver")?;
            let typed = receiver.named_child(0)?.child_by_field_name("type")?;
            self.first_type(typed)
        };
        let of_scope = || {
            let mut declarator = node.child_by_field_name("declarator")?;
            for _ in 0..STEPS_MAX {
                if declarator.kind() == "qualified_identifier" {
                    let scope = declarator.child_by_field_name("scope")?;
                    return self.first_type(scope);
                }
                declarator = declarator.child_by_field_name("declarator")?;
            }
            None
        };
        of_receiver().or_else(of_scope)
    }

    /// The first name of a type or scope in a node.
    fn first_type(&self, node: Node<'a>) -> Option<String> {
        let mut cursor = node.walk();
        for _ in 0..64 {
            let role = self.grammar.role(cursor.node().kind_id());
            if matches!(role, Role::Name | Role::TypeName) {
                return self.name_of(cursor.node()).map(str::to_owned);
            }
            if cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return None;
                }
            }
        }
        None
    }
}

/// Whether a declarator of C is that of a function.
fn is_of_function(declarator: Node<'_>) -> bool {
    let mut declarator = Some(declarator);
    for _ in 0..STEPS_MAX {
        match declarator {
            Some(node) if node.kind() == "function_declarator" => {
                // A pointer to a function is a variable.
                let inner = node.child_by_field_name("declarator");
                return inner.is_some_and(|inner| inner.kind() != "parenthesized_declarator");
            }
            Some(node) => declarator = node.child_by_field_name("declarator"),
            None => return false,
        }
    }
    false
}

fn kind_of_go(of: Option<Node<'_>>, otherwise: Kind) -> Kind {
    match of.map(|of| of.kind()) {
        Some("struct_type") => Kind::Struct,
        Some("interface_type") => Kind::Interface,
        Some(_) | None => otherwise,
    }
}
