//! Assistants as people see them: in a list, and with all that one is and may do.

use crate::Assistants;
use crate::catalogue::{Found, digest};
use crate::difference::{self, Written};
use crate::hotkeys::Hotkeys;
use crate::problem::Fault;
use crate::shipped;
use crate::words;
use serde_json::Value;
use shidi_locales::Language;
use shidi_protocol::{
    AssistantDetail, AssistantDifference, AssistantMemory, AssistantSource, AssistantSpec, AssistantTrust,
    ListedAssistant, Mode, ReviewFinding, ToolkitSpec, Wording, worded,
};
use shidi_space::limits::FINDINGS_MAX;
use shidi_space::scan;
use std::sync::Arc;

impl Assistants {
    pub(crate) fn listed(&self, found: &Found, hotkeys: &Hotkeys) -> ListedAssistant {
        let empty = AssistantSpec::default();
        let spec = found.read.as_ref().map_or(&empty, |read| &read.spec);
        let language = self.space.language();
        let mut listed = named(spec, &found.name, language);
        listed.source = found.source;
        listed.trust = found.trust;
        listed.path = found.path.as_ref().map(|path| path.display().to_string());
        listed.from.clone_from(&found.entry.from);
        listed.problem = self.problem(found);
        if let Ok(read) = &found.read {
            let notes = words::told(&read.notes, language).into_iter();
            let notes =
                notes.map(|note| format!("{}:{}: {} {}", note.line, note.column, note.what, note.remedy));
            listed.notes = notes.chain(self.missing(spec)).collect();
            of_keys(&mut listed, hotkeys, spec, language);
        }
        listed
    }

    pub(crate) fn detail(&self, found: &Found, hotkeys: &Hotkeys) -> AssistantDetail {
        let language = self.space.language();
        let spec = found
            .read
            .as_ref()
            .map(|read| read.spec.clone())
            .unwrap_or_default();
        AssistantDetail {
            assistant: self.listed(found, hotkeys),
            may: may(&spec, language),
            spec: Box::new(spec),
            text: found.text.clone(),
            faults: words::told(found.read.as_ref().err().map_or(&[], Vec::as_slice), language),
            left_out: Vec::new(),
            findings: self.findings(found.source, &found.name, &found.text),
            digest: found.digest.clone(),
            differs: None,
        }
    }

    /// One that is not kept: what it is, and what differs from the one whose place it would take.
    pub(crate) fn proposed(
        &self,
        (spec, text, document): (&AssistantSpec, &str, &Value),
        left_out: &[Fault],
        there: Option<&Found>,
        hotkeys: &Hotkeys,
    ) -> AssistantDetail {
        let language = self.space.language();
        let mut listed = named(spec, &spec.name, language);
        listed.notes = self.missing(spec);
        of_keys(&mut listed, hotkeys, spec, language);
        AssistantDetail {
            assistant: listed,
            spec: Box::new(spec.clone()),
            text: text.to_owned(),
            faults: Vec::new(),
            left_out: words::told(left_out, language),
            may: may(spec, language),
            findings: self.findings(AssistantSource::User, &spec.name, text),
            digest: digest(text.as_bytes()),
            differs: there.map(|there| differs(there, (spec, document))),
        }
    }

    fn findings(&self, source: AssistantSource, name: &str, text: &str) -> Vec<ReviewFinding> {
        match source {
            AssistantSource::BuiltIn => Vec::new(),
            AssistantSource::User => {
                let file = format!("{name}.yaml");
                scan::findings(&file, text, self.space.language())
                    .take(FINDINGS_MAX)
                    .collect()
            }
        }
    }

    /// Names of its lists that there is nothing of: they may come one day, or be a slip of the pen.
    fn missing(&self, spec: &AssistantSpec) -> Vec<String> {
        let words = self.space.language().assistants();
        let toolkits = self.registry.all(shidi_toolkits::declared());
        let names = spec.toolkits.iter().flatten();
        let tools = names.filter(|name| !is_there(&toolkits, name)).map(|name| {
            let toolkit = name.split('.').next().unwrap_or_default();
            let is_toolkit_there = toolkits.iter().any(|known| known.name == toolkit);
            if let Some(plugin) = shipped::plugin_with(toolkit).filter(|_| !is_toolkit_there) {
                return words.plugin_not_installed(plugin);
            }
            let all = toolkits.iter().flat_map(|toolkit| {
                let methods = toolkit.methods.iter();
                let whole = [toolkit.name.clone()].into_iter();
                whole.chain(methods.map(|method| format!("{}.{}", toolkit.name, method.name)))
            });
            let all: Vec<String> = all.collect();
            match shidi_yaml::nearest(name, all.iter().map(String::as_str)) {
                Some(near) => words.no_such_tool_but(name, near),
                None => words.no_such_tool(name),
            }
        });
        let bases = self.space.knowledge().bases().unwrap_or_default();
        let wanted = spec.knowledge.iter().flatten();
        let unknown = wanted.filter(|name| bases.iter().all(|base| base.name != **name));
        tools
            .chain(unknown.map(|name| words.no_such_base(name)))
            .collect()
    }
}

fn is_there(toolkits: &[ToolkitSpec], name: &str) -> bool {
    let (toolkit, method) = name
        .split_once('.')
        .map_or((name, None), |(toolkit, method)| (toolkit, Some(method)));
    toolkits
        .iter()
        .filter(|known| known.name == toolkit)
        .any(|known| method.is_none_or(|method| known.methods.iter().any(|one| one.name == method)))
}

/// Adds the keys of an assistant's own, with a note where somebody has them before it.
fn of_keys(listed: &mut ListedAssistant, hotkeys: &Hotkeys, spec: &AssistantSpec, language: Language) {
    listed.hotkey = hotkeys.told(spec, language);
    let problem = listed.hotkey.as_ref().and_then(|hotkey| hotkey.problem.clone());
    listed.notes.extend(problem);
}

fn differs(there: &Found, after: Written<'_>) -> Vec<AssistantDifference> {
    let (empty, nothing) = (AssistantSpec::default(), Value::Null);
    let before = match &there.read {
        Ok(read) => (&read.spec, &read.document),
        Err(_) => (&empty, &nothing),
    };
    difference::between(before, after)
}

fn named(spec: &AssistantSpec, name: &str, language: Language) -> ListedAssistant {
    let said = |words: &Wording| worded(words, language.code()).to_owned();
    let title = said(&spec.title);
    ListedAssistant {
        name: name.to_owned(),
        title: if title.is_empty() { name.to_owned() } else { title },
        picture: spec.picture.clone(),
        description: said(&spec.description),
        opening: said(&spec.opening),
        suggestions: spec.suggestions.iter().map(said).collect(),
        source: AssistantSource::User,
        trust: AssistantTrust::New,
        path: None,
        from: None,
        problem: None,
        notes: Vec::new(),
        hotkey: None,
    }
}

/// What it may do, in words, for whoever decides on it.
fn may(spec: &AssistantSpec, language: Language) -> Vec<String> {
    let words = language.assistants();
    let joined = |names: &[String]| names.join(", ");
    let listed =
        |names: &Option<Vec<String>>, all: &str, none: &str, some: &dyn Fn(String) -> String| match names {
            None => all.to_owned(),
            Some(names) if names.is_empty() => none.to_owned(),
            Some(names) => some(joined(names)),
        };
    let permissions = &spec.permissions;
    let mut told = vec![listed(
        &spec.toolkits,
        words.may_all_tools(),
        words.may_no_tools(),
        &|names| words.may_tools(names),
    )];
    if let Some(bases) = &spec.knowledge {
        let bases = Some(bases.clone());
        told.push(listed(&bases, "", words.may_no_bases(), &|names| {
            words.may_bases(names)
        }));
    }
    told.push(
        match spec.memory {
            AssistantMemory::Own => words.memory_own(),
            AssistantMemory::Shared => words.memory_shared(),
            AssistantMemory::Alone => words.memory_alone(),
            AssistantMemory::None => words.memory_none(),
        }
        .to_owned(),
    );
    let mode = permissions.mode.map(|mode| match mode {
        Mode::Ask => words.mode_ask(),
        Mode::Risky => words.mode_risky(),
        Mode::Trust => words.mode_trust(),
    });
    told.extend(mode.map(str::to_owned));
    told.extend(
        permissions
            .allow
            .iter()
            .map(|pattern| words.may_without_asking(pattern)),
    );
    told.extend(permissions.ask.iter().map(|pattern| words.always_asks(pattern)));
    told.extend(permissions.deny.iter().map(|pattern| words.never_does(pattern)));
    let models = spec
        .models
        .iter()
        .map(|(role, model)| words.own_model(model, role));
    told.extend(models);
    if !spec.hotkey.is_empty() {
        told.push(words.hotkey_chooses(&spec.hotkey));
    }
    told
}

/// A file's name as faults show it.
pub fn file_of(name: &str) -> Arc<str> {
    format!("{name}.yaml").into()
}
