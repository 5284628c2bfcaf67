//! The meaning of the nodes of each language's grammar here. A kind that a grammar no longer has means nothing, and
//! breaks nothing.

use crate::language::Language;
use crate::outline::Kind;

/// What a node is for an outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Nothing,
    /// It defines something.
    Definition(Kind),
    /// It calls what its field of that number in [`CALLEES`] names.
    Call(u8),
    /// A name behind another one and a dot.
    Member,
    /// A name.
    Name,
    /// The name of a type.
    TypeName,
    /// The words within a macro of Rust, where calls are not told apart.
    Tokens,
}

/// Fields in which grammars have what is called.
pub(super) const CALLEES: [&str; 6] = ["function", "name", "method", "constructor", "type", "macro"];

/// Fields in which grammars have what stands before a dot.
pub(super) const BEFORE: [&str; 8] = [
    "value",
    "object",
    "operand",
    "argument",
    "path",
    "scope",
    "expression",
    "receiver",
];

/// Fields that lead to the last name of a longer one.
pub(super) const LAST: [&str; 8] = [
    "field",
    "property",
    "attribute",
    "name",
    "function",
    "method",
    "declarator",
    "type",
];

const NAMES: &[&str] = &[
    "identifier",
    "field_identifier",
    "property_identifier",
    "private_property_identifier",
    "shorthand_property_identifier",
    "namespace_identifier",
    "package_identifier",
    "name",
    "word",
    "destructor_name",
    "operator_name",
    "setter",
];
const TYPE_NAMES: &[&str] = &["type_identifier", "constant"];
const MEMBERS: &[&str] = &[
    "field_expression",
    "member_expression",
    "attribute",
    "selector_expression",
    "scoped_identifier",
    "scoped_type_identifier",
    "qualified_identifier",
    "member_access_expression",
    "nullsafe_member_access_expression",
    "class_constant_access_expression",
    "scope_resolution",
    "field_access",
    "qualified_type",
    "nested_identifier",
];

type Definitions = &'static [(&'static str, Kind)];
type Calls = &'static [(&'static str, &'static str)];

const RUST: Definitions = &[
    ("function_item", Kind::Function),
    ("function_signature_item", Kind::Function),
    ("struct_item", Kind::Struct),
    ("union_item", Kind::Struct),
    ("enum_item", Kind::Enum),
    ("enum_variant", Kind::Variant),
    ("trait_item", Kind::Trait),
    ("type_item", Kind::Type),
    ("mod_item", Kind::Module),
    ("macro_definition", Kind::Macro),
    ("const_item", Kind::Constant),
    ("static_item", Kind::Constant),
    ("impl_item", Kind::Implementation),
];
const PYTHON: Definitions = &[
    ("class_definition", Kind::Class),
    ("function_definition", Kind::Function),
    ("assignment", Kind::Constant),
];
const JAVASCRIPT: Definitions = &[
    ("class_declaration", Kind::Class),
    ("abstract_class_declaration", Kind::Class),
    ("class", Kind::Class),
    ("function_declaration", Kind::Function),
    ("function_expression", Kind::Function),
    ("generator_function_declaration", Kind::Function),
    ("function_signature", Kind::Function),
    ("method_definition", Kind::Method),
    ("method_signature", Kind::Method),
    ("abstract_method_signature", Kind::Method),
    ("field_definition", Kind::Property),
    ("public_field_definition", Kind::Property),
    ("variable_declarator", Kind::Constant),
    ("assignment_expression", Kind::Function),
    ("pair", Kind::Method),
    ("interface_declaration", Kind::Interface),
    ("type_alias_declaration", Kind::Type),
    ("enum_declaration", Kind::Enum),
    ("internal_module", Kind::Module),
];
const GO: Definitions = &[
    ("function_declaration", Kind::Function),
    ("method_declaration", Kind::Method),
    ("method_elem", Kind::Method),
    ("type_spec", Kind::Type),
    ("type_alias", Kind::Type),
    ("const_spec", Kind::Constant),
    ("var_spec", Kind::Constant),
];
const JAVA: Definitions = &[
    ("class_declaration", Kind::Class),
    ("record_declaration", Kind::Class),
    ("interface_declaration", Kind::Interface),
    ("annotation_type_declaration", Kind::Interface),
    ("enum_declaration", Kind::Enum),
    ("enum_constant", Kind::Variant),
    ("method_declaration", Kind::Method),
    ("constructor_declaration", Kind::Method),
];
const C: Definitions = &[
    ("function_definition", Kind::Function),
    ("declaration", Kind::Function),
    ("field_declaration", Kind::Function),
    ("struct_specifier", Kind::Struct),
    ("union_specifier", Kind::Struct),
    ("class_specifier", Kind::Class),
    ("enum_specifier", Kind::Enum),
    ("enumerator", Kind::Variant),
    ("type_definition", Kind::Type),
    ("alias_declaration", Kind::Type),
    ("concept_definition", Kind::Type),
    ("namespace_definition", Kind::Module),
    ("preproc_def", Kind::Constant),
    ("preproc_function_def", Kind::Macro),
];
const C_SHARP: Definitions = &[
    ("class_declaration", Kind::Class),
    ("record_declaration", Kind::Class),
    ("struct_declaration", Kind::Struct),
    ("interface_declaration", Kind::Interface),
    ("enum_declaration", Kind::Enum),
    ("enum_member_declaration", Kind::Variant),
    ("method_declaration", Kind::Method),
    ("constructor_declaration", Kind::Method),
    ("local_function_statement", Kind::Function),
    ("property_declaration", Kind::Property),
    ("delegate_declaration", Kind::Type),
    ("namespace_declaration", Kind::Module),
];
const RUBY: Definitions = &[
    ("class", Kind::Class),
    ("module", Kind::Module),
    ("method", Kind::Function),
    ("singleton_method", Kind::Function),
    ("assignment", Kind::Constant),
];
const PHP: Definitions = &[
    ("function_definition", Kind::Function),
    ("method_declaration", Kind::Method),
    ("class_declaration", Kind::Class),
    ("interface_declaration", Kind::Interface),
    ("trait_declaration", Kind::Trait),
    ("enum_declaration", Kind::Enum),
    ("enum_case", Kind::Variant),
    ("const_element", Kind::Constant),
];
const BASH: Definitions = &[("function_definition", Kind::Function)];

const CALLS: Calls = &[
    ("call_expression", "function"),
    ("macro_invocation", "macro"),
    ("new_expression", "constructor"),
    ("jsx_opening_element", "name"),
    ("jsx_self_closing_element", "name"),
    ("invocation_expression", "function"),
    ("object_creation_expression", "type"),
    ("method_invocation", "name"),
    ("function_call_expression", "function"),
    ("member_call_expression", "name"),
    ("nullsafe_member_call_expression", "name"),
    ("scoped_call_expression", "name"),
];
const CALLS_OF_PYTHON: Calls = &[("call", "function")];
const CALLS_OF_RUBY: Calls = &[("call", "method")];
const CALLS_OF_CPP: Calls = &[("call_expression", "function"), ("new_expression", "type")];
const CALLS_OF_BASH: Calls = &[("command", "name")];

fn of(language: Language) -> (Definitions, Calls) {
    match language {
        Language::Rust => (RUST, CALLS),
        Language::Python => (PYTHON, CALLS_OF_PYTHON),
        Language::JavaScript | Language::TypeScript | Language::Tsx => (JAVASCRIPT, CALLS),
        Language::Go => (GO, CALLS),
        Language::Java => (JAVA, CALLS),
        Language::C | Language::Cpp => (C, CALLS_OF_CPP),
        Language::CSharp => (C_SHARP, CALLS),
        Language::Ruby => (RUBY, CALLS_OF_RUBY),
        Language::Php => (PHP, CALLS),
        Language::Bash => (BASH, CALLS_OF_BASH),
    }
}

/// A grammar, with the role of each of its kinds of nodes by number.
pub(crate) struct Grammar {
    pub(crate) language: tree_sitter::Language,
    pub(crate) of: Language,
    roles: Vec<Role>,
}

impl Grammar {
    pub(crate) fn new(of: Language) -> Self {
        let language: tree_sitter::Language = match of {
            Language::Rust => tree_sitter_rust::LANGUAGE,
            Language::Python => tree_sitter_python::LANGUAGE,
            Language::JavaScript => tree_sitter_javascript::LANGUAGE,
            Language::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
            Language::Tsx => tree_sitter_typescript::LANGUAGE_TSX,
            Language::Go => tree_sitter_go::LANGUAGE,
            Language::Java => tree_sitter_java::LANGUAGE,
            Language::C => tree_sitter_c::LANGUAGE,
            Language::Cpp => tree_sitter_cpp::LANGUAGE,
            Language::CSharp => tree_sitter_c_sharp::LANGUAGE,
            Language::Ruby => tree_sitter_ruby::LANGUAGE,
            Language::Php => tree_sitter_php::LANGUAGE_PHP,
            Language::Bash => tree_sitter_bash::LANGUAGE,
        }
        .into();
        let kinds = u16::try_from(language.node_kind_count()).unwrap_or(u16::MAX);
        let roles = (0..kinds).map(|id| {
            let is_named = language.node_kind_is_named(id);
            let kind = language.node_kind_for_id(id).filter(|_| is_named);
            kind.map_or(Role::Nothing, |kind| role(of, kind))
        });
        Self {
            roles: roles.collect(),
            language,
            of,
        }
    }

    pub(super) fn role(&self, kind: u16) -> Role {
        self.roles
            .get(usize::from(kind))
            .copied()
            .unwrap_or(Role::Nothing)
    }
}

fn role(language: Language, kind: &str) -> Role {
    let (definitions, calls) = of(language);
    if let Some((_, defined)) = definitions.iter().find(|(known, _)| *known == kind) {
        return Role::Definition(*defined);
    }
    if let Some((_, field)) = calls.iter().find(|(known, _)| *known == kind) {
        let place = CALLEES.iter().position(|known| known == field);
        return place
            .and_then(|place| u8::try_from(place).ok())
            .map_or(Role::Nothing, Role::Call);
    }
    if MEMBERS.contains(&kind) {
        return Role::Member;
    }
    if TYPE_NAMES.contains(&kind) {
        return Role::TypeName;
    }
    if NAMES.contains(&kind) {
        return Role::Name;
    }
    if language == Language::Rust && kind == "token_tree" {
        return Role::Tokens;
    }
    Role::Nothing
}
