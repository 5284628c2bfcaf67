//! `shidi model file` and `model use`: the model file on this computer, what it needs, and how its server stands.

use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::words::Words;
use shidi_protocol::{LocalModelPhase, LocalModelView, ModelFile, reply, request};
use shidi_runtime::Connection;
use std::path::Path;

/// Makes a file the model that answers.
///
/// # Errors
/// A file that is no model that can be used.
pub async fn choose(connection: &Connection, file: &Path, console: &Console) -> Result<Exit, Failure> {
    let whole = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let file = whole.to_string_lossy().into_owned();
    let reply::LocalModel { model } = connection.ask(request::LocalModelUse { file }).await?;
    print(&model, console)
}

/// Shows the file, its program, and what is missing.
///
/// # Errors
/// A connection that broke.
pub async fn show(connection: &Connection, console: &Console) -> Result<Exit, Failure> {
    let reply::LocalModel { model } = connection.ask(request::LocalModelShow).await?;
    print(&model, console)
}

fn print(model: &LocalModelView, console: &Console) -> Result<Exit, Failure> {
    if console.is_json() {
        console.json(model)?;
        return Ok(Exit::Done);
    }
    if let Some(file) = &model.file {
        console.line(&console.painted(Look::Strong, &file.name))?;
        console.line(&format!("  {}", facts(file, model, console.words)))?;
        console.line(&format!("  {}", console.painted(Look::Dim, &file.path)))?;
        console.line(&format!("  {}", state(model, console.words)))?;
    }
    if let Some(program) = &model.program {
        let version = program.version.as_deref().unwrap_or_default();
        let line = format!("  {}  {version}", program.path);
        console.line(&console.painted(Look::Dim, line.trim_end()))?;
    }
    if let Some(trouble) = &model.trouble {
        console.line(&console.painted(Look::Bad, &trouble.message))?;
        if let Some(hint) = &trouble.hint {
            console.note(Look::Dim, hint);
        }
    } else if let (false, Some(file)) = (model.is_used, &model.file) {
        console.note(Look::Dim, &console.words.model_file_unused(&file.path));
    }
    Ok(Exit::Done)
}

/// `1.5 B · Q4_K_M · 1.2 GB · context 16384 · about 2.0 GB of memory`.
fn facts(file: &ModelFile, model: &LocalModelView, words: Words) -> String {
    let parameters = file.parameters.div_ceil(100_000_000);
    let mut facts = vec![file.architecture.clone(), format!("{} B", tenths(parameters))];
    facts.extend(file.quantisation.clone());
    facts.push(format!("{} GB", tenths(file.bytes.div_ceil(100_000_000))));
    if let Some(context) = model.context {
        facts.push(words.model_file_context(context));
    }
    if let Some(needs) = model.needs_bytes {
        facts.push(words.model_file_memory(tenths(needs.div_ceil(100_000_000))));
    }
    facts.join(" · ")
}

/// How its server stands, how long it took to load, and how fast it last answered.
fn state(model: &LocalModelView, words: Words) -> String {
    let phase = match model.phase {
        LocalModelPhase::Asleep => words.model_file_asleep(),
        LocalModelPhase::Loading => words.model_file_loading(),
        LocalModelPhase::Ready => words.model_file_ready(),
        LocalModelPhase::Failed => words.model_file_failed(),
    };
    let mut parts = vec![phase.to_owned()];
    if let Some(ms) = model.load_ms {
        parts.push(words.model_file_loaded_in(tenths(u64::from(ms.div_ceil(100)))));
    }
    if let Some(speed) = model.speed {
        parts.push(words.model_file_speed(tenths(speed / 100)));
    }
    parts.join(" · ")
}

fn tenths(number: u64) -> String {
    format!("{}.{}", number / 10, number % 10)
}
