//! A PDF from Markdown: what the program and the user are told of it.

use super::produce::Produced;
use crate::error::ToolError;
use crate::safe_path::ResolvedPath;
use serde_json::json;

/// Typesets the document; without a heading its title is the name of the file.
pub(super) fn pdf(markdown: &str, place: &ResolvedPath) -> Result<Produced, ToolError> {
    let name = place.leads_to.file_stem().unwrap_or_default().to_string_lossy();
    let made = shidi_pdf::from_markdown(markdown, &name).map_err(|cause| ToolError::NotTypeset {
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
