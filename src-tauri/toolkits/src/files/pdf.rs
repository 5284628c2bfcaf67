//! A PDF from Markdown: what the program and the user are told of it.

use super::produce::Produced;
use crate::environment::Environment;
use crate::error::ToolError;
use crate::limits::PDF_TIME_MAX;
use crate::safe_path::ResolvedPath;
use serde_json::json;
use std::time::Instant;

/// Typesets the document; without a heading its title is the name of the file. A run that is stopped ends it.
pub(super) fn pdf(
    markdown: &str,
    place: &ResolvedPath,
    environment: &Environment,
) -> Result<Produced, ToolError> {
    let name = place.leads_to.file_stem().unwrap_or_default().to_string_lossy();
    let began = Instant::now();
    let is_stopped = || environment.cancellation.is_asked_for() || began.elapsed() > PDF_TIME_MAX;
    let made =
        shidi_pdf::from_markdown(markdown, &name, &is_stopped).map_err(|cause| ToolError::NotTypeset {
            path: place.shown.display().to_string(),
            cause,
        })?;
    let mut facts = json!({"pages": made.pages});
    let mut told = super::counted(made.pages, "page", "pages");
    if made.missing > 0 {
        facts["missing"] = json!(made.missing);
        let letters = super::counted(made.missing, "letter", "letters");
        told.push_str(&format!(", {letters} that no font here has"));
    }
    if made.pictures > 0 {
        facts["pictures_as_words"] = json!(made.pictures);
        let pictures = super::counted(made.pictures, "picture", "pictures");
        told.push_str(&format!(", {pictures} as words"));
    }
    Ok(Produced {
        bytes: made.bytes,
        facts,
        told,
    })
}
