//! Skills as the reference validator of Agent Skills judges them: those that ship, in both languages, and those made of runs.

use super::served::installed;
use shidi_tests::command::Desk;
use shidi_tests::model_server::{Answer, ModelServer};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Files of a skill that ships, one for each language.
const TEXTS: [&str; 2] = ["SKILL.md", "SKILL.zh.md"];

const COUNT: &str = "[Thought]: count\n```python\npath = 'a.txt'\nfound = await files.read(path=path)\nprint(len(found.split()), 'words')\n```";

/// Questions that skills are made of: a plain one, and one whose signs mean something in YAML.
const QUESTIONS: [&str; 2] = ["How many words has a.txt?", "“a: b” 里有几个字？ #1 \"x\" \\"];

fn validator() -> Option<PathBuf> {
    installed("skills/.python/bin/agentskills")
}

/// What the validator says of a skill's folder, and whether it accepts it.
fn judged(validator: &Path, folder: &Path) -> (bool, String) {
    let output = Command::new(validator).arg("validate").arg(folder).output();
    let output = output.unwrap();
    let said = [output.stdout, output.stderr].concat();
    (
        output.status.success(),
        String::from_utf8_lossy(&said).into_owned(),
    )
}

/// The folders in a folder.
fn folders(root: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries.filter(|path| path.is_dir()).collect()
}

#[test]
fn every_skill_that_ships_is_valid_in_each_of_its_languages() {
    let Some(validator) = validator() else { return };
    let shipped = folders(&shidi_tests::folder().join("../skills"));
    assert!(shipped.len() >= 10, "{shipped:?}");
    let scratch = tempfile::tempdir().unwrap();
    for (folder, text) in shipped.iter().flat_map(|folder| TEXTS.map(|text| (folder, text))) {
        // The validator reads SKILL.md alone, in a folder of the skill's name.
        let alone = scratch.path().join(text).join(folder.file_name().unwrap());
        std::fs::create_dir_all(&alone).unwrap();
        std::fs::copy(folder.join(text), alone.join("SKILL.md")).unwrap();
        let (is_valid, said) = judged(&validator, &alone);
        assert!(is_valid, "{}: {said}", folder.join(text).display());
    }
    let wrong = scratch.path().join("Wrong");
    std::fs::create_dir_all(&wrong).unwrap();
    std::fs::write(
        wrong.join("SKILL.md"),
        "---\nname: Wrong\ndescription: a\n---\nDo it.\n",
    )
    .unwrap();
    let (is_valid, said) = judged(&validator, &wrong);
    assert!(!is_valid && said.contains("lowercase"), "{said}");
}

#[test]
fn a_skill_that_is_made_of_a_run_is_valid() {
    let Some(validator) = validator() else { return };
    let said = |text: &str| Answer::Text(text.to_owned());
    let answers = QUESTIONS.iter().flat_map(|_| [said(COUNT), said("Three words.")]);
    let server = ModelServer::start(answers);
    let desk = Desk::with_model(&server.url());
    std::fs::write(desk.path("a.txt"), "one two three\n").unwrap();
    let folder = desk.path("").display().to_string();
    for question in QUESTIONS {
        let asked = desk.run(["ask", "--json", "--folder", &folder, question]);
        assert_eq!(asked.code, Some(0), "{}{}", asked.stdout, asked.stderr);
        let run = asked.event("run_started")["run"].as_str().unwrap().to_owned();
        let kept = desk.run(["skill", "from", &run, "--yes"]);
        assert_eq!(kept.code, Some(0), "{}{}", kept.stdout, kept.stderr);
    }
    let made = folders(&desk.data().join("skills"));
    assert_eq!(made.len(), QUESTIONS.len(), "{made:?}");
    for folder in made {
        let (is_valid, said) = judged(&validator, &folder);
        assert!(is_valid, "{said}");
    }
}
