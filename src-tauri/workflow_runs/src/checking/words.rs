//! What can't work as people read it: one sentence with the step's name, and what to do.

use super::{Remark, Trouble};
use shidi_locales::Language;
use shidi_protocol::WorkflowFault;
use shidi_workflow::{nearest, plugin_with};

/// Names that a remedy lists when none is near.
const NAMES_SHOWN: usize = 12;

/// How the interpreter names what was probably meant.
const MEANT: (&str, &str) = ("Did you mean `", "`?");

impl Remark {
    pub(super) fn told(&self, name: &str, language: Language) -> WorkflowFault {
        WorkflowFault {
            line: self.line,
            column: self.column,
            message: self.sentence(name, language),
            hint: self.trouble.remedy(language),
        }
    }

    fn sentence(&self, name: &str, language: Language) -> String {
        let (say, step) = (language.workflow_runs(), &self.step);
        match &self.trouble {
            Trouble::NoTool(tool) => say.tool_malformed(step, tool),
            Trouble::NoToolkit { toolkit, .. } => say.toolkit_unknown(step, toolkit),
            Trouble::NoMethod { toolkit, method, .. } => say.method_unknown(method, step, toolkit),
            Trouble::Off(tool) => say.tool_off(step, tool),
            Trouble::NoArgument { tool, argument, .. } => say.argument_unknown(argument, step, tool),
            Trouble::MissingArgument { tool, argument, .. } => say.argument_missing(argument, step, tool),
            Trouble::WrongArgument {
                tool,
                argument,
                wanted,
                found,
            } => say.argument_unfit(argument, found, step, tool, wanted),
            Trouble::NoPlugin { plugin, .. } => say.plugin_unknown(plugin, step),
            Trouble::Ambiguous { plugin, .. } => say.plugin_ambiguous(plugin, step),
            Trouble::NoFunction { function, .. } => say.function_unknown(function, step),
            Trouble::Program { why, .. } => say.program_broken(step, why),
            Trouble::Functions { line, why, .. } => {
                say.functions_broken(format!("{name}.py:{line}"), step, why)
            }
        }
    }
}

impl Trouble {
    fn remedy(&self, language: Language) -> String {
        let say = language.workflow_runs();
        let did_you_mean = |name: &str| language.workflow().did_you_mean(name);
        match self {
            Self::NoTool(_) => say.write_tool().to_owned(),
            Self::NoToolkit { toolkit, near: None } => say.connect_it(toolkit),
            Self::NoToolkit { near: Some(near), .. } => did_you_mean(near),
            Self::NoMethod {
                toolkit,
                method,
                known,
            } => near(language, method, known, |name| format!("{toolkit}.{name}")),
            Self::Off(tool) => say.switch_it_on(tool),
            Self::NoArgument { argument, known, .. } => {
                match nearest(argument, known.iter().map(String::as_str)) {
                    Some(near) => did_you_mean(near),
                    None => takes(known, language),
                }
            }
            Self::MissingArgument { known, .. } => takes(known, language),
            Self::WrongArgument { wanted, .. } => say.give_type(wanted),
            Self::NoPlugin { near: Some(near), .. } => did_you_mean(near),
            Self::NoPlugin { plugin, near: None } => match plugin_with(plugin) {
                Some(brought_by) => say.install_plugin(brought_by),
                None => say.name_a_plugin().to_owned(),
            },
            Self::Ambiguous { plugin, toolkits } => {
                let tools = toolkits.iter().map(|toolkit| format!("{toolkit}.{plugin}"));
                say.name_the_toolkit(tools.collect::<Vec<_>>().join(", "))
            }
            Self::NoFunction { known: None, .. } => say.write_functions().to_owned(),
            Self::NoFunction {
                function,
                known: Some(known),
            } => near(language, function, known, str::to_owned),
            Self::Program { hint, .. } | Self::Functions { hint, .. } => match hint.as_deref() {
                None => say.mend_program().to_owned(),
                Some(hint) => {
                    let meant = hint
                        .strip_prefix(MEANT.0)
                        .and_then(|rest| rest.strip_suffix(MEANT.1));
                    meant.map_or_else(|| hint.to_owned(), did_you_mean)
                }
            },
        }
    }
}

/// The name that was probably meant, or those that there are.
fn near(language: Language, name: &str, known: &[String], whole: impl Fn(&str) -> String) -> String {
    let say = language.workflow();
    match nearest(name, known.iter().map(String::as_str)) {
        Some(near) => say.did_you_mean(whole(near)),
        None if known.is_empty() => say.there_are_none().to_owned(),
        None => {
            let shown: Vec<&str> = known.iter().take(NAMES_SHOWN).map(String::as_str).collect();
            say.there_are(shown.join(", "))
        }
    }
}

fn takes(known: &[String], language: Language) -> String {
    match known {
        [] => language.workflow_runs().takes_nothing().to_owned(),
        known => language.workflow_runs().takes(known.join(", ")),
    }
}
