//! What is read, and what is refused with its line.

use super::{folder, of_steps, told, workflow};
use crate::problem::Problem;
use crate::{Action, Call, SAMPLES, ValueType, document, read, text};
use shidi_locales::Language;

const HEAD: &str = "version: '1.0'\nname: n\n";

#[test]
fn what_comes_with_the_program_is_read_and_written_as_the_same() {
    for (name, sample) in SAMPLES {
        let read_once = workflow(sample).unwrap_or_else(|faults| unreachable!("{name}: {}", told(&faults)));
        let written = text(&read_once).unwrap();
        let again = workflow(&written).unwrap_or_else(|faults| unreachable!("{}\n{written}", told(&faults)));
        assert_eq!(document(&read_once), document(&again), "{written}");
    }
}

#[test]
fn the_articles_forms_load() {
    let file = std::fs::read(folder("article/menu.yaml")).unwrap();
    let menu = read(&"menu.yaml".into(), &file).unwrap_or_else(|faults| unreachable!("{}", told(&faults)));
    assert_eq!(menu.parameters[0].name, "user_preference");
    assert_eq!(menu.parameters[0].example, Some("来点下饭的".into()));
    let kinds: Vec<&str> = menu.root().steps.iter().map(|step| step.action.kind()).collect();
    assert_eq!(kinds, ["input", "plugin", "custom", "output"]);
    assert!(
        matches!(&menu.root().steps[2].action, Action::Call(Call::Custom { function }) if function == "filter_spicy_dishes")
    );
    assert_eq!(menu.root().steps[2].outputs[0].kind, ValueType::List);
}

#[test]
fn the_articles_keys_that_stand_twice_are_refused_by_line_and_mended_by_the_remedy() {
    let file = std::fs::read_to_string(folder("article/marketing.yaml")).unwrap();
    let faults = read(&"marketing.yaml".into(), file.as_bytes()).unwrap_err();
    let error = faults[0].told(Language::SOURCE);
    assert!(error.message.starts_with("marketing.yaml:16:7: "), "{error:?}");
    assert!(error.message.contains("'name'"), "{error:?}");
    assert!(
        error
            .hint
            .unwrap()
            .contains("[{name: a, type: str}, {name: b, type: str}]")
    );
    let twice =
        "      name: 'user_tag'\n      type: 'str'\n      name: 'marketing_need'\n      type: 'str'\n";
    let list = "      [{name: 'user_tag', type: 'str'}, {name: 'marketing_need', type: 'str'}]\n";
    let mended = file.replace(twice, list);
    assert_ne!(mended, file);
    let mended = read(&"marketing.yaml".into(), mended.as_bytes())
        .unwrap_or_else(|faults| unreachable!("{}", told(&faults)));
    let names: Vec<&str> = mended
        .parameters
        .iter()
        .map(|parameter| parameter.name.as_str())
        .collect();
    assert_eq!(names, ["user_tag", "marketing_need"]);
}

#[test]
fn everything_that_a_step_may_have_is_read() {
    let workflow = of_steps(
        "  - {id: a, type: tool, tool: files.list, inputs: {path: notes}, output: {name: names, type: list}, retry: {times: 2, wait: 5s, factor: 3}, timeout: 1m}\n\
         \x20 - id: each\n    type: loop\n    each: '{names}'\n    as: name\n    steps:\n\
         \x20     - {id: look, type: llm, model: fast, inputs: {file: '{name}'}, prompt: 'Sum {file} up', output: {name: sum, type: str}, on_error: continue}\n\
         \x20   outputs: {name: sums, type: list, value: '{names}'}\n\
         \x20 - {id: pause, type: wait, for: 500ms, needs: [a]}\n\
         \x20 - {id: sure, type: approval, message: 'Write {sums}?', output: {name: agreed, type: bool}}\n\
         \x20 - id: write\n    type: tool\n    tool: files.write\n    if: '{agreed}'\n    inputs: {path: sums.md, text: '{sums}'}\n    on_error:\n\
         \x20     - {id: say, type: output, inputs: {failed: '{error.message}'}}\n\
         \x20 - {id: end, type: output, inputs: {sums: '{sums}'}}\n",
    );
    assert_eq!(
        workflow.root().before,
        vec![vec![], vec![0], vec![0], vec![1, 2], vec![1, 3], vec![1, 4]]
    );
    assert_eq!(workflow.root().steps[0].timeout_ms, Some(60_000));
    assert_eq!(workflow.root().steps[0].retry.unwrap().wait_ms, 5_000);
}

/// Steps that are wrong, with « where that is told, and a word of the sentence or its remedy.
const FAULTS: &[(&str, &str)] = &[
    ("  - «3\n", "keys"),
    ("  - «{type: output, inputs: {a: 1}}\n", "'id'"),
    ("  - «{id: a}\n", "'type'"),
    (
        "  - {id: a, type: «outputt, inputs: {a: 1}}\n",
        "Did you mean 'output'",
    ),
    ("  - {id: «'a b', type: output, inputs: {a: 1}}\n", "a b"),
    (
        "  - {id: a, type: output, input: «{a: 1}, inputs: {a: 1}}\n",
        "side by side",
    ),
    (
        "  - {id: a, type: output, inputs: {a: 1}, «tool: x}\n",
        "another place (tool)",
    ),
    (
        "  - {id: a, type: output, inputs: {a: 1}, «desciption: x}\n",
        "Did you mean 'description'",
    ),
    (
        "  - {id: a, type: output, inputs: {a: «'{nothing}'}}\n",
        "'nothing'",
    ),
    (
        "  - {id: a, type: output, inputs: {a: «'{{ x }}'}}\n",
        "Write {x}",
    ),
    ("  - {id: a, type: output, inputs: {a: «'{x[0'}}\n", "no end"),
    ("  - {id: a, type: output, inputs: {«9: 1}}\n", "'9'"),
    ("  - «{id: a, type: output}\n", "'inputs'"),
    ("  - «{id: a, type: llm, prompt: hi}\n", "output"),
    ("  - {id: a, type: llm, prompt: «3, output: {name: x}}\n", "text"),
    (
        "  - {id: a, type: llm, prompt: hi, model: «gpt, output: {name: x}}\n",
        "general",
    ),
    ("  - «{id: a, type: input}\n", "output"),
    (
        "  - {id: a, type: input, output: {name: «error}}\n",
        "by the program",
    ),
    (
        "  - {id: a, type: input, output: {name: x, type: number, default: «many}}\n",
        "not of type float",
    ),
    (
        "  - {id: a, type: input, output: {name: x, type: «strr}}\n",
        "Did you mean 'str'",
    ),
    (
        "  - {id: a, type: input, output: {name: x}, «retry: 2}\n",
        "plugin, custom",
    ),
    (
        "  - {id: a, type: tool, tool: x.y, output: {name: x}}\n  - «{id: a, type: output, inputs: {x: '{x}'}}\n",
        "line 4",
    ),
    (
        "  - {id: a, type: tool, tool: x.y, output: {name: x}}\n  - {id: b, type: tool, tool: x.y, output: «{name: x}}\n",
        "line 4",
    ),
    (
        "  - {id: a, type: tool, tool: x.y, inputs: {x: «'{later}'}}\n  - {id: b, type: tool, tool: x.y, output: {name: later}}\n",
        "Move the step 'b' up",
    ),
    (
        "  - «{id: a, type: tool, tool: x.y, needs: b}\n  - {id: b, type: tool, tool: x.y, needs: a}\n",
        "b → a",
    ),
    ("  - {id: a, type: tool, tool: x.y, needs: [«c]}\n", "'c'"),
    ("  - {id: a, type: tool, tool: x.y, retry: «99}\n", "0 to 20"),
    (
        "  - {id: a, type: tool, tool: x.y, retry: «{wait: 1s}}\n",
        "'times'",
    ),
    ("  - {id: a, type: tool, tool: x.y, timeout: «soon}\n", "30s"),
    ("  - {id: a, type: tool, tool: x.y, timeout: «900d}\n", "30s"),
    (
        "  - {id: a, type: tool, tool: x.y, on_error: «retry}\n",
        "stop, continue",
    ),
    (
        "  - {id: a, type: tool, tool: x.y, output: {name: n, type: int}}\n  - {id: b, type: output, inputs: {x: «'{n.y}'}}\n",
        "no parts",
    ),
    (
        "  - {id: a, type: tool, tool: x.y, output: {name: n, type: dict}}\n  - «{id: b, type: loop, each: '{n}', steps: [{id: c, type: tool, tool: x.y}]}\n",
        "list",
    ),
    ("  - {id: a, type: tool, tool: x.y, if: «'n > 1'}\n", "{n}"),
    ("  - {id: a, type: tool, tool: x.y, if: «'1 +'}\n", "condition"),
    ("  - «{id: a, type: tool, tool: x.y, if: false}\n", "'a'"),
    (
        "  - «{id: a, type: branch, then: [{id: b, type: tool, tool: x.y}]}\n",
        "'if'",
    ),
    (
        "  - {id: a, type: branch, if: true, then: [{id: b, type: tool, tool: x.y}], else: [«{id: c, type: tool, tool: x.y}]}\n",
        "'c'",
    ),
    (
        "  - «{id: a, type: loop, steps: [{id: b, type: tool, tool: x.y}]}\n",
        "each",
    ),
    (
        "  - {id: a, type: loop, times: 0, steps: [«{id: b, type: tool, tool: x.y}]}\n",
        "'b'",
    ),
    (
        "  - {id: a, type: loop, times: «10001, steps: [{id: b, type: tool, tool: x.y}]}\n",
        "10000",
    ),
    (
        "  - {id: a, type: loop, times: 2, output: «{name: x}, steps: [{id: b, type: tool, tool: x.y}]}\n",
        "'value'",
    ),
    ("  - {id: a, type: loop, times: 2, steps: «[]}\n", "'steps'"),
    ("  - {id: a, type: parallel, branches: «[]}\n", "'branches'"),
    ("  - «{id: a, type: wait}\n", "'for'"),
    ("  - «{id: a, type: wait, until: tomorrow}\n", "zone"),
    (
        "  - {id: a, type: approval, message: ok?, output: «{name: x, type: list}}\n",
        "bool",
    ),
    (
        "  - {id: a, type: tool, tool: x.y, if: '{dialogue} == \"\"', output: {name: x}}\n  - {id: b, type: output, inputs: {x: «'{x}'}}\n",
        "default",
    ),
    (
        "  - {id: a, type: parallel, branches: [[{id: b, type: tool, tool: x.y, output: {name: x}}], [{id: c, type: tool, tool: x.y, output: «{name: x}}]]}\n",
        "line 4",
    ),
];

#[test]
fn what_is_wrong_in_a_step_is_told_with_its_place_and_a_remedy() {
    for (steps, word) in FAULTS {
        let marked = format!("{HEAD}steps:\n{steps}");
        let before = marked.split('«').next().unwrap();
        let column = before.lines().next_back().unwrap().chars().count() + 1;
        let place = format!("{}:{column}", before.lines().count());
        let text = marked.replace('«', "");
        let faults = workflow(&text).expect_err(&text);
        let error = faults[0].told(Language::SOURCE);
        assert!(
            error.message.starts_with(&format!("w.yaml:{place}: ")),
            "{}\n{steps}",
            told(&faults)
        );
        let whole = format!("{} {}", error.message, error.hint.unwrap());
        assert!(whole.contains(word), "{whole}\n{steps}");
        for language in Language::ALL {
            let error = faults[0].told(*language);
            assert!(!error.message.ends_with(['.', '。']) && !error.hint.unwrap().is_empty());
        }
    }
}

#[test]
fn what_is_wrong_at_the_head_is_told_with_its_place() {
    let steps = "steps: [{id: a, type: output, inputs: {a: 1}}]\n";
    let cases = [
        (String::new(), "1:1", "version"),
        ("[1]".to_owned(), "1:1", "keys"),
        (format!("name: n\n{steps}"), "1:1", "'version'"),
        (format!("version: 2\nname: n\n{steps}"), "1:10", "1.0"),
        (format!("version: '1.0'\n{steps}"), "1:1", "'name'"),
        (HEAD.to_owned(), "1:1", "'steps'"),
        (format!("{HEAD}{steps}on: push\n"), "4:1", "'on'"),
        (format!("{HEAD}{steps}tool: x\n"), "4:1", "(steps)"),
        (
            format!("{HEAD}permissions: [files]\n{steps}"),
            "3:15",
            "files.read",
        ),
        (
            format!("{HEAD}inputs: [{{name: a}}]\nparameters: []\n{steps}"),
            "4:13",
            "side by side",
        ),
        (
            format!("{HEAD}inputs: [{{name: a}}, {{name: a}}]\n{steps}"),
            "3:21",
            "line 3",
        ),
        (
            format!("{HEAD}inputs: [{{name: a, type: int, example: x}}]\n{steps}"),
            "3:40",
            "int",
        ),
    ];
    for (text, place, word) in cases {
        let faults = workflow(&text).expect_err(&text);
        let whole = told(&faults);
        assert!(
            whole.contains(&format!("w.yaml:{place}: ")) && whole.contains(word),
            "{whole}\n{text}"
        );
    }
    let bytes = read(&"w.yaml".into(), b"version: '1.0'\nname: \xff\n").unwrap_err();
    assert_eq!((bytes[0].place.line, &bytes[0].problem), (2, &Problem::NotText));
    let no_yaml = workflow("a:\n  - [1, 2\nb: 3\n").unwrap_err();
    assert!(no_yaml[0].place.line == 3 && matches!(no_yaml[0].problem, Problem::NotYaml(_)));
    let large = read(&"w.yaml".into(), &vec![b' '; (1 << 20) + 1]).unwrap_err();
    assert_eq!(large[0].problem, Problem::TooLarge);
}

#[test]
fn whoever_mends_a_file_sees_all_its_faults_in_their_order() {
    let text = format!(
        "{HEAD}steps:\n  - {{id: a, type: tol}}\n  - {{id: b, type: wait}}\n  - {{id: c, type: llm, prompt: '{{{{x}}}}'}}\n"
    );
    let lines: Vec<u64> = workflow(&text)
        .unwrap_err()
        .iter()
        .map(|fault| fault.place.line)
        .collect();
    assert_eq!(lines, [4, 5, 6]);
}

#[test]
fn too_many_steps_and_too_deep_ones_are_refused() {
    let many: String = (0..501)
        .map(|n| format!("  - {{id: s{n}, type: tool, tool: x.y}}\n"))
        .collect();
    let faults = workflow(&format!("{HEAD}steps:\n{many}")).unwrap_err();
    assert!(matches!(faults[0].problem, Problem::TooMany { most: 500, .. }));
    let mut deep = "{id: end, type: tool, tool: x.y}".to_owned();
    for level in 0..9 {
        deep = format!("{{id: l{level}, type: loop, times: 1, steps: [{deep}]}}");
    }
    let faults = workflow(&format!("{HEAD}steps: [{deep}]\n")).unwrap_err();
    assert!(matches!(faults[0].problem, Problem::TooMany { most: 8, .. }));
}
