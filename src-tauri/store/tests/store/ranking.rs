//! The ranking keeps what it reached: on the half of the corpus that is for tuning, it may not lose more than a point.

use crate::fixture::Folder;
use corpus::{Half, named};
use measure::{mark, score};

#[expect(dead_code, reason = "the benchmark uses the rest")]
#[path = "../../benches/memory/corpus.rs"]
mod corpus;
#[expect(dead_code, reason = "the benchmark uses the rest")]
#[path = "../../benches/memory/measure.rs"]
mod measure;

/// What `make bench-memory` printed when the ranking was last changed.
const RECALL_5: f64 = 0.859;
const RECALL_10: f64 = 0.887;
const RECIPROCAL: f64 = 0.765;

const LOSS_MOST: f64 = 0.01;

#[test]
fn the_ranking_finds_what_it_found_and_never_a_corrected_or_forgotten_fact_first() {
    let folder = Folder::new();
    let store = folder.open();
    let mut marks = Vec::new();
    Half::load("dev").run(&store, |question| {
        let hits = store.recall(&question.query()).unwrap();
        for hit in &hits {
            assert!((hit.parts.sum() - hit.score).abs() < 1e-9, "{hit:?}");
        }
        let ids: Vec<String> = hits.iter().map(|hit| named(&hit.id)).collect();
        marks.push(mark(question, &ids));
    });
    let score = score(marks.iter());
    assert_eq!(score.stale.0, 0, "{score}");
    assert_eq!(score.forbidden.0, 0, "{score}");
    assert!(score.recall_5 >= RECALL_5 - LOSS_MOST, "{score}");
    assert!(score.recall_10 >= RECALL_10 - LOSS_MOST, "{score}");
    assert!(score.reciprocal >= RECIPROCAL - LOSS_MOST, "{score}");
}
