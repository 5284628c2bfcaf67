//! The peers' published formulas on the same legs: what FTS5 finds in the text itself (words and character pairs of our
//! index), and in what stands around it. There is no vector leg without a model, for them or for us. Scope is filtered for
//! them as for us; corrections are not, because none of them does.

use crate::corpus::{HITS, Question, named};
use rusqlite::{Connection, OptionalExtension, params};
use shidi_protocol::MemoryScopes;
use shidi_store::question_terms;
use std::collections::HashMap;
use std::path::Path;

pub const NAMES: [&str; 4] = [
    "BM25, text alone",
    "RRF k=60 (MemOS)",
    "RRF const 1 (graphiti)",
    "additive (mem0)",
];

/// Hits of one leg that a fusion sees, as mem0 takes them: max(4 k, 60).
const POOL: u32 = 4 * HITS;

pub struct Baselines(Connection);

impl Baselines {
    pub fn open(path: &Path) -> Self {
        Self(Connection::open_with_flags(path, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap())
    }

    /// The ranking of each, in the order of [`NAMES`].
    pub fn rank(&self, question: &Question) -> [Vec<String>; 4] {
        let body = self.leg(question, "{words pairs}", "bm25(search, 1.0, 1.0, 0.0)");
        let around = self.leg(question, "{context}", "bm25(search, 0.0, 0.0, 1.0)");
        let plain: Vec<String> = body.iter().map(|(id, _)| id.clone()).collect();
        let entities = self.leg(question, "{context}", "bm25(search, 0.0, 0.0, 1.0)");
        let named = entities.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>();
        // mem0: (cosine + sigmoid(BM25) + up to 0.5 for entities) / most; without vectors the first is 0 for all.
        let mut additive: HashMap<String, f64> = HashMap::new();
        for (id, score) in &body {
            let entity = if named.contains(&id.as_str()) { 0.5 } else { 0.0 };
            additive.insert(id.clone(), (1.0 / (1.0 + (-score).exp()) + entity) / 1.5);
        }
        [
            plain,
            fused(&[&body, &around], 60.0),
            fused(&[&body, &around], 1.0),
            ranked(additive),
        ]
    }

    fn leg(&self, question: &Question, columns: &str, score: &str) -> Vec<(String, f64)> {
        let terms: Vec<String> = question_terms(&question.text)
            .into_iter()
            .map(|term| format!("\"{term}\""))
            .collect();
        if terms.is_empty() {
            return Vec::new();
        }
        let query = question.query();
        let MemoryScopes::These(seen) = query.scopes else {
            return Vec::new();
        };
        let assistants: Vec<String> = seen.iter().map(|scope| scope.owner().to_owned()).collect();
        let scopes: Vec<String> = seen.iter().map(ToString::to_string).collect();
        let sql = format!(
            "SELECT rowid, -{score} AS score FROM search WHERE search MATCH ?1 AND CASE rowid % 2
               WHEN 1 THEN EXISTS (SELECT 1 FROM memory WHERE row = search.rowid / 2
                 AND (scope IN (SELECT value FROM json_each(?2)) OR scope LIKE 'site:%'))
               ELSE EXISTS (SELECT 1 FROM segment WHERE row = search.rowid / 2 AND coalesce((SELECT assistant
                 FROM attribution WHERE attribution.session = segment.session), '') IN (SELECT value FROM json_each(?3)))
             END ORDER BY score DESC LIMIT ?4"
        );
        let json = |texts: &[String]| serde_json::to_string(texts).unwrap();
        let expression = format!("{columns} : ({})", terms.join(" OR "));
        let mut statement = self.0.prepare_cached(&sql).unwrap();
        let found = statement
            .query_map(
                params![expression, json(&scopes), json(&assistants), POOL],
                |row| Ok((row.get::<_, i64>(0)?, row.get::<_, f64>(1)?)),
            )
            .unwrap();
        found
            .map(|found| found.unwrap())
            .filter_map(|(document, score)| Some((self.id(document)?, score)))
            .collect()
    }

    fn id(&self, document: i64) -> Option<String> {
        let sql = match document % 2 {
            1 => "SELECT id FROM memory WHERE row = ?1",
            _ => "SELECT session || '/' || id FROM segment WHERE row = ?1",
        };
        let id: Option<String> = self
            .0
            .prepare_cached(sql)
            .unwrap()
            .query_row([document / 2], |row| row.get(0))
            .optional()
            .unwrap();
        id.map(|id| named(&id))
    }
}

fn fused(legs: &[&Vec<(String, f64)>], constant: f64) -> Vec<String> {
    let mut scores: HashMap<String, f64> = HashMap::new();
    for leg in legs {
        for (place, (id, _)) in leg.iter().enumerate() {
            *scores.entry(id.clone()).or_default() += 1.0 / (constant + place as f64 + 1.0);
        }
    }
    ranked(scores)
}

fn ranked(scores: HashMap<String, f64>) -> Vec<String> {
    let mut ranked: Vec<(String, f64)> = scores.into_iter().collect();
    ranked.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
    ranked.truncate(HITS as usize);
    ranked.into_iter().map(|(id, _)| id).collect()
}
