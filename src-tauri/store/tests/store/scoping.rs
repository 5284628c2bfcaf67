//! Whatever is remembered and said, in whatever scopes: a search sees what its scopes show, and nothing else.

use crate::fixture::{patient, put, run, segment, session};
use proptest::prelude::*;
use shidi_protocol::{
    Contrary, MemoryHit, MemoryId, MemoryKind, MemoryQuery, MemoryRecord, MemoryScope, MemoryScopes, Moment,
    RunId, SegmentKind, SessionId,
};
use shidi_store::{MemoryWrite, Store, ToolResult, Visit, Write};
use std::collections::{BTreeMap, BTreeSet};

/// In every text, so that words alone keep nothing apart.
const COMMON: &str = "quagga";

const SESSIONS: [&str; 3] = ["s1", "s2", "s3"];

const PAGE: &str = "https://example.com/prices";

fn scopes() -> Vec<MemoryScope> {
    vec![
        MemoryScope::User,
        MemoryScope::Assistant("anna".to_owned()),
        MemoryScope::Assistant("bert".to_owned()),
        MemoryScope::Session(SessionId::from("s1")),
        MemoryScope::Session(SessionId::from("s2")),
        MemoryScope::Site("example.com".to_owned()),
        MemoryScope::Base("handbook".to_owned()),
    ]
}

#[derive(Debug, Clone)]
struct Fact {
    scope: MemoryScope,
    kind: MemoryKind,
    /// Whether it is about the subject that others are about, too.
    on_subject: bool,
    /// The one before it that it replaces.
    replaces: Option<usize>,
    /// Whether it contradicts the one before it.
    contradicts: bool,
    on_page: bool,
}

#[derive(Debug, Clone)]
struct World {
    told: Vec<Fact>,
    /// The assistant that each session is held with.
    assistants: Vec<Option<&'static str>>,
    /// Whether a session was about the page.
    on_page: Vec<bool>,
}

fn told() -> impl Strategy<Value = Fact> {
    let kinds = prop::sample::select(vec![
        MemoryKind::Knowledge,
        MemoryKind::Profile,
        MemoryKind::Summary,
        MemoryKind::Preference,
    ]);
    let scope = prop::sample::select(scopes());
    let links = (prop::option::of(0..8_usize), any::<bool>());
    (scope, kinds, any::<bool>(), links, any::<bool>()).prop_map(
        |(scope, kind, on_subject, (replaces, contradicts), on_page)| Fact {
            scope,
            kind,
            on_subject,
            replaces,
            contradicts,
            on_page,
        },
    )
}

fn world() -> impl Strategy<Value = World> {
    let assistant = prop::sample::select(vec![None, Some("anna"), Some("bert")]);
    let assistants = prop::collection::vec(assistant, SESSIONS.len());
    let on_page = prop::collection::vec(any::<bool>(), SESSIONS.len());
    (prop::collection::vec(told(), 1..10), assistants, on_page).prop_map(|(told, assistants, on_page)| {
        World {
            told,
            assistants,
            on_page,
        }
    })
}

fn query() -> impl Strategy<Value = MemoryQuery> {
    let these = prop::sample::subsequence(scopes(), 0..=7).prop_map(MemoryScopes::These);
    let scopes = prop_oneof![6 => these, 1 => Just(MemoryScopes::Everything)];
    let text = prop::sample::select(vec![
        COMMON,
        "where is the quagga now?",
        "what did I ask here about the quagga before?",
        "w1 w2 w3",
        "这里 quagga 以前",
    ]);
    let kinds = prop::sample::select(vec![
        Vec::new(),
        vec![MemoryKind::Conversation],
        vec![MemoryKind::Knowledge, MemoryKind::Profile],
    ]);
    let except = prop::option::of(prop::sample::select(SESSIONS.to_vec()));
    (scopes, text, kinds, except, any::<bool>()).prop_map(|(scopes, text, kinds, except, on_page)| {
        MemoryQuery {
            text: text.to_owned(),
            kinds,
            scopes,
            page: on_page.then(|| PAGE.to_owned()),
            except: except.map(SessionId::from),
            now: Moment(9_000),
            limit: 100,
        }
    })
}

/// Writes a world; tells the scope of each record.
fn write(store: &Store, world: &World) -> BTreeMap<String, MemoryScope> {
    for ((name, assistant), on_page) in SESSIONS.iter().zip(&world.assistants).zip(&world.on_page) {
        let id = SessionId::from(*name);
        let said = |number, kind, text: String| Write::AppendSegment {
            session: id.clone(),
            segment: Box::new(segment(number, name, kind, &text)),
        };
        let mut batch = vec![
            Write::PutSession(session(name)),
            Write::PutRun(Box::new(run(name, name, None))),
            said(1, SegmentKind::User, format!("w1 {COMMON} asked in {name}")),
            said(2, SegmentKind::Express, format!("w2 {COMMON} answered in {name}")),
        ];
        if let Some(assistant) = assistant {
            let assistant = (*assistant).to_owned();
            batch.push(Write::AttributeSession {
                session: id.clone(),
                assistant,
            });
        }
        if *on_page {
            batch.push(Write::PutVisit(Visit {
                session: id.clone(),
                site: PAGE.to_owned(),
                title: "Prices".to_owned(),
                time: Moment(2_500),
            }));
        }
        store.commit(batch).unwrap();
    }
    let mut written = BTreeMap::new();
    for (number, told) in world.told.iter().enumerate() {
        let id = format!("m{number}");
        let mut record = MemoryRecord::new(
            MemoryId::from(id.as_str()),
            told.kind,
            format!("w{} {COMMON} of {}", number % 4, told.scope),
            Moment(3_000 + number as i64),
        );
        record.scope = told.scope.clone();
        record.subject = told.on_subject.then(|| "the quagga".to_owned());
        record.source.session = Some(SessionId::from(SESSIONS[number % SESSIONS.len()]));
        record.source.site = told.on_page.then(|| PAGE.to_owned());
        store.commit(put(record.clone())).unwrap();
        written.insert(id, told.scope.clone());
        let before = |at: usize| MemoryId::from(format!("m{at}"));
        if let Some(at) = told.replaces.filter(|at| *at < number) {
            let (old, mut new) = (before(at), record.clone());
            new.id = MemoryId::from(format!("n{number}"));
            written.insert(new.id.to_string(), told.scope.clone());
            let new = Box::new(new);
            store
                .commit(Write::Memory(MemoryWrite::Supersede { old, new }))
                .unwrap();
        }
        if told.contradicts && number > 0 {
            let (memory, other) = (record.id.clone(), before(number - 1));
            store
                .commit(Write::Memory(MemoryWrite::Contradict { memory, other }))
                .unwrap();
        }
    }
    written
}

fn is_shown(scope: &MemoryScope, to: &MemoryScopes) -> bool {
    match to {
        MemoryScopes::Everything => !matches!(scope, MemoryScope::Base(_)),
        MemoryScopes::These(scopes) => {
            let of_user = matches!(scope, MemoryScope::Site(_)) && scopes.contains(&MemoryScope::User);
            scopes.contains(scope) || of_user
        }
    }
}

fn is_heard(world: &World, session: &SessionId, query: &MemoryQuery) -> bool {
    let at = SESSIONS
        .iter()
        .position(|name| *name == session.as_str())
        .unwrap();
    let owner = match world.assistants[at] {
        None => MemoryScope::User,
        Some(name) => MemoryScope::Assistant(name.to_owned()),
    };
    let is_owned = match &query.scopes {
        MemoryScopes::Everything => true,
        MemoryScopes::These(scopes) => scopes.contains(&owner),
    };
    is_owned && query.except.as_ref() != Some(session)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_search_shows_what_is_in_its_scopes_and_nothing_else(world in world(), queries in prop::collection::vec(query(), 1..6)) {
        let store = Store::in_memory(patient()).unwrap();
        let written = write(&store, &world);
        for query in &queries {
            let hits: Vec<MemoryHit> = store.recall(query).unwrap();
            for hit in &hits {
                if hit.kind == MemoryKind::Conversation {
                    prop_assert!(is_heard(&world, hit.session.as_ref().unwrap(), query), "{hit:?} for {query:?}");
                } else {
                    prop_assert!(is_shown(&written[&hit.id], &query.scopes), "{hit:?} for {query:?}");
                    prop_assert_eq!(&hit.scope, &written[&hit.id]);
                }
                for Contrary { id, .. } in &hit.contradicted {
                    prop_assert!(is_shown(&written[id.as_str()], &query.scopes), "{hit:?} for {query:?}");
                }
            }
            let of_any_kind = query.kinds.is_empty() && query.text == COMMON;
            let found: BTreeSet<&str> = hits.iter().map(|hit| hit.id.as_str()).collect();
            for (id, scope) in written.iter().filter(|(_, scope)| of_any_kind && is_shown(scope, &query.scopes)) {
                let is_so = store.memory(&MemoryId::from(id.as_str())).unwrap().unwrap().valid_to.is_none();
                prop_assert!(!is_so || found.contains(id.as_str()), "{id} of {scope} for {query:?}");
            }
        }
        for scope in scopes() {
            for record in store.memories_about(&scope, "the quagga").unwrap() {
                prop_assert_eq!(&record.scope, &scope);
            }
        }
    }

    #[test]
    fn what_a_session_keeps_for_itself_no_other_session_reads(owner in 0..3_usize, reader in 0..3_usize) {
        let store = Store::in_memory(patient()).unwrap();
        for name in SESSIONS {
            store.commit(vec![Write::PutSession(session(name)), Write::PutRun(Box::new(run(name, name, None)))]).unwrap();
        }
        let (owner, reader) = (SessionId::from(SESSIONS[owner]), SessionId::from(SESSIONS[reader]));
        let result = ToolResult {
            session: owner.clone(),
            run: RunId::from(owner.as_str()),
            handle: "out-1".to_owned(),
            text: format!("line of {COMMON}"),
            tainted: false,
        };
        store.commit(Write::PutResult(result)).unwrap();
        prop_assert_eq!(store.result(&reader, "out-1").unwrap().is_some(), owner == reader);
        prop_assert_eq!(store.find(&reader, "out-1", COMMON, 3).unwrap().is_some(), owner == reader);
        // Nor does another store: that is what an incognito session has.
        let other = Store::in_memory(patient()).unwrap();
        prop_assert!(other.sessions(9).unwrap().is_empty());
        prop_assert!(other.result(&owner, "out-1").unwrap().is_none());
    }
}
