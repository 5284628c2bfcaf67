//! The words of the contract are understood, others are refused.

use super::*;
use std::collections::BTreeSet;

fn parsed(words: &[&str]) -> Result<Cli, Unstarted> {
    parse_from(
        std::iter::once("shidi")
            .chain(words.iter().copied())
            .map(OsString::from)
            .collect(),
    )
}

#[test]
fn the_command_line_is_sound() {
    Cli::command().debug_assert();
}

#[test]
fn every_command_and_option_is_explained_and_nothing_else_is() {
    fn names(command: &clap::Command, path: &str, found: &mut BTreeSet<String>) {
        let below = |name: &str| format!("{path} {name}").trim_start().to_owned();
        found.insert(path.to_owned());
        // `--help` and `--version` are clap's own.
        let own = |argument: &&clap::Arg| !["help", "version"].contains(&argument.get_id().as_str());
        found.extend(
            command
                .get_arguments()
                .filter(own)
                .map(|argument| below(&help::name_of(argument))),
        );
        for under in command.get_subcommands() {
            names(under, &below(under.get_name()), found);
        }
    }
    let mut found = BTreeSet::new();
    names(&Cli::command(), "", &mut found);
    for language in Language::ALL {
        let told = language.help().all().iter().map(|(name, _)| *name);
        let told: BTreeSet<String> = told
            .filter(|name| name.split(' ').next_back() != Some("examples"))
            .map(str::to_owned)
            .collect();
        let missing: Vec<&String> = found.difference(&told).collect();
        let strange: Vec<&String> = told.difference(&found).collect();
        assert!(
            missing.is_empty() && strange.is_empty(),
            "missing {missing:?}, strange {strange:?}"
        );
        help::localised(Cli::command(), *language).debug_assert();
    }
}

/// Words are parted by spaces; the first line is empty: no command at all.
const CONTRACT: &str = "
toggle
quit
ask what is it?
ask - --json --session last
ask x --file a --file b --context c.json --folder d --mode trust
ask x --approve files.read(path=*) --max-rounds 3 --max-tokens 9 --timeout 5
ask x --model m --model-url http://localhost --provider ollama --role-model fast=n --format fenced
resume
resume RUN
replay RUN --input a=1 --input b=x
session compact
session compact last
approve RUN 3 --always
refuse RUN 3 --reason no
deny RUN 3 --reason no
mcp remove NAME --yes
plugin show ./folder
answer RUN the second
cancel RUN
changes list --run RUN --limit 5
changes undo CHANGE
changes undo --run RUN --yes
exec
exec a.py --session S --check --limit-time 5 --limit-memory 64
exec - --allow files.read
inspect a.pdf https://example.com
session list
session show S --segments
session search words
session export S
session rename S moving house
session import s.jsonl
session delete S
config get model
config set model m
config set presence_penalty.general -0.5
config list
config path
key set openai
key list
key test openai
key delete openai
trace list
trace show RUN
assistant list
assistant show NAME
assistant new NAME
assistant new NAME --save
assistant edit NAME
assistant import FILE
assistant export NAME
assistant remove NAME --yes
workflow list
workflow show NAME
workflow from-run RUN --save NAME --yes
workflow from-run RUN --save NAME --input k=v --yes
workflow from RUN
skill from RUN --name NAME --yes
workflow validate FILE
workflow check -
workflow run NAME --set k=v --dry-run
workflow import FILE --replace
workflow export NAME
workflow schema
doctor --json
--json --data-dir /tmp/x --lang zh doctor";

#[test]
fn every_command_of_the_contract_is_understood() {
    for line in CONTRACT.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        assert!(parsed(&words).is_ok(), "{line}");
    }
}

#[test]
fn wrong_usage_ends_with_two() {
    let lines: &[&[&str]] = &[
        &["ask"],
        &["aks", "x"],
        &["ask", "x", "--nonsense"],
        &["ask", "x", "--mode", "yolo"],
        &["ask", "x", "--max-rounds", "0"],
        &["approve", "RUN", "first"],
        &["answer", "RUN"],
        &["changes", "undo"],
        &["changes", "undo", "CHANGE", "--run", "RUN"],
        &["--lang", "fr", "doctor"],
    ];
    for line in lines {
        assert_eq!(parsed(line).unwrap_err().exit.code(), 2, "{line:?}");
    }
}

#[test]
fn help_and_version_end_with_zero() {
    for line in [
        ["--help"].as_slice(),
        &["help", "ask"],
        &["--version"],
        &["session", "--help"],
    ] {
        assert_eq!(parsed(line).unwrap_err().exit, Exit::Done, "{line:?}");
    }
}

#[test]
fn usage_errors_are_a_sentence_and_a_hint() {
    let words = Words::of(Language::En);
    let report = "error: unexpected argument '--fil' found\n\n  tip: a similar argument exists: '--file'\n\nUsage: shidi ask\n\nFor more information, try '--help'.\n";
    assert_eq!(
        usage_error(report, words),
        "Unexpected argument '--fil' found\n\nUsage: shidi ask\nhint: a similar argument exists: '--file'\n"
    );
}

#[test]
fn what_is_wrong_with_the_arguments_is_said_in_chinese_with_the_same_exit() {
    for (line, wanted, hint) in [
        ("ask x --fil a", "没有 --fil 这个参数", "是不是想写：--file"),
        ("ask x --zzz", "没有 --zzz 这个参数", "在它前面写 --"),
        (
            "ask x --mode",
            "--mode <ask|risky|trust> 后面要写一个值",
            "shidi help",
        ),
        (
            "ask x --mode never",
            "--mode <ask|risky|trust> 不能是“never”",
            "shidi help",
        ),
        (
            "ask x --timeout soon",
            "--timeout <S> 不能是“soon”：要写一个数",
            "shidi help",
        ),
        (
            "ask x --max-rounds 1 --max-rounds 2",
            "--max-rounds <N> 只能写一次",
            "shidi help",
        ),
        ("approve", "还缺 <RUN>、<CALL>", "shidi help"),
        ("sesion list", "没有 sesion 这个命令", "session"),
        ("session lst", "没有 lst 这个命令", "list"),
    ] {
        let words: Vec<&str> = ["--lang", "zh"].into_iter().chain(line.split(' ')).collect();
        let told = parsed(&words).unwrap_err();
        assert_eq!(told.exit, Exit::Because(ErrorCode::Input), "{line}");
        let (sentence, last) = told.text.trim_end().rsplit_once("\n提示：").unwrap();
        assert!(sentence.starts_with(wanted), "{line}: {}", told.text);
        assert!(last.contains(hint), "{line}: {}", told.text);
        let english = ["hint", "error", "argument", "found", "Usage", "value '"];
        assert!(
            !english.iter().any(|word| told.text.contains(word)),
            "{line}: {}",
            told.text
        );
    }
}

#[test]
fn who_names_no_change_to_undo_is_told_that_a_run_can_be_named() {
    for language in ["en", "zh"] {
        let told = parsed(&["--lang", language, "changes", "undo"]).unwrap_err().text;
        assert!(
            told.contains("shidi changes undo <CHANGE> | --run <RUN>"),
            "{told}"
        );
    }
}

#[test]
fn the_language_is_known_before_the_arguments_are() {
    let language = |words: &[&str]| language_of(&words.iter().map(OsString::from).collect::<Vec<_>>());
    assert_eq!(language(&["shidi", "--lang", "zh", "nonsense"]), Language::Zh);
    assert_eq!(language(&["shidi", "--lang=en"]), Language::En);
    assert_eq!(
        language(&["shidi", "--lang", "zh", "--", "--lang", "en"]),
        Language::Zh
    );
}
