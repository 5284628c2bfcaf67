//! The user's actions on plugins: listing, looking, reviewing, keeping, bringing up to date, removing.

use crate::contents::{self, Contents};
use crate::problem::{Fault, Problem};
use crate::review::{change, detail, is_plain, listed};
use crate::{Plugins, shipped};
use serde::{Deserialize, Serialize};
use shidi_bundles::{
    KeptPlugin, Refused, Source, Unfit, digest, fetched, put, refused, removed, table_of, written,
};
use shidi_protocol::request::plugins as request;
use shidi_protocol::{
    ErrorCode, ListedPlugin, PluginDetail, PluginRequest, PluginStanding, Reply, ToolkitSpec, UserError,
    reply, reply_to, visible,
};
use shidi_space::errors::error;
use shidi_space::names::method_name;
use shidi_space::prompt_parts;
use shidi_space::registry;
use shidi_space::review_table::{self, Entry};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The file in which a review keeps what was shown.
const SHOWN: &str = ".shown.json";

/// Where a reviewed folder came from, and its fingerprint when it was shown.
#[derive(Debug, Serialize, Deserialize)]
struct Shown {
    from: String,
    digest: String,
}

/// Answers a request.
///
/// # Errors
/// As [`Plugins::answer`].
pub async fn answer(plugins: &Arc<Plugins>, request: PluginRequest) -> Result<Reply, UserError> {
    Ok(match request {
        PluginRequest::List => reply_to::<request::List>(aside(plugins, Plugins::listed).await?),
        PluginRequest::Show { name } => {
            let shown = aside(plugins, move |plugins| plugins.shown(&name)).await?;
            reply_to::<request::Show>(shown)
        }
        PluginRequest::Review { source } => {
            reply_to::<request::Review>(review(plugins, source.trim().to_owned()).await?)
        }
        PluginRequest::Update { name } => {
            let source = aside(plugins, move |plugins| plugins.source_of(&name)).await?;
            reply_to::<request::Update>(review(plugins, source).await?)
        }
        PluginRequest::Install { review } => {
            let _one = plugins.changing.lock().await;
            let kept = aside(plugins, move |plugins| plugins.install(&review)).await?;
            reply_to::<request::Install>(kept)
        }
        PluginRequest::Remove { name } => {
            let _one = plugins.changing.lock().await;
            let left = aside(plugins, move |plugins| plugins.remove(&name)).await?;
            reply_to::<request::Remove>(left)
        }
    })
}

/// Works on files where it holds nobody up.
async fn aside<T: Send + 'static>(
    plugins: &Arc<Plugins>,
    work: impl FnOnce(&Plugins) -> Result<T, UserError> + Send + 'static,
) -> Result<T, UserError> {
    let own = Arc::clone(plugins);
    plugins.space.aside(move |_| work(&own)).await
}

/// Fetches a source beside the plugins, and shows what it holds.
async fn review(plugins: &Arc<Plugins>, source: String) -> Result<reply::PluginReview, UserError> {
    let language = plugins.space.language();
    let explained = |cause: Refused| refused(&cause, &source, language);
    let folder = match shipped::named(&source, language) {
        Some(files) => {
            let written = written(&source, files, &plugins.reviews());
            written.map_err(|cause| explained(cause.into()))?
        }
        None => {
            let named = Source::named(&source).map_err(&explained)?;
            let proxy = plugins.space.config().reach.proxy.clone();
            let fetched = fetched(&named, &plugins.reviews(), &proxy).await;
            fetched.map_err(&explained)?
        }
    };
    aside(plugins, move |plugins| {
        let reviewed = plugins.reviewed(&folder, source);
        if reviewed.is_err() {
            discard(&folder);
        }
        reviewed
    })
    .await
}

impl Plugins {
    fn listed(&self) -> Result<reply::Plugins, UserError> {
        // They are files: an editor may have changed them.
        self.offer();
        let language = self.space.language();
        let kept = self.kept();
        let mut plugins: Vec<ListedPlugin> = kept.iter().map(|plugin| self.told(plugin).1).collect();
        for (name, manifest) in shipped::all(language) {
            if !kept.iter().any(|plugin| plugin.name == name)
                && let Ok(manifest) = crate::reading::read(manifest.as_bytes())
            {
                plugins.push(ListedPlugin {
                    name: manifest.name,
                    version: manifest.version,
                    description: manifest.description,
                    standing: PluginStanding::Available,
                    from: None,
                    problem: None,
                });
            }
        }
        Ok(reply::Plugins { plugins })
    }

    fn told(&self, plugin: &KeptPlugin) -> (Contents, ListedPlugin) {
        let language = self.space.language();
        let contents = self.look(&plugin.folder, Some(&plugin.name));
        let standing = match plugin.is_reviewed {
            true => PluginStanding::Kept,
            false => PluginStanding::Changed,
        };
        let listed = listed(&contents, standing, plugin.from.clone(), &plugin.name, language);
        (contents, listed)
    }

    /// A folder with what is wrong with it here.
    fn look(&self, folder: &Path, kept_as: Option<&str>) -> Contents {
        let mut contents = contents::look(folder, self.space.language());
        let Some(manifest) = &contents.manifest else {
            return contents;
        };
        let toolkit = method_name(&manifest.name);
        if !manifest.tools.is_empty() && !self.registry.is_free(&toolkit) {
            let problem = Problem::ToolkitTaken(toolkit);
            contents
                .faults
                .push(Fault::of_file(crate::manifest::FILE, problem));
        } else if kept_as.is_some_and(|name| name != manifest.name) {
            let problem = Problem::BadName(manifest.name.clone());
            contents
                .faults
                .push(Fault::of_file(crate::manifest::FILE, problem));
        }
        contents
    }

    fn detailed(&self, contents: &Contents, listed: ListedPlugin) -> PluginDetail {
        detail(contents, listed, &self.toolkits(), self.space.language())
    }

    /// All toolkits, those too that are switched off.
    fn toolkits(&self) -> Vec<ToolkitSpec> {
        let mut toolkits = self.registry.all(Vec::new());
        registry::complete(&mut toolkits);
        toolkits
    }

    fn shown(&self, name: &str) -> Result<reply::Plugin, UserError> {
        let (contents, listed) = self.told(&self.named(name)?);
        Ok(reply::Plugin {
            plugin: self.detailed(&contents, listed),
        })
    }

    fn named(&self, name: &str) -> Result<KeptPlugin, UserError> {
        let say = self.space.language().plugins();
        let found = self.kept().into_iter().find(|plugin| plugin.name == name);
        found.ok_or_else(|| {
            error(
                ErrorCode::NotFound,
                say.no_such_plugin(visible(name)),
                say.see_plugins(),
            )
        })
    }

    fn source_of(&self, name: &str) -> Result<String, UserError> {
        let say = self.space.language().plugins();
        let plugin = self.named(name)?;
        let from = plugin.from.filter(|from| !from.is_empty());
        from.ok_or_else(|| error(ErrorCode::Input, say.source_unknown(name), say.install_again()))
    }

    /// What a folder that was fetched holds, and what it would change.
    fn reviewed(&self, folder: &Path, source: String) -> Result<reply::PluginReview, UserError> {
        let language = self.space.language();
        let say = language.plugins();
        let Some(root) = contents::root(folder) else {
            let message = say.no_plugin_in(visible(&source));
            return Err(error(ErrorCode::Input, message, say.needs_a_manifest()));
        };
        let contents = self.look(&root, None);
        let standing = PluginStanding::Available;
        let listed = listed(&contents, standing, Some(source.clone()), "", language);
        let plugin = self.detailed(&contents, listed);
        let there = self.named(&plugin.plugin.name).ok();
        let change = there.map(|there| {
            let (before, listed) = self.told(&there);
            change((&before, &self.detailed(&before, listed)), (&contents, &plugin))
        });
        // A folder without one has a fault for it, and is not kept.
        let digest = digest(&root).unwrap_or_default();
        let shown = serde_json::json!(Shown { from: source, digest });
        fs::write(folder.join(SHOWN), shown.to_string()).map_err(|cause| self.trouble(cause))?;
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
        Ok(reply::PluginReview {
            review: name.unwrap_or_default(),
            plugin,
            change,
        })
    }

    fn install(&self, review: &str) -> Result<reply::Plugin, UserError> {
        let language = self.space.language();
        let say = language.plugins();
        let gone = || error(ErrorCode::NotFound, say.no_such_review(), say.review_again());
        let folder = self.reviews().join(review);
        let shown = fs::read(folder.join(SHOWN)).ok().filter(|_| is_plain(review));
        let shown: Shown = shown
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .ok_or_else(gone)?;
        let root: PathBuf = contents::root(&folder).ok_or_else(gone)?;
        let contents = self.look(&root, None);
        if let Some(fault) = contents.faults.first() {
            return Err(fault.error(language));
        }
        let name = contents.manifest.map(|manifest| manifest.name).ok_or_else(gone)?;
        if digest(&root).map_err(|unfit| self.unfit(&unfit))? != shown.digest {
            return Err(error(
                ErrorCode::Input,
                say.changed_meanwhile(),
                say.review_again(),
            ));
        }
        let earlier = self.named(&name).ok().map(|plugin| plugin.digest);
        // Its entry comes first: whichever folder a kill leaves in the place has its own.
        let entry = Entry {
            off: false,
            digest: Some(shown.digest.clone()),
            from: Some(shown.from),
        };
        self.note(&shown.digest, &entry)?;
        put(&root, &self.place(&name)).map_err(|cause| refused(&cause, &name, language))?;
        if let Some(earlier) = earlier.filter(|earlier| *earlier != shown.digest && !earlier.is_empty()) {
            self.note(&earlier, &Entry::default())?;
        }
        discard(&folder);
        self.changed();
        self.shown(&name)
    }

    fn remove(&self, name: &str) -> Result<reply::Plugins, UserError> {
        let plugin = self.named(name)?;
        let language = self.space.language();
        removed(&plugin.folder).map_err(|cause| refused(&cause, name, language))?;
        if !plugin.digest.is_empty() {
            self.note(&plugin.digest, &Entry::default())?;
        }
        prompt_parts::forget_toolkit(&self.space, &method_name(&plugin.name));
        self.changed();
        self.listed()
    }

    /// Writes what is kept of a fingerprint.
    fn note(&self, digest: &str, entry: &Entry) -> Result<(), UserError> {
        let language = self.space.language();
        let table = table_of(self.space.home.folder());
        let remedy = language.bundles().mend_table();
        review_table::write(&table, (digest, entry), remedy, language)
    }

    /// What a plugin brings is in the lists of several.
    fn changed(&self) {
        self.offer();
        self.registry.changed(&self.space);
        for news in [Reply::SavedPromptsChanged, Reply::SkillsChanged] {
            self.space.tell(&news);
        }
    }

    fn unfit(&self, unfit: &Unfit) -> UserError {
        let language = self.space.language();
        Fault::unfit(unfit, language).error(language)
    }

    fn trouble(&self, cause: io::Error) -> UserError {
        refused(&Refused::from(cause), "", self.space.language())
    }
}

/// Removes a review that is decided on, or that holds nothing.
fn discard(folder: &Path) {
    if let Err(cause) = fs::remove_dir_all(folder) {
        tracing::warn!(%cause, "a review is not removed");
    }
}
