//! Files of other programs: each import ends in a workflow or in named reasons with lines, and each export imports again equal.

use super::{folder, told};
use crate::{Source, document, import};
use shidi_locales::Language;
use std::path::PathBuf;

pub fn files(name: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder(name)).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// The first line of each file says what must come of it.
#[test]
fn files_of_other_programs_become_workflows_or_name_their_lines_and_reasons() {
    let (mut read, mut imports) = (0, 0);
    for (name, source) in [("goose", Source::Goose), ("dify", Source::Dify)] {
        for path in files(name) {
            read += 1;
            let text = std::fs::read_to_string(&path).unwrap();
            let head: Vec<&str> = text.lines().next().unwrap().split_whitespace().collect();
            let file = path.file_name().unwrap().to_str().unwrap();
            match (head[1], import(&file.into(), text.as_bytes())) {
                ("imports", Ok(imported)) => {
                    imports += 1;
                    let workflow = &imported.workflow;
                    let counts = [
                        workflow.parameters.len(),
                        workflow.root().steps.len(),
                        imported.left_out.len(),
                    ];
                    let counts: Vec<String> = counts.iter().map(ToString::to_string).collect();
                    assert_eq!(
                        counts,
                        head[2..],
                        "{file}\n{}\n{}",
                        imported.text,
                        told(&imported.left_out)
                    );
                    assert_eq!(imported.source, source);
                    let again = import(&"again.yaml".into(), imported.text.as_bytes());
                    let again = again.unwrap_or_else(|faults| {
                        unreachable!("{file}: {}\n{}", told(&faults), imported.text)
                    });
                    assert_eq!(document(&again.workflow), document(workflow), "{file}");
                    assert_eq!(
                        (again.source, again.text),
                        (Source::Shidi, imported.text),
                        "{file}"
                    );
                }
                ("refused", Err(faults)) => {
                    for language in Language::ALL {
                        let error = faults[0].told(*language);
                        assert!(
                            error.message.starts_with(&format!("{file}:{}:", head[2])),
                            "{}",
                            told(&faults)
                        );
                        assert!(
                            error.message.contains(head[3]) && error.hint.is_some(),
                            "{error:?}"
                        );
                    }
                }
                (_, Ok(imported)) => unreachable!("{file}: {}", imported.text),
                (_, Err(faults)) => unreachable!("{file}: {}", told(&faults)),
            }
        }
    }
    assert!(read >= 20 && (10..read).contains(&imports), "{imports} of {read}");
}

#[test]
fn a_branch_of_another_program_is_a_condition_of_the_steps_behind_it() {
    let path = folder("dify/06-join.yml");
    let imported = import(&"join".into(), &std::fs::read(path).unwrap()).unwrap();
    let conditions: Vec<Option<&str>> = imported
        .workflow
        .root()
        .steps
        .iter()
        .map(|step| step.condition.as_ref().map(|condition| condition.text.as_str()))
        .collect();
    // What comes after both ways runs whichever was taken.
    assert_eq!(
        conditions.iter().filter(|condition| condition.is_none()).count(),
        2,
        "{conditions:?}"
    );
    assert!(conditions.contains(&Some("({n} >= 100)")), "{conditions:?}");
    assert!(conditions.contains(&Some("not (({n} >= 100))")), "{conditions:?}");
}

#[test]
fn a_file_of_nobody_is_refused() {
    let faults = import(&"x.yaml".into(), b"on: push\njobs: {}\n").unwrap_err();
    assert!(told(&faults).contains("x.yaml:1:1: "));
}

#[test]
fn every_generated_workflow_is_written_so_that_it_is_read_as_the_same() {
    for seed in 0..200 {
        let workflow = super::generated::workflow(seed);
        let text = crate::text(&workflow).unwrap();
        let again = crate::read(&"again.yaml".into(), text.as_bytes())
            .unwrap_or_else(|faults| unreachable!("{}\n{text}", told(&faults)));
        assert_eq!(document(&again), document(&workflow), "{text}");
    }
}
