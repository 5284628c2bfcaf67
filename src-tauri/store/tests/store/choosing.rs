//! Uses of forms: where each was, and those of earlier versions, which do not say so.

use crate::fixture::Folder;
use rusqlite::Connection;
use serde_json::json;
use shidi_protocol::{ChosenValue, FieldKind, FormPlace, FormUse, Moment};
use shidi_store::{FormWrite, Write};

const SITE: &str = "https://tracker.example";

fn place() -> FormPlace {
    FormPlace {
        browser: "Chromium".to_owned(),
        tab: 7,
        path: "/issues".to_owned(),
    }
}

fn used(document: &str) -> Write {
    let used = FormUse {
        site: SITE.to_owned(),
        form: "Filter".to_owned(),
        document: document.to_owned(),
        values: vec![ChosenValue {
            name: "Only mine".to_owned(),
            kind: FieldKind::Switch,
            value: json!(true),
            options: Vec::new(),
        }],
        button: "Apply".to_owned(),
        place: place(),
    };
    Write::Form(FormWrite::Use {
        used: Box::new(used),
        time: Moment(1),
    })
}

#[test]
fn a_use_of_a_form_says_where_it_was_and_one_of_an_earlier_version_is_read_without() {
    let folder = Folder::new();
    folder.open().commit(used("d1")).unwrap();
    let database = Connection::open(folder.path()).unwrap();
    database
        .execute_batch("UPDATE form_use SET chosen = json_remove(chosen, '$[2]')")
        .unwrap();
    drop(database);
    let store = folder.open();
    store.commit(used("d2")).unwrap();
    let uses = store.form_uses(Some(SITE)).unwrap();
    let places: Vec<Option<FormPlace>> = uses.iter().map(|one| one.place.clone()).collect();
    assert_eq!(places, [Some(place()), None]);
    assert!(
        uses.iter()
            .all(|one| one.values.len() == 1 && one.button == "Apply")
    );
}
