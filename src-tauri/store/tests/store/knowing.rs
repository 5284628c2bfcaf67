//! Documents of knowledge bases: a shared piece outlives the document that it was first read from, and nothing is left of
//! what is gone.

use crate::fixture::Folder;
use proptest::prelude::*;
use shidi_protocol::{
    DocumentId, KnowledgeDocument, MemoryId, MemoryKind, MemoryQuery, MemoryRecord, MemoryScope,
    MemoryScopes, Moment,
};
use shidi_store::{KnowledgeWrite, MemoryWrite, SeenPiece, Store, Write};
use std::collections::{BTreeMap, BTreeSet};

fn put_base(store: &Store) {
    let write = Write::Knowledge(KnowledgeWrite::PutBase(shidi_store::Base {
        name: "b".to_owned(),
        about: String::new(),
        at: None,
        created: Moment(1),
    }));
    store.commit(write).unwrap();
}

fn document(name: &str) -> KnowledgeDocument {
    KnowledgeDocument {
        id: DocumentId::from(name),
        base: "b".to_owned(),
        place: format!("/{name}.md"),
        format: "text".to_owned(),
        bytes: 1,
        changed: Moment(1),
        imported: Moment(1),
        pieces: 0,
        duplicates: 0,
        deprecated: 0,
        partial: false,
        reason: None,
        detail: None,
    }
}

/// Reads a document with these pieces as an import does.
fn import(store: &Store, name: &str, pieces: &BTreeSet<u8>, round: i64) {
    let id = DocumentId::from(name);
    for piece in pieces {
        let fingerprint = format!("f{piece}");
        let known = store.known_piece("b", &fingerprint, &id).unwrap();
        let (memory, owns) =
            known.map_or_else(|| (MemoryId::mint(), true), |known| (known.memory, known.owns));
        let mut batch = Vec::new();
        if owns {
            let text = format!("says quokka{piece}end");
            let mut record = MemoryRecord::new(memory.clone(), MemoryKind::Chunk, text, Moment(1));
            record.scope = MemoryScope::Base("b".to_owned());
            record.source.document = Some(name.to_owned());
            batch.push(Write::Memory(MemoryWrite::Put(Box::new(record))));
        }
        batch.push(Write::Knowledge(KnowledgeWrite::PutPiece(SeenPiece {
            base: "b".to_owned(),
            document: id.clone(),
            fingerprint,
            memory,
            owns,
            round,
        })));
        store.commit(batch).unwrap();
    }
    store
        .commit(vec![
            Write::Knowledge(KnowledgeWrite::SweepPieces { document: id, round }),
            Write::Knowledge(KnowledgeWrite::PutDocument(Box::new(document(name)))),
        ])
        .unwrap();
}

#[derive(Debug, Clone)]
enum Operation {
    Import(&'static str, BTreeSet<u8>),
    Delete(&'static str),
}

fn operations() -> impl Strategy<Value = Vec<Operation>> {
    let name = prop_oneof![Just("one"), Just("two"), Just("three")];
    let pieces = proptest::collection::btree_set(0..6_u8, 0..5);
    let operation = prop_oneof![
        3 => (name.clone(), pieces).prop_map(|(name, pieces)| Operation::Import(name, pieces)),
        1 => name.prop_map(Operation::Delete),
    ];
    proptest::collection::vec(operation, 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_base_says_exactly_what_its_documents_say_and_each_thing_once(operations in operations()) {
        let folder = Folder::new();
        let store = folder.open();
        put_base(&store);
        let mut expected: BTreeMap<&str, BTreeSet<u8>> = BTreeMap::new();
        for (round, operation) in operations.into_iter().enumerate() {
            match operation {
                Operation::Import(name, pieces) => {
                    import(&store, name, &pieces, round as i64 + 1);
                    expected.insert(name, pieces);
                }
                Operation::Delete(name) => {
                    store.commit(Write::Knowledge(KnowledgeWrite::DeleteDocument(DocumentId::from(name)))).unwrap();
                    expected.remove(name);
                }
            }
            let records = store.memories(&Default::default(), 0, 100).unwrap();
            let mut said: Vec<String> = records.iter().map(|record| record.text.clone()).collect();
            said.sort();
            let all: BTreeSet<u8> = expected.values().flatten().copied().collect();
            let wanted: Vec<String> = all.iter().map(|piece| format!("says quokka{piece}end")).collect();
            prop_assert_eq!(said, wanted);
            for record in records {
                let owner = record.source.document.unwrap();
                let piece: u8 = record.text.chars().filter_map(|digit| digit.to_digit(10)).next().unwrap() as u8;
                let says_so = expected.get(owner.as_str()).is_some_and(|pieces| pieces.contains(&piece));
                prop_assert!(says_so, "{} names {owner}, which does not say it", record.text);
            }
        }
    }
}

#[test]
fn a_piece_covers_what_its_headings_say_and_a_statement_only_its_own_words() {
    let folder = Folder::new();
    let store = folder.open();
    put_base(&store);
    let covered = |kind: MemoryKind, scope: MemoryScope| {
        let text = "A room may cost 450 yuan a night.".to_owned();
        let mut record = MemoryRecord::new(MemoryId::mint(), kind, text, Moment(1));
        record.scope = scope.clone();
        record.title = "Travel › Hotels".to_owned();
        store
            .commit(Write::Memory(MemoryWrite::Put(Box::new(record))))
            .unwrap();
        let query = MemoryQuery {
            text: "how much may a hotel room cost".to_owned(),
            kinds: vec![kind],
            scopes: MemoryScopes::These(vec![scope]),
            page: None,
            except: None,
            now: Moment(2),
            limit: 1,
        };
        store.recall(&query).unwrap()[0].coverage
    };
    let piece = covered(MemoryKind::Chunk, MemoryScope::Base("b".to_owned()));
    let statement = covered(MemoryKind::Knowledge, MemoryScope::User);
    assert!(piece > 0.8 && statement < 0.7, "{piece} {statement}");
}

#[test]
fn a_document_that_takes_over_a_piece_is_read_anew_for_its_place() {
    let folder = Folder::new();
    let store = folder.open();
    put_base(&store);
    import(&store, "one", &BTreeSet::from([1, 2]), 1);
    import(&store, "two", &BTreeSet::from([2]), 2);
    store
        .commit(Write::Knowledge(KnowledgeWrite::DeleteDocument(
            DocumentId::from("one"),
        )))
        .unwrap();
    assert_eq!(
        store.document_at("b", "/two.md").unwrap().unwrap().changed,
        Moment(-1)
    );
}

#[test]
fn nothing_of_a_deleted_document_or_base_is_left_in_the_files() {
    let folder = Folder::new();
    let store = folder.open();
    put_base(&store);
    import(&store, "one", &BTreeSet::from([1, 2]), 1);
    import(&store, "two", &BTreeSet::from([2, 3]), 2);
    store
        .commit(Write::Knowledge(KnowledgeWrite::DeleteDocument(
            DocumentId::from("one"),
        )))
        .unwrap();
    assert!(!folder.holds("quokka1end") && folder.holds("quokka2end") && folder.holds("quokka3end"));
    store
        .commit(Write::Knowledge(KnowledgeWrite::DeleteBase {
            name: "b".to_owned(),
        }))
        .unwrap();
    assert!(!folder.holds("quokka2end") && !folder.holds("quokka3end") && !folder.holds("/two.md"));
    assert!(store.bases().unwrap().is_empty());
}
