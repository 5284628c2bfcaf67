//! The user's view of the model file: facts, state, speed, and missing parts.

use crate::header::Header;
use crate::trouble::Trouble;
use crate::{
    CacheEntry, LocalModel, ServerStatus, aside, canonical, machine, name_of, plan, program, server,
};
use shidi_models::ModelChoice;
use shidi_protocol::{Check, LocalModelPhase, LocalModelView, ModelFile, ServerProgram, UserError, reply};
use shidi_space::config::settings::{local_model, main};
use std::path::Path;

impl LocalModel {
    /// The file, the program, and how they stand.
    pub async fn show(&self) -> reply::LocalModel {
        let file = match self.file() {
            Ok(path) => self.header(path).await,
            Err(trouble) => Err(trouble),
        };
        let program = self.versioned().await;
        let told = self.told.lock().clone();
        let planned = file.as_ref().ok().map(|header| {
            let plan = plan::plan(&header.value, machine::measure(), self.wishes());
            plan.map_err(Trouble::TooLarge)
        });
        let (plan, unfit) = match (is_at_work(&told), planned) {
            (true, _) => (told.plan, None),
            (false, Some(Ok(plan))) => (Some(plan), None),
            (false, Some(Err(trouble))) => (None, Some(trouble)),
            (false, None) => (None, None),
        };
        let missing = [file.as_ref().err(), program.as_ref().err(), unfit.as_ref()];
        let missing = missing.into_iter().flatten().next();
        let trouble = missing.or(told.trouble.as_ref());
        let trouble = trouble.map(|trouble| trouble.explain(self.space.language()));
        reply::LocalModel {
            model: LocalModelView {
                is_used: self.is_used(),
                phase: told.phase,
                file: file.ok().map(|header| shown(&header)),
                program: program.ok(),
                context: plan.map(|plan| plan.context),
                threads: plan.map(|plan| plan.threads),
                needs_bytes: plan.map(|plan| plan.needs),
                load_ms: told.load_ms,
                speed: told.speed,
                trouble,
            },
        }
    }

    /// The settings with which a file answers: its header is read, nothing is started.
    ///
    /// # Errors
    /// Why it is no model that can be used.
    pub async fn chosen(&self, file: &str) -> Result<[(&'static str, String); 2], UserError> {
        let read = async {
            let path = canonical(Path::new(file))?;
            self.header(path.clone()).await.map(|_| path)
        };
        let path = read
            .await
            .map_err(|trouble| trouble.explain(self.space.language()))?;
        Ok([
            (local_model::file, path.to_string_lossy().into_owned()),
            (main::provider, "file".to_owned()),
        ])
    }

    /// A line of `shidi doctor`; nothing where nobody uses a file.
    pub async fn examine(&self) -> Option<Check> {
        if !self.is_used() {
            return None;
        }
        let shown = self.show().await.model;
        let say = self.space.language().local_model();
        let name = "model file".to_owned();
        Some(match shown.trouble {
            Some(trouble) => Check {
                name,
                ok: false,
                detail: trouble.message,
                remedy: trouble.hint,
            },
            None => {
                let file = shown.file.map(|file| file.name).unwrap_or_default();
                let program = shown.program.map(|program| program.path).unwrap_or_default();
                Check {
                    name,
                    ok: true,
                    detail: say.doctor_ready(shown.context.unwrap_or_default(), file, program),
                    remedy: None,
                }
            }
        })
    }

    fn is_used(&self) -> bool {
        let choice = ModelChoice {
            provider: Some(self.space.config().main.provider.clone()),
            ..ModelChoice::default()
        };
        choice.is_of_file()
    }

    /// The program with the version that it tells.
    async fn versioned(&self) -> Result<ServerProgram, Trouble> {
        let kept = self.program().await?;
        if !kept.value.flags.suffice() {
            return Err(Trouble::OldProgram);
        }
        let version = match kept.value.version.clone() {
            Some(version) => Some(version),
            None => self.ask_version(&kept.stamp.path).await,
        };
        if let Some(known) = self
            .told
            .lock()
            .program
            .as_mut()
            .filter(|known| known.stamp == kept.stamp)
        {
            known.value.version.clone_from(&version);
        }
        Ok(ServerProgram {
            path: kept.stamp.path.display().to_string(),
            version,
        })
    }

    async fn ask_version(&self, path: &Path) -> Option<String> {
        let folder = server::folder().ok()?;
        let serving = self.serving(path, folder.path(), vec!["--version".into()]);
        let said = aside(move || {
            let said = program::said(&serving);
            drop(folder);
            said
        });
        program::version(&said.await.ok()?.ok()?)
    }
}

/// Whether what was planned at the start still holds.
fn is_at_work(told: &ServerStatus) -> bool {
    match told.phase {
        LocalModelPhase::Loading | LocalModelPhase::Ready => true,
        LocalModelPhase::Asleep | LocalModelPhase::Failed => false,
    }
}

fn shown(header: &CacheEntry<Header>) -> ModelFile {
    let value = &header.value;
    ModelFile {
        name: name_of(&header.stamp.path),
        path: header.stamp.path.display().to_string(),
        title: value.name.clone(),
        architecture: value.architecture.clone(),
        quantisation: value.quantisation.clone(),
        bytes: value.bytes,
        parameters: value.parameters,
        trained_context: value.trained_context,
        has_template: value.has_template,
    }
}
