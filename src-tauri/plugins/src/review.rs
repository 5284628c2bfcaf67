//! The content and rights of a plugin, and the changes that installing would bring, for the person who
//! decides.

use crate::contents::Contents;
use crate::tools::calls;
use shidi_bundles::{Part, read_text};
use shidi_locales::Language;
use shidi_protocol::{
    Call, CallId, ExecId, JsonMap, ListedPlugin, PluginChange, PluginDetail, PluginStanding, PluginTool,
    ReviewFinding, ToolkitSpec, WorkflowParameter,
};
use shidi_space::call_bounds;
use shidi_space::limits::FINDINGS_MAX;
use shidi_space::scan;
use std::collections::BTreeSet;
use std::path::Path;

/// A plugin in full. `named` says how what it brings is called, by the plugin's name.
#[must_use]
pub fn detail(
    contents: &Contents,
    plugin: ListedPlugin,
    toolkits: &[ToolkitSpec],
    language: Language,
) -> PluginDetail {
    let called = |name: &String| format!("{}:{name}", plugin.name);
    let manifest = contents.manifest.as_ref();
    let of_workflows = contents.workflows.iter().flat_map(|(name, workflow)| {
        let permissions = workflow.permissions.iter();
        permissions.map(move |permission| format!("{name}: {permission}"))
    });
    PluginDetail {
        author: manifest.and_then(|manifest| manifest.author.clone()),
        homepage: manifest.and_then(|manifest| manifest.homepage.clone()),
        workflows: contents.workflows.keys().map(called).collect(),
        prompts: contents.prompts.iter().map(called).collect(),
        skills: contents.skills.iter().map(called).collect(),
        tools: tools(contents, toolkits),
        permissions: manifest
            .map(|manifest| manifest.permissions.clone())
            .unwrap_or_default(),
        of_workflows: of_workflows.collect(),
        others: contents.others.clone(),
        findings: findings(contents, language),
        faults: contents.faults.iter().map(|fault| fault.told(language)).collect(),
        plugin,
    }
}

/// How a plugin is listed, where it stands as its caller knows.
#[must_use]
pub fn listed(
    contents: &Contents,
    standing: PluginStanding,
    from: Option<String>,
    name: &str,
    language: Language,
) -> ListedPlugin {
    let manifest = contents.manifest.as_ref();
    let problem = contents.faults.first().map(|fault| fault.told(language).message);
    ListedPlugin {
        name: manifest.map_or_else(|| name.to_owned(), |manifest| manifest.name.clone()),
        version: manifest
            .map(|manifest| manifest.version.clone())
            .unwrap_or_default(),
        description: manifest
            .map(|manifest| manifest.description.clone())
            .unwrap_or_default(),
        standing: match problem {
            Some(_) => PluginStanding::Broken,
            None => standing,
        },
        from,
        problem,
    }
}

fn tools(contents: &Contents, toolkits: &[ToolkitSpec]) -> Vec<PluginTool> {
    let Some(manifest) = &contents.manifest else {
        return Vec::new();
    };
    let own = crate::tools::toolkit(manifest);
    let toolkits: Vec<ToolkitSpec> = toolkits.iter().cloned().chain([own]).collect();
    let bounds = [manifest.permissions.clone()];
    let tools = manifest.tools.iter().map(|tool| {
        let file = contents
            .files_of_tools
            .get(&tool.name)
            .cloned()
            .unwrap_or_default();
        let text = read_text(&contents.folder, &file).unwrap_or_default();
        let calls = calls(&text, &toolkits);
        let is_beyond = |call: &&String| {
            let tool = call.split_once('.');
            tool.is_some_and(|(toolkit, method)| !call_bounds::offers(&bounds, toolkit, method))
        };
        PluginTool {
            name: tool.name.clone(),
            description: tool.description.clone(),
            class: tool.class,
            inputs: tool.inputs.iter().map(input).collect(),
            output: tool.output.name().to_owned(),
            uncovered: calls.iter().filter(is_beyond).cloned().collect(),
            calls,
            file,
        }
    });
    tools.collect()
}

fn input(input: &crate::manifest::Input) -> WorkflowParameter {
    WorkflowParameter {
        name: input.name.clone(),
        kind: input.kind.name().to_owned(),
        description: input.description.clone(),
        required: input.default.is_none(),
        default: input.default.clone(),
        example: input.example.clone(),
    }
}

/// What was found in the words of all its files.
fn findings(contents: &Contents, language: Language) -> Vec<ReviewFinding> {
    let files = contents.bundle.files.iter();
    let texts = files.filter_map(|file| Some((&file.path, read_text(&contents.folder, &file.path).ok()?)));
    let found = texts.flat_map(|(path, text)| scan::findings(path, &text, language));
    found.take(FINDINGS_MAX).collect()
}

/// What would change of the plugin that is there, what it may do first.
#[must_use]
pub fn change(before: (&Contents, &PluginDetail), after: (&Contents, &PluginDetail)) -> PluginChange {
    let (held, holds) = (held(before.1), held(after.1));
    let (old, new) = (paths(before.0), paths(after.0));
    let is_same = |path: &&&str| {
        let text = |contents: &Contents| std::fs::read(contents.folder.join(path)).ok();
        text(before.0) == text(after.0)
    };
    let changed: Vec<String> = old
        .intersection(&new)
        .filter(|path| !is_same(path))
        .map(|path| (*path).to_owned())
        .collect();
    PluginChange {
        version: before.1.plugin.version.clone(),
        same: changed.is_empty() && old == new,
        wider: wider(before.1, after.1),
        added: holds.difference(&held).cloned().collect(),
        removed: held.difference(&holds).cloned().collect(),
        changed,
    }
}

/// Rights that the plugin has now and did not have before: new permissions, and tools of another class.
fn wider(before: &PluginDetail, after: &PluginDetail) -> Vec<String> {
    let mut wider: Vec<String> = Vec::new();
    for (had, has) in [
        (&before.permissions, &after.permissions),
        (&before.of_workflows, &after.of_workflows),
    ] {
        wider.extend(
            has.iter()
                .filter(|one| !had.contains(one) && !is_covered(had, one))
                .cloned(),
        );
    }
    let is_known = |tool: &&PluginTool| {
        let known = before.tools.iter().find(|known| known.name == tool.name);
        known.is_some_and(|known| known.class == tool.class)
    };
    let tools = after
        .tools
        .iter()
        .filter(|tool| !is_known(tool) && tool.class.has_side_effect());
    wider.extend(tools.map(|tool| tool.name.clone()));
    wider
}

/// Whether a family that was there covers another one: of the same tool, without arguments of its own.
fn is_covered(had: &[String], one: &str) -> bool {
    let (tool, _) = one.split_once('(').unwrap_or((one, ""));
    let Some((toolkit, method)) = tool.trim().split_once('.') else {
        return false;
    };
    let call = Call {
        id: CallId(0),
        exec: ExecId(0),
        toolkit: toolkit.to_owned(),
        method: method.to_owned(),
        args: JsonMap::new(),
        line: 0,
        places: Default::default(),
    };
    let free: Vec<String> = had
        .iter()
        .filter(|family| !family.contains('('))
        .cloned()
        .collect();
    !free.is_empty() && method != "*" && call_bounds::cover(&[free], &call, shidi_protocol::Class::Read, &[])
}

/// Everything by the name under which it is called, with its kind.
fn held(detail: &PluginDetail) -> BTreeSet<String> {
    let of = |part: Part, names: &[String]| -> Vec<String> {
        let named = names.iter().map(|name| format!("{} {name}", part.folder()));
        named.collect()
    };
    let tools: Vec<String> = detail.tools.iter().map(|tool| tool.name.clone()).collect();
    [
        of(Part::Workflows, &detail.workflows),
        of(Part::Prompts, &detail.prompts),
        of(Part::Skills, &detail.skills),
        of(Part::Tools, &tools),
    ]
    .concat()
    .into_iter()
    .collect()
}

fn paths(contents: &Contents) -> BTreeSet<&str> {
    contents
        .bundle
        .files
        .iter()
        .map(|file| file.path.as_str())
        .collect()
}

/// Whether a text names one folder and leads nowhere else.
#[must_use]
pub fn is_plain(name: &str) -> bool {
    use std::path::Component;
    matches!(
        Path::new(name).components().collect::<Vec<_>>()[..],
        [Component::Normal(_)]
    )
}
