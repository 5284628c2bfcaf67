//! A base that a team's Qdrant server keeps.
//!
//! One collection per base. Its points are pieces and rows of documents. Pieces are found by sparse vectors of our own
//! terms, which the server weighs by how rare they are. Rows are found by their content. A document belongs to the
//! computer that imported it. Ids are made of that computer, the place and the words. So a broken import is simply done
//! again, and nobody's clean-up touches documents of others. A text that several documents share lies there for each of
//! them and is shown once.

use crate::backend::{Backend, Reading, Taken, Trouble, cited};
use crate::limits::IMPORT_DOCUMENTS_MAX;
use crate::server::{Failure, Point, Server, Sparse};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use shidi_protocol::{DocumentId, KnowledgeBase, KnowledgeDocument, KnowledgePiece, MemoryId};
use shidi_store::{RECALL_MOST, asked_terms, terms};
use shidi_toolkits::knowledge::Piece;
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::future::Future;
use std::sync::mpsc::sync_channel;
use std::time::Duration;
use tokio::runtime::Handle;

/// Points of one request: some hundred kilobytes.
const TOGETHER: usize = 64;
/// Actions that wait for a commit.
const WAITING_MOST: usize = 256;
/// Rows of one page.
const PAGE: u32 = 256;
/// How long one request is waited for; the client gives up earlier.
const WAIT: Duration = Duration::from_secs(30);

/// How soon another occurrence of a term counts less, and how much a longer text counts less: BM25's usual ones.
const SATURATION: f32 = 1.2;
const LENGTH_SHARE: f32 = 0.75;
/// Terms of a piece of middle length. The server knows no mean; what is longer only counts a little less.
const LENGTH_USUAL: f32 = 120.0;
/// What a term of the headings counts beside one of the text, as in the search here.
const HEADING_WEIGHT: f32 = 0.3;

/// A base on a server.
pub struct QdrantBackend {
    server: Server,
    at: String,
    base: String,
    /// Whose documents these are: this data folder's.
    importer: String,
    tasks: Handle,
    waiting: Vec<Action>,
    /// Its documents by place, as they were when the import began.
    known: OnceCell<HashMap<String, KnowledgeDocument>>,
}

enum Action {
    Put(Box<Point>),
    Sweep { document: DocumentId, round: i64 },
    Remove(DocumentId),
}

impl QdrantBackend {
    pub fn new(server: Server, base: &KnowledgeBase, importer: String, tasks: Handle) -> Self {
        Self {
            server,
            at: base.at.clone().unwrap_or_default(),
            base: base.name.clone(),
            importer,
            tasks,
            waiting: Vec::new(),
            known: OnceCell::new(),
        }
    }

    /// Pieces that fit a question best, best first.
    pub fn query(&self, question: &str) -> Result<Vec<KnowledgePiece>, Trouble> {
        let asked = asked_terms(question);
        if asked.is_empty() {
            return Ok(Vec::new());
        }
        let server = self.server.clone();
        let words = weighed(asked.into_iter().map(|term| (term, 1.0)));
        let found = self.ask(async move { server.query(&words, of_kind("piece"), RECALL_MOST).await })?;
        let mut seen = HashSet::new();
        let mut pieces = Vec::new();
        for (payload, score) in found {
            let is_new = seen.insert(text(&payload, "fingerprint"));
            if is_new {
                pieces.push(piece(&self.base, &payload, score));
            }
        }
        Ok(pieces)
    }

    /// Waits for a request on a thread that may.
    fn ask<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Failure>> + Send + 'static,
    ) -> Result<T, Trouble> {
        let (sender, receiver) = sync_channel(1);
        self.tasks.spawn(async move {
            // The one who waited may have gone on.
            sender.try_send(work.await).ok();
        });
        let late = Failure::Away("no answer in time".to_owned());
        let answered = receiver.recv_timeout(WAIT).unwrap_or(Err(late));
        answered.map_err(|cause| Trouble::Server {
            at: self.at.clone(),
            cause,
        })
    }

    fn perform(&self, actions: Vec<Action>) -> Result<(), Trouble> {
        let server = self.server.clone();
        let mut points = Vec::new();
        for action in actions {
            match action {
                Action::Put(point) => points.push(*point),
                Action::Sweep { document, round } => {
                    self.write(std::mem::take(&mut points))?;
                    let server = server.clone();
                    let filter = json!({"must": [
                        matches("kind", "piece"), matches("document", document.as_str()), {"key": "round", "range": {"lt": round}},
                    ]});
                    self.ask(async move { server.delete(filter).await })?;
                }
                Action::Remove(document) => {
                    self.write(std::mem::take(&mut points))?;
                    let server = server.clone();
                    self.ask(async move { server.delete(of_document(&document)).await })?;
                }
            }
        }
        self.write(points)
    }

    fn write(&self, points: Vec<Point>) -> Result<(), Trouble> {
        for some in points.chunks(TOGETHER) {
            let (server, some) = (self.server.clone(), some.to_vec());
            self.ask(async move { server.put(&some).await })?;
        }
        Ok(())
    }
}

impl Backend for QdrantBackend {
    fn document_at(&self, place: &str) -> Result<Option<KnowledgeDocument>, Trouble> {
        // All at once: a request for each of thousands of files that did not change would take minutes.
        if self.known.get().is_none() {
            let own = self.own_documents()?.into_iter();
            self.known
                .get_or_init(|| own.map(|document| (document.place.clone(), document)).collect());
        }
        Ok(self.known.get().and_then(|known| known.get(place)).cloned())
    }

    fn own_documents(&self) -> Result<Vec<KnowledgeDocument>, Trouble> {
        let (server, importer, base) = (self.server.clone(), self.importer.clone(), self.base.clone());
        self.ask(async move { documents(&server, &base, Some(&importer)).await })
    }

    fn new_id(&self, place: &str) -> DocumentId {
        DocumentId::from(named_id(&[&self.importer, place]).as_str())
    }

    fn take(&mut self, piece: Piece, fingerprint: String, reading: &Reading) -> Result<Taken, Trouble> {
        let payload = json!({
            "kind": "piece",
            "by": self.importer,
            "document": reading.document,
            "from": reading.place,
            "round": reading.round,
            "fingerprint": fingerprint,
            "heading": piece.heading,
            "text": piece.text,
            "place_in": piece.place,
            "fields": piece.fields,
            "ordinal": reading.ordinal,
        });
        self.waiting.push(Action::Put(Box::new(Point {
            id: named_id(&[reading.document.as_str(), &fingerprint]),
            words: Some(of_piece(&piece.text, &piece.heading)),
            payload,
        })));
        Ok(Taken::Own)
    }

    fn sweep(&mut self, document: &DocumentId, round: i64) {
        let document = document.clone();
        self.waiting.push(Action::Sweep { document, round });
    }

    fn put(&mut self, document: KnowledgeDocument) {
        let payload = json!({
            "kind": "document",
            "by": self.importer,
            "document": document.id,
            "place": document.place,
            "failed": document.reason.is_some(),
            "row": document,
        });
        self.waiting.push(Action::Put(Box::new(Point {
            id: document.id.to_string(),
            words: None,
            payload,
        })));
    }

    fn remove(&mut self, document: DocumentId) {
        self.waiting.push(Action::Remove(document));
    }

    fn commit_when_full(&mut self) -> Result<(), Trouble> {
        match self.waiting.len() < WAITING_MOST {
            true => Ok(()),
            false => self.commit(),
        }
    }

    fn commit(&mut self) -> Result<(), Trouble> {
        let waiting = std::mem::take(&mut self.waiting);
        self.perform(waiting)
    }
}

/// The documents of a base by place: all, or those of one importer.
pub async fn documents(
    server: &Server,
    base: &str,
    by: Option<&str>,
) -> Result<Vec<KnowledgeDocument>, Failure> {
    let mut must = vec![matches("kind", "document")];
    must.extend(by.map(|by| matches("by", by)));
    let filter = json!({ "must": must });
    let mut found = Vec::new();
    let mut offset = None;
    while found.len() < IMPORT_DOCUMENTS_MAX as usize {
        let (rows, next) = server.scroll(&filter, offset.as_ref(), PAGE).await?;
        found.extend(rows.iter().filter_map(|row| document(base, row)));
        offset = next;
        if offset.is_none() {
            break;
        }
    }
    found.sort_by(|left, right| left.place.cmp(&right.place).then(left.id.cmp(&right.id)));
    Ok(found)
}

/// How much a base holds.
pub async fn counted(server: &Server, base: &mut KnowledgeBase) -> Result<(), Failure> {
    let failed = json!({"must": [matches("kind", "document"), {"key": "failed", "match": {"value": true}}]});
    base.documents = u32::try_from(server.count(of_kind("document")).await?).unwrap_or(u32::MAX);
    base.pieces = server.count(of_kind("piece")).await?;
    base.problems = u32::try_from(server.count(failed).await?).unwrap_or(u32::MAX);
    Ok(())
}

/// Erases a document with its pieces.
pub async fn erase(server: &Server, document: &DocumentId) -> Result<(), Failure> {
    server.delete(of_document(document)).await
}

/// Erases what one importer brought, and the collection when nothing else is in it.
pub async fn erase_own(server: &Server, importer: &str) -> Result<(), Failure> {
    server.delete(json!({"must": [matches("by", importer)]})).await?;
    match server.count(of_kind("document")).await? {
        0 => server.drop_all().await,
        _ => Ok(()),
    }
}

fn matches(key: &str, value: &str) -> Value {
    json!({"key": key, "match": {"value": value}})
}

fn of_kind(kind: &str) -> Value {
    json!({"must": [matches("kind", kind)]})
}

fn of_document(document: &DocumentId) -> Value {
    json!({"must": [matches("document", document.as_str())]})
}

fn document(base: &str, row: &Value) -> Option<KnowledgeDocument> {
    let mut document: KnowledgeDocument = serde_json::from_value(row.get("row")?.clone()).ok()?;
    // Others may have given the base another name.
    base.clone_into(&mut document.base);
    Some(document)
}

fn piece(base: &str, payload: &Value, score: f64) -> KnowledgePiece {
    let document = text(payload, "from");
    KnowledgePiece {
        id: MemoryId::from(named_id(&[&text(payload, "document"), &text(payload, "fingerprint")]).as_str()),
        base: base.to_owned(),
        source: cited(&document, &text(payload, "place_in")),
        document,
        heading: text(payload, "heading"),
        text: text(payload, "text"),
        fields: payload["fields"].as_object().cloned().unwrap_or_default(),
        score,
    }
}

fn text(payload: &Value, name: &str) -> String {
    payload[name].as_str().unwrap_or_default().to_owned()
}

/// The terms of a piece, weighed as BM25 does but for their rarity, which the server adds.
fn of_piece(text: &str, heading: &str) -> Sparse {
    let mut counts: BTreeMap<String, f32> = BTreeMap::new();
    let own = terms(text);
    let length = own.len() as f32;
    for term in own {
        *counts.entry(term).or_default() += 1.0;
    }
    for term in terms(heading) {
        *counts.entry(term).or_default() += HEADING_WEIGHT;
    }
    let damping = SATURATION * (1.0 - LENGTH_SHARE + LENGTH_SHARE * length / LENGTH_USUAL);
    weighed(
        counts
            .into_iter()
            .map(|(term, count)| (term, count * (SATURATION + 1.0) / (count + damping))),
    )
}

/// Terms by their numbers. Two that share one count together, which happens to one pair in some hundred thousand terms.
fn weighed(terms: impl Iterator<Item = (String, f32)>) -> Sparse {
    let mut numbers: BTreeMap<u32, f32> = BTreeMap::new();
    for (term, weight) in terms {
        *numbers.entry(number(&term)).or_default() += weight;
    }
    let (indices, values) = numbers.into_iter().unzip();
    Sparse { indices, values }
}

/// The number of a term, the same on every computer.
fn number(term: &str) -> u32 {
    let digest = Sha256::digest(term.as_bytes());
    u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]])
}

/// An id in the form of a UUID that the same parts always give.
fn named_id(parts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part.as_bytes());
    }
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hasher.finalize()[..16]);
    // Version 8 says that the bytes are its maker's own.
    uuid::Builder::from_custom_bytes(bytes).into_uuid().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_has_the_same_id_and_numbers_everywhere() {
        let id = named_id(&["a", "bc"]);
        assert_eq!(
            id, "3fafa1cf-2f19-87c1-929b-eb20cf0983f7",
            "servers hold points by it"
        );
        assert_ne!(id, named_id(&["ab", "c"]));
        assert!(
            id.len() == 36 && &id[14..15] == "8" && "89ab".contains(&id[19..20]),
            "{id}"
        );
        let sparse = of_piece("refund refund within days", "Rules");
        assert_eq!(sparse.indices.len(), 4);
        assert!(
            sparse.indices.is_sorted(),
            "a server wants them unique; in order they are easy to compare"
        );
        let weight = |word: &str| {
            let wanted = number(&terms(word)[0]);
            let at = sparse.indices.iter().position(|one| *one == wanted);
            sparse.values[at.unwrap()]
        };
        assert!(weight("refund") > weight("within") && weight("within") > weight("rules"));
        assert_eq!(weighed(std::iter::empty()), Sparse::default());
    }
}
