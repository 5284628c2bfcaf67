//! Counts of parts of prompts: by assistant and kind of task, halved when there are many, and gone with what they name.

use crate::fixture::Folder;
use shidi_protocol::{MeasuredPart, MeasuredPrompt, PromptPartCounts, PromptPartKind, TaskKind};
use shidi_store::{ForgottenParts, Store, Write};

fn prompt(kind: TaskKind, done: bool, short: bool, used: bool) -> MeasuredPrompt {
    MeasuredPrompt {
        assistant: "shidi".to_owned(),
        kind,
        done,
        tokens: 3_000,
        parts: vec![MeasuredPart {
            what: PromptPartKind::Toolkit,
            part: "files".to_owned(),
            tokens: 900,
            line_tokens: 20,
            is_short: short,
            is_used: used,
        }],
    }
}

fn measure(store: &Store, prompts: impl IntoIterator<Item = MeasuredPrompt>) {
    let writes = prompts
        .into_iter()
        .map(|prompt| Write::MeasurePrompt(Box::new(prompt)));
    store.commit(writes.collect::<Vec<_>>()).unwrap();
}

fn counts(store: &Store, kind: TaskKind) -> Option<PromptPartCounts> {
    let parts = store.prompt_parts(Some("shidi")).unwrap();
    parts.into_iter().find(|part| part.kind == kind)
}

#[test]
fn whole_and_shortened_parts_are_counted_apart_by_kind_of_task() {
    let folder = Folder::new();
    let store = folder.open();
    let tasks = [
        prompt(TaskKind::Folder, true, false, true),
        prompt(TaskKind::Folder, false, false, false),
        prompt(TaskKind::Folder, true, true, true),
        prompt(TaskKind::Plain, true, false, false),
    ];
    measure(&store, tasks);
    let one = counts(&store, TaskKind::Folder).unwrap();
    assert_eq!((one.whole, one.used, one.done), (2, 1, 1));
    assert_eq!((one.short, one.asked, one.short_done), (1, 1, 1));
    assert_eq!((one.tasks, one.tasks_done, one.prompt_tokens), (3, 2, 3_000));
    assert_eq!((one.tokens, one.saved()), (900, 880));
    assert_eq!(counts(&store, TaskKind::Plain).unwrap().whole, 1);
    assert!(counts(&store, TaskKind::Page).is_none());
    assert!(store.prompt_parts(Some("another")).unwrap().is_empty());
    assert_eq!(store.prompt_parts(None).unwrap().len(), 2);
}

#[test]
fn counts_of_a_kind_are_halved_together_and_what_is_gone_for_long_goes() {
    let folder = Folder::new();
    let store = folder.open();
    measure(&store, [prompt(TaskKind::Plain, true, true, true)]);
    measure(
        &store,
        (1..399).map(|at| prompt(TaskKind::Plain, at % 2 == 0, false, false)),
    );
    let before = counts(&store, TaskKind::Plain).unwrap();
    assert_eq!((before.tasks, before.whole, before.asked), (399, 398, 1));
    let without = MeasuredPrompt {
        parts: Vec::new(),
        ..prompt(TaskKind::Plain, true, false, false)
    };
    measure(&store, [without.clone()]);
    let after = counts(&store, TaskKind::Plain).unwrap();
    assert_eq!((after.tasks, after.whole, after.done), (200, 199, 99));
    assert_eq!((after.short, after.asked), (0, 0), "one call for it is forgotten");
    measure(&store, vec![without; 3_000]);
    assert!(counts(&store, TaskKind::Plain).is_none());
}

#[test]
fn examples_of_small_prompts_are_counted_and_halved_beside_the_others() {
    let folder = Folder::new();
    let store = folder.open();
    let small = |is_short: bool| {
        let mut small = prompt(TaskKind::Plain, true, is_short, false);
        small.parts[0].what = PromptPartKind::Example;
        "examples.talk".clone_into(&mut small.parts[0].part);
        small
    };
    measure(&store, [prompt(TaskKind::Plain, true, false, false)]);
    measure(&store, (0..399).map(|at| small(at % 5 == 0)));
    let of = |part: &str| {
        let parts = store.prompt_parts(Some("shidi")).unwrap();
        parts.into_iter().find(|one| one.part == part).unwrap()
    };
    let talk = of("examples.talk");
    assert_eq!((talk.whole, talk.short, talk.short_done), (319, 80, 80));
    assert_eq!(
        (talk.tasks, talk.tasks_done),
        (1, 1),
        "its tasks are not compared"
    );
    measure(&store, [small(false)]);
    let talk = of("examples.talk");
    assert_eq!((talk.whole, talk.short), (160, 40));
    let files = of("files");
    assert_eq!((files.whole, files.tasks), (1, 1));
    let order: Vec<_> = store.prompt_parts(None).unwrap();
    assert_eq!(order[1].part, "examples.talk", "the examples come last");
}

#[test]
fn a_part_keeps_the_tokens_of_the_prompt_that_it_was_in() {
    let folder = Folder::new();
    let store = folder.open();
    let without = MeasuredPrompt {
        tokens: 600,
        parts: Vec::new(),
        ..prompt(TaskKind::Plain, true, false, false)
    };
    measure(&store, [prompt(TaskKind::Plain, true, false, false), without]);
    let files = counts(&store, TaskKind::Plain).unwrap();
    assert_eq!((files.tokens, files.prompt_tokens, files.tasks), (900, 3_000, 2));
}

#[test]
fn counts_go_with_the_assistant_or_the_toolkit_that_they_name() {
    let folder = Folder::new();
    let store = folder.open();
    let of = |assistant: &str, part: &str, what: PromptPartKind| {
        let mut measured = prompt(TaskKind::Plain, true, false, false);
        assistant.clone_into(&mut measured.assistant);
        part.clone_into(&mut measured.parts[0].part);
        measured.parts[0].what = what;
        measured
    };
    let forget = |parts| store.commit(Write::ForgetParts(parts)).unwrap();
    let left = || {
        let parts = store.prompt_parts(None).unwrap().into_iter();
        parts
            .map(|part| format!("{}/{}", part.assistant, part.part))
            .collect::<Vec<_>>()
    };
    measure(
        &store,
        [
            of("cook", "files", PromptPartKind::Toolkit),
            of("shidi", "memory", PromptPartKind::Module),
            of("shidi", "memory", PromptPartKind::Toolkit),
        ],
    );
    assert_eq!(left(), ["cook/files", "shidi/memory", "shidi/memory"]);
    forget(ForgottenParts::Toolkit("memory".to_owned()));
    assert_eq!(
        left(),
        ["cook/files", "shidi/memory"],
        "the module of that name stays"
    );
    forget(ForgottenParts::Assistant("cook".to_owned()));
    assert_eq!(left(), ["shidi/memory"]);
    measure(&store, [of("cook", "files", PromptPartKind::Toolkit)]);
    let cook = store.prompt_parts(Some("cook")).unwrap();
    assert_eq!(cook[0].tasks, 1, "its tasks were forgotten, too");
}
