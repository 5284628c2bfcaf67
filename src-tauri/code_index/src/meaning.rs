//! Finding by meaning, where the user chose a model that makes vectors. The names and descriptions of the found files
//! are nearest to a question. Bounded: a repository gets vectors for its largest files alone, a call asks for some of
//! them.

use crate::index::{Folder, Seen, View};
use crate::limits::{MEANING_CHARACTERS, MEANING_FILES_AT_ONCE, MEANING_FILES_FOUND, MEANING_FILES_MAX};
use crate::vectors::{Fingerprint, Vectors};
use sha2::{Digest, Sha256};
use shidi_embedding::Embeddings;
use shidi_reader::outline::Kind;
use std::cmp::Reverse;
use std::sync::Arc;

/// The files nearest to a question, by their places in the view, nearest first; `None` without a model.
pub(crate) async fn nearest(
    embeddings: &Arc<Embeddings>,
    folder: &Folder,
    view: &View,
    question: &str,
) -> Option<Vec<usize>> {
    let near = embeddings.near(question).await?;
    let described = described(view);
    let missing: Vec<&(Fingerprint, String)> = {
        let vectors = folder.vectors.lock();
        let is_missing = |told: &&(usize, (Fingerprint, String))| {
            vectors.model != near.model || !vectors.of.contains_key(&told.1.0)
        };
        let missing = described.iter().filter(is_missing).map(|(_, told)| told);
        missing.take(MEANING_FILES_AT_ONCE).collect()
    };
    if !missing.is_empty() {
        let texts = missing.iter().map(|(_, text)| text.clone()).collect();
        if let Some((model, made)) = embeddings.of_texts(texts).await {
            let mut vectors = folder.vectors.lock();
            if vectors.model != model {
                *vectors = Vectors::by(model);
            }
            vectors.of.extend(missing.iter().map(|(key, _)| *key).zip(made));
            drop(vectors);
            folder.change();
        }
    }
    let vectors = folder.vectors.lock();
    let mut scored: Vec<(f32, usize)> = described
        .iter()
        .filter_map(|(place, (key, _))| Some((cosine(vectors.of.get(key)?, &near.numbers)?, *place)))
        .collect();
    scored.sort_by(|one, other| other.0.total_cmp(&one.0));
    scored.truncate(MEANING_FILES_FOUND);
    Some(scored.into_iter().map(|(_, place)| place).collect())
}

/// The largest files with their descriptions, those that are no tests first.
fn described(view: &View) -> Vec<(usize, (Fingerprint, String))> {
    let mut places: Vec<usize> = (0..view.files.len()).collect();
    let size = |place: &usize| {
        let file = view.files.get(*place);
        let symbols = file
            .and_then(Seen::outline)
            .map_or(0, |outline| outline.symbols.len());
        (file.is_none_or(|file| file.is_test), Reverse(symbols))
    };
    places.sort_by_key(size);
    places.truncate(MEANING_FILES_MAX);
    let told = places
        .into_iter()
        .filter_map(|place| Some((place, description(view.files.get(place)?)?)));
    told.collect()
}

fn description(file: &Seen) -> Option<(Fingerprint, String)> {
    let outline = file.outline().filter(|outline| !outline.symbols.is_empty())?;
    let mut text = format!("{}\n{}\n", file.path, outline.doc);
    let wanted = outline
        .symbols
        .iter()
        .filter(|symbol| symbol.kind.is_findable() && !matches!(symbol.kind, Kind::Variant | Kind::Constant));
    for symbol in wanted {
        if text.len() >= MEANING_CHARACTERS {
            break;
        }
        text.push_str(&symbol.name);
        if !symbol.doc.is_empty() {
            text.push_str(&format!(": {}", symbol.doc));
        }
        text.push('\n');
    }
    let text: String = text.chars().take(MEANING_CHARACTERS).collect();
    let digest = Sha256::digest(text.as_bytes());
    let key = digest.first_chunk::<16>().copied()?;
    Some((key, text))
}

/// How near two vectors are; `None` of those that can't be compared.
fn cosine(one: &[f32], other: &[f32]) -> Option<f32> {
    if one.is_empty() || one.len() != other.len() {
        return None;
    }
    let product = |one: &[f32], other: &[f32]| one.iter().zip(other).map(|(a, b)| a * b).sum::<f32>();
    let length = (product(one, one) * product(other, other)).sqrt();
    (length > 0.0).then(|| product(one, other) / length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_of_other_lengths_and_empty_ones_are_not_compared() {
        assert_eq!(cosine(&[1.0, 0.0], &[2.0, 0.0]), Some(1.0));
        assert_eq!(cosine(&[1.0], &[1.0, 0.0]), None);
        assert_eq!(cosine(&[], &[]), None);
        assert_eq!(cosine(&[0.0], &[0.0]), None);
    }
}
