//! Calls of toolkits: methods, parameters, and `await`.

use super::fitting;
use super::given::{meant, written_name};
use super::{Program, did_you_mean, expects};
use crate::meant::Meaning;
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{
    Expr, ExprAttribute, ExprCall, ExprContext, ExprName, InterpolatedStringElement, Stmt,
};
use ruff_text_size::Ranged;
use shidi_executor_proto::{Finding, MethodShape, ToolkitShape, closest};
use std::collections::BTreeMap;

/// Built-ins that look into their argument, which is never meant to be an awaitable.
const LOOKING: [&str; 16] = [
    "print",
    "len",
    "str",
    "repr",
    "int",
    "float",
    "bool",
    "list",
    "dict",
    "set",
    "tuple",
    "sorted",
    "sum",
    "min",
    "max",
    "enumerate",
];

/// Finds toolkit calls that cannot work.
pub fn find(program: &Program<'_>, findings: &mut Vec<Finding>) {
    let mut finder = Finder {
        program,
        findings,
        expecting: 0,
        kept: BTreeMap::new(),
        uses: BTreeMap::new(),
        reached_through: BTreeMap::new(),
        calls: BTreeMap::new(),
    };
    finder.visit_body(&program.module.body);
    finder.find_kept();
}

struct Finder<'a, 'f> {
    program: &'a Program<'a>,
    findings: &'f mut Vec<Finding>,
    /// Depth of `try` bodies that expect an `AttributeError`.
    expecting: usize,
    /// Variables that hold a call without its `await`, with the number of their bindings.
    kept: BTreeMap<&'a str, CallVariable<'a>>,
    uses: BTreeMap<&'a str, Uses>,
    /// Calls that an `await` misses, since it applies to a part of their result: by offset, the name of the part.
    reached_through: BTreeMap<u32, String>,
    /// Calls of methods, by the offset of what is called.
    calls: BTreeMap<u32, &'a ExprCall>,
}

#[derive(Default)]
struct CallVariable<'a> {
    call: Option<&'a ExprCall>,
    bindings: usize,
}

/// How often a variable is read, and how many of the reads look into its value.
#[derive(Default, Clone, Copy)]
struct Uses {
    reads: usize,
    looks: usize,
}

impl<'a> Visitor<'a> for Finder<'a, '_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Expr(statement) => self.look(&statement.value),
            Stmt::For(loop_) if !loop_.is_async => self.look(&loop_.iter),
            Stmt::If(branch) => self.look(&branch.test),
            Stmt::While(loop_) => self.look(&loop_.test),
            Stmt::Assign(assignment) => {
                if let ([Expr::Name(target)], Expr::Call(call)) =
                    (&assignment.targets[..], &*assignment.value)
                    && self.awaitable(call)
                {
                    self.kept.entry(target.id.as_str()).or_default().call = Some(call);
                }
            }
            Stmt::Try(attempt) => {
                let expected = usize::from(expects(attempt, &["AttributeError"]));
                self.expecting += expected;
                self.visit_body(&attempt.body);
                self.expecting -= expected;
                attempt
                    .handlers
                    .iter()
                    .for_each(|handler| self.visit_except_handler(handler));
                self.visit_body(&attempt.orelse);
                self.visit_body(&attempt.finalbody);
                return;
            }
            _ => {}
        }
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) => self.count(name),
            Expr::Attribute(attribute) => {
                self.look(&attribute.value);
                self.method(attribute);
            }
            Expr::Subscript(subscript) => self.look(&subscript.value),
            Expr::BinOp(operation) => {
                self.look(&operation.left);
                self.look(&operation.right);
            }
            Expr::UnaryOp(operation) => self.look(&operation.operand),
            Expr::Compare(comparison) => {
                self.look(&comparison.left);
                comparison
                    .comparators
                    .iter()
                    .for_each(|operand| self.look(operand));
            }
            Expr::FString(text) => {
                for element in text.value.elements() {
                    if let InterpolatedStringElement::Interpolation(field) = element {
                        self.look(&field.expression);
                    }
                }
            }
            Expr::Call(call) => self.call(call),
            Expr::Await(waiting) => self.reach(&waiting.value),
            _ => {}
        }
        walk_expr(self, expr);
    }
}

impl<'a> Finder<'a, '_> {
    fn count(&mut self, name: &'a ExprName) {
        match name.ctx {
            ExprContext::Load => self.uses.entry(name.id.as_str()).or_default().reads += 1,
            ExprContext::Store | ExprContext::Del | ExprContext::Invalid => {
                self.kept.entry(name.id.as_str()).or_default().bindings += 1;
            }
        }
    }

    /// Notes the call at the beginning of an awaited expression, when the `await` applies to a part of the
    /// call's result.
    fn reach(&mut self, awaited: &'a Expr) {
        let (mut inner, mut behind) = (awaited, "");
        loop {
            inner = match inner {
                Expr::Call(call) if self.awaitable(call) => {
                    if !std::ptr::eq(inner, awaited) {
                        self.reached_through
                            .insert(call.range().start().to_u32(), behind.to_owned());
                    }
                    return;
                }
                Expr::Call(call) => &call.func,
                Expr::Attribute(attribute) => {
                    behind = attribute.attr.as_str();
                    &attribute.value
                }
                Expr::Subscript(subscript) => {
                    behind = "";
                    &subscript.value
                }
                _ => return,
            };
        }
    }

    /// Notes an expression whose value is looked into: an awaitable there is a mistake.
    fn look(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Call(call) if self.awaitable(call) => self.not_awaited(call),
            Expr::Name(name) => self.uses.entry(name.id.as_str()).or_default().looks += 1,
            _ => {}
        }
    }

    fn call(&mut self, call: &'a ExprCall) {
        if let Expr::Name(function) = call.func.as_ref()
            && LOOKING.contains(&function.id.as_str())
            && !self.program.bound.contains(function.id.as_str())
        {
            call.arguments
                .args
                .iter()
                .for_each(|argument| self.look(argument));
        }
        self.calls.insert(call.func.range().start().to_u32(), call);
        if let Some((toolkit, method)) = self.called(call) {
            self.arguments(call, toolkit, method);
        }
    }

    /// Whether a call gives an awaitable: a toolkit's call, or `asyncio.gather`.
    fn awaitable(&self, call: &ExprCall) -> bool {
        let Expr::Attribute(function) = call.func.as_ref() else {
            return false;
        };
        let Expr::Name(owner) = function.value.as_ref() else {
            return false;
        };
        self.called(call).is_some() || (owner.id.as_str() == "asyncio" && function.attr.as_str() == "gather")
    }

    fn called(&self, call: &ExprCall) -> Option<(&'a ToolkitShape, &'a MethodShape)> {
        let Expr::Attribute(function) = call.func.as_ref() else {
            return None;
        };
        let Expr::Name(owner) = function.value.as_ref() else {
            return None;
        };
        let toolkit = self.program.toolkit(owner.id.as_str())?;
        let method = self.program.method(toolkit, function.attr.as_str())?;
        Some((toolkit, method))
    }

    fn not_awaited(&mut self, call: &ExprCall) {
        let name = written(call);
        if let Some(behind) = self.reached_through.get(&call.range().start().to_u32()) {
            let rest = match behind.as_str() {
                "" => "[…]".to_owned(),
                attribute => format!(".{attribute}"),
            };
            let message = format!("`await` does not reach `{name}(…)`: it waits for what stands behind it");
            let hint = format!("Put the call in brackets: `(await {name}(…)){rest}`");
            let finding = self.program.finding("TypeError", call, message, Some(hint));
            self.findings.push(finding);
            return;
        }
        let message = format!("`{name}(…)` is called without `await`");
        let hint = format!("Write `await {name}(…)`; in a function, that must be an `async def`");
        self.findings
            .push(self.program.finding("TypeError", call, message, Some(hint)));
    }

    /// A kept call is a mistake when all uses of its variable look into the value.
    fn find_kept(&mut self) {
        let kept: Vec<&ExprCall> = self
            .kept
            .iter()
            .filter(|(name, kept)| {
                let uses = self.uses.get(*name).copied().unwrap_or_default();
                kept.bindings == 1 && uses.looks > 0 && uses.looks == uses.reads
            })
            .filter_map(|(_, kept)| kept.call)
            .collect();
        kept.into_iter().for_each(|call| self.not_awaited(call));
    }

    fn method(&mut self, attribute: &ExprAttribute) {
        let Expr::Name(owner) = attribute.value.as_ref() else {
            return;
        };
        let Some(toolkit) = self.program.toolkit(owner.id.as_str()) else {
            return;
        };
        let name = attribute.attr.as_str();
        let known = || toolkit.methods.iter().map(|method| method.name.as_str());
        let is_there = self.program.method(toolkit, name).is_some();
        if self.expecting > 0 || attribute.ctx != ExprContext::Load || is_there {
            return;
        }
        let left_out = match toolkit.left_out {
            0 => String::new(),
            count => format!("; {count} that are allowed are left out, the user can forbid others"),
        };
        let message = format!("toolkit '{}' has no method '{name}'{left_out}", toolkit.name);
        let call = self.calls.get(&attribute.range().start().to_u32()).copied();
        let toolkits = &self.program.request.toolkits;
        let hint = closest(name, known())
            .map(|meant| format!("{}.{meant}", toolkit.name))
            .or_else(|| fitting::meant(toolkits, toolkit, name, call))
            .map(|meant| did_you_mean(&meant))
            .or_else(|| Some(fitting::methods(toolkit)));
        self.findings.push(
            self.program
                .finding("AttributeError", &attribute.attr, message, hint),
        );
    }

    fn arguments(&mut self, call: &ExprCall, toolkit: &ToolkitShape, method: &MethodShape) {
        let tool = format!("{}.{}()", toolkit.name, method.name);
        let positional = call.arguments.args.len();
        let unpacked = call.arguments.args.iter().any(Expr::is_starred_expr)
            || call
                .arguments
                .keywords
                .iter()
                .any(|keyword| keyword.arg.is_none());
        let takes = method.parameters.len();
        let meant = meant(call, toolkit, method, if unpacked { 0 } else { positional });
        let usage = Some(usage(method));
        if !unpacked && positional > takes {
            let message = format!("{tool} takes {takes} arguments but {positional} were given");
            self.findings
                .push(self.program.finding("TypeError", call, message, usage.clone()));
        }
        for keyword in &call.arguments.keywords {
            let Some(name) = &keyword.arg else { continue };
            let at = method
                .parameters
                .iter()
                .position(|parameter| parameter.name == name.as_str());
            let (message, hint) = match at {
                Some(index) if index < positional && !unpacked => (
                    format!("{tool} got multiple values for argument '{name}'"),
                    usage.clone(),
                ),
                Some(_) => continue,
                None if meant.iter().any(|(written, _)| *written == name.as_str()) => continue,
                None => {
                    let known = method.parameters.iter().map(|parameter| parameter.name.as_str());
                    let other = || fitting::by_arguments(toolkit, call).map(|meant| did_you_mean(&meant));
                    let left_out = || usage.as_ref().map(|usage| format!("Leave out `{name}`. {usage}"));
                    let hint = closest(name, known)
                        .map(did_you_mean)
                        .or_else(other)
                        .or_else(left_out);
                    (format!("{tool} got an unexpected argument '{name}'"), hint)
                }
            };
            self.findings
                .push(self.program.finding("TypeError", keyword, message, hint));
        }
        let named = |name: &str| {
            let mut keywords = call.arguments.keywords.iter();
            let mut meanings = meant.iter().map(|(_, meaning)| *meaning);
            keywords.any(|keyword| written_name(keyword) == Some(name))
                || meanings.any(|meaning| matches!(meaning, Meaning::Parameter(own) if own == name))
        };
        let missing = method
            .parameters
            .iter()
            .skip(positional)
            .find(|parameter| parameter.required && !named(&parameter.name));
        if let Some(parameter) = missing.filter(|_| !unpacked) {
            let message = format!("{tool} missing required argument '{}'", parameter.name);
            self.findings
                .push(self.program.finding("TypeError", call, message, usage));
        }
    }
}

fn usage(method: &MethodShape) -> String {
    format!("It takes ({})", fitting::parameters(method))
}

fn written(call: &ExprCall) -> String {
    match call.func.as_ref() {
        Expr::Attribute(function) => match function.value.as_ref() {
            Expr::Name(owner) => format!("{}.{}", owner.id, function.attr),
            _ => function.attr.to_string(),
        },
        _ => "it".to_owned(),
    }
}
