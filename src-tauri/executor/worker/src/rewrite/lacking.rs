//! What the interpreter's own types and built-ins lack, taken from the prelude: `d.isocalendar()`, `key=d.get`,
//! `del d[k]`, `round`, `f.__name__`.

use super::{Rewriter, is_name};
use ruff_python_ast::visitor::Visitor;
use ruff_python_ast::{Expr, ExprAttribute, ExprCall, ExprContext, ExprName, StmtDelete};
use ruff_text_size::Ranged;

/// Methods that some type of the interpreter lacks; the prelude asks the receiver first.
const METHODS: &[&str] = &[
    "bit_count",
    "bit_length",
    "fromordinal",
    "fromtimestamp",
    "indices",
    "is_integer",
    "isocalendar",
    "maketrans",
    "strptime",
    "sub",
    "subn",
    "timetuple",
    "toordinal",
    "translate",
];

/// Methods that are none until they are called; as values they become functions.
const VALUES: &[&str] = &[
    "add",
    "append",
    "appendleft",
    "capitalize",
    "casefold",
    "clear",
    "copy",
    "count",
    "date",
    "decode",
    "difference",
    "discard",
    "encode",
    "endswith",
    "extend",
    "find",
    "format",
    "fromisoformat",
    "fromkeys",
    "fromtimestamp",
    "get",
    "group",
    "groups",
    "index",
    "insert",
    "intersection",
    "isalnum",
    "isalpha",
    "isdigit",
    "isdisjoint",
    "islower",
    "isnumeric",
    "isoformat",
    "isspace",
    "issubset",
    "issuperset",
    "isupper",
    "items",
    "join",
    "keys",
    "ljust",
    "lower",
    "lstrip",
    "match",
    "pop",
    "popleft",
    "remove",
    "replace",
    "rjust",
    "rstrip",
    "search",
    "split",
    "splitlines",
    "startswith",
    "strftime",
    "strip",
    "swapcase",
    "title",
    "today",
    "total_seconds",
    "union",
    "update",
    "upper",
    "values",
    "weekday",
    "zfill",
];

/// Types whose methods may be called with the object as the first argument.
const TYPES: &[&str] = &[
    "bytes",
    "dict",
    "float",
    "frozenset",
    "int",
    "list",
    "set",
    "str",
    "tuple",
];
/// Methods of types that take no object.
const STATIC: &[&str] = &["fromkeys", "from_bytes", "fromhex", "maketrans"];

/// Built-ins that the interpreter lacks or has wrong.
pub const BUILTINS: &[&str] = &["ascii", "callable", "issubclass", "round"];

impl Rewriter<'_, '_> {
    /// A call of a method that the receiver may lack: the method's name goes before the receiver.
    pub(super) fn lacking_method(&mut self, call: &ExprCall, function: &ExprAttribute) -> bool {
        let name = function.attr.as_str();
        if !METHODS.contains(&name) || is_name(&function.value, "self") || self.is_toolkit(&function.value) {
            return false;
        }
        // A replacement that is a text needs no help.
        let replacement = call
            .arguments
            .args
            .get(usize::from(is_name(&function.value, "re")));
        if name == "sub" && matches!(replacement, Some(Expr::StringLiteral(_) | Expr::FString(_))) {
            return false;
        }
        let (dot, opening) = (
            function.attr.start().to_usize() - 1,
            call.arguments.start().to_usize(),
        );
        if !self.source[dot..].starts_with('.')
            || self.source[function.end().to_usize()..opening].contains('\n')
        {
            return false;
        }
        let home = self.home("methods");
        let start = call.start().to_usize();
        self.replace(start, start, format!("{home}.{name}("));
        self.replace(dot, opening + 1, ", ".to_owned());
        true
    }

    /// A call of a type's method, `str.upper(word)`.
    pub(super) fn unbound_call(&mut self, function: &ExprAttribute) -> bool {
        let Expr::Name(kind) = function.value.as_ref() else {
            return false;
        };
        TYPES.contains(&kind.id.as_str())
            && !STATIC.contains(&function.attr.as_str())
            && !function.attr.as_str().starts_with('_')
            && !self.is_defined(&kind.id)
            && self.method_value(function)
    }

    /// A method that is not called where it is named.
    pub(super) fn method_value(&mut self, attribute: &ExprAttribute) -> bool {
        let name = attribute.attr.as_str();
        let is_unbound =
            matches!(attribute.value.as_ref(), Expr::Name(kind) if TYPES.contains(&kind.id.as_str()));
        if self.is_toolkit(&attribute.value) {
            return false;
        }
        let wanted = is_unbound || VALUES.contains(&name);
        if !wanted
            || name.starts_with('_')
            || attribute.ctx != ExprContext::Load
            || is_name(&attribute.value, "self")
        {
            return false;
        }
        self.around(attribute, "of(", &format!(", '{name}')"));
        true
    }

    /// `f.__name__` and `e.__class__`, which not all objects have here.
    pub(super) fn function_name(&mut self, attribute: &ExprAttribute) -> bool {
        let opening = match attribute.attr.as_str() {
            "__name__" => "name(",
            "__class__" => "kind(",
            _ => return false,
        };
        if attribute.ctx != ExprContext::Load {
            return false;
        }
        self.around(attribute, opening, ")");
        true
    }

    /// A built-in that the prelude has better.
    pub(super) fn lacking_builtin(&mut self, name: &ExprName) {
        let text = name.id.as_str();
        if BUILTINS.contains(&text) && !self.is_defined(text) {
            let home = self.home("methods");
            self.replace(
                name.start().to_usize(),
                name.end().to_usize(),
                format!("{home}.{text}"),
            );
        }
    }

    /// Calls of functions that the prelude has better: `timedelta(hours=1.5)`, `re.compile(text, re.VERBOSE)`.
    pub(super) fn lacking_function(&mut self, call: &ExprCall) -> bool {
        let (name, is_own) = match call.func.as_ref() {
            Expr::Name(name) => (name.id.as_str(), self.is_defined(&name.id)),
            Expr::Attribute(function) if is_name(&function.value, "datetime") => {
                (function.attr.as_str(), false)
            }
            Expr::Attribute(function)
                if is_name(&function.value, "re") && self.source.contains("re.VERBOSE") =>
            {
                (function.attr.as_str(), false)
            }
            _ => return false,
        };
        let known = match name {
            "timedelta" => !call.arguments.is_empty(),
            "compile" => !matches!(call.func.as_ref(), Expr::Name(_)),
            _ => false,
        };
        if !known || is_own {
            return false;
        }
        let home = self.home("methods");
        let (start, end) = (call.func.start().to_usize(), call.func.end().to_usize());
        self.replace(start, end, format!("{home}.{name}"));
        true
    }

    /// `del a[k], b[1:2]`, if nothing else is deleted.
    pub(super) fn delete<'a>(&mut self, delete: &'a StmtDelete)
    where
        Self: Visitor<'a>,
    {
        let items: Vec<_> = delete
            .targets
            .iter()
            .filter_map(|target| match target {
                Expr::Subscript(item) => Some(item),
                _ => None,
            })
            .collect();
        if items.len() != delete.targets.len() {
            return;
        }
        let home = self.home("methods");
        let mut from = delete.start().to_usize();
        for item in items {
            let opening = if from == delete.start().to_usize() {
                ""
            } else {
                "; "
            };
            self.replace(from, item.start().to_usize(), format!("{opening}{home}.delete("));
            self.visit_expr(&item.value);
            let (start, end) = (item.slice.start().to_usize(), item.slice.end().to_usize());
            let bracket = self.source[item.value.end().to_usize()..start]
                .rfind('[')
                .map_or(start, |place| item.value.end().to_usize() + place);
            if let Expr::Slice(slice) = item.slice.as_ref() {
                let mut written = bracket;
                let mut text = ", slice(".to_owned();
                for part in [&slice.lower, &slice.upper, &slice.step] {
                    if let Some(part) = part {
                        let lines = self.lines(written, part.start().to_usize());
                        self.replace(written, part.start().to_usize(), text + &lines);
                        self.visit_expr(part);
                        written = part.end().to_usize();
                        text = ", ".to_owned();
                    } else {
                        text.push_str("None, ");
                    }
                }
                let lines = self.lines(written, item.end().to_usize());
                let text = format!("{}{lines}))", text.trim_end_matches(", "));
                self.replace(written, item.end().to_usize(), text);
            } else {
                let lines = self.lines(bracket, start);
                self.replace(bracket, start, format!(", {lines}"));
                self.visit_expr(&item.slice);
                let lines = self.lines(end, item.end().to_usize());
                self.replace(end, item.end().to_usize(), format!("{lines})"));
            }
            from = item.end().to_usize();
        }
        self.replace(from, delete.end().to_usize(), String::new());
    }

    /// The line ends between two places, to be kept when what stands there goes.
    fn lines(&self, from: usize, to: usize) -> String {
        "\n".repeat(self.source[from..to].matches('\n').count())
    }

    /// Turns `value.name` into a call of the prelude with `value` in it.
    fn around(&mut self, attribute: &ExprAttribute, opening: &str, closing: &str) {
        let dot = attribute.attr.start().to_usize() - 1;
        if !self.source[dot..].starts_with('.') {
            return;
        }
        let home = self.home("methods");
        let start = attribute.start().to_usize();
        self.replace(start, start, format!("{home}.{opening}"));
        self.replace(dot, attribute.end().to_usize(), closing.to_owned());
    }
}
