//! What an assistant's file leaves of memory and knowledge bases: who sees what, who learns for whom, and which bases it is told of.

use serde_json::Value;
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer, prompt_of};
use std::fs;

fn says(text: &str) -> Answer {
    Answer::Text(text.to_owned())
}

fn program(code: &str) -> Answer {
    says(&format!("```python\n{code}\n```"))
}

fn done(printed: Printed) -> Printed {
    assert_eq!(printed.code, Some(0), "{}{}", printed.stdout, printed.stderr);
    printed
}

/// Keeps an assistant with these lines of its own.
fn kept(desk: &Desk, name: &str, lines: &str) {
    let path = desk.path("kept.yaml");
    let text = format!("version: '1'\nname: {name}\nprompt: You know animals.\n{lines}\n");
    fs::write(&path, text).unwrap();
    done(desk.run(["assistant", "--json", "import", path.to_str().unwrap(), "--yes"]));
}

/// Asks an assistant in a session of its own; all that models were sent for it.
fn sent(server: &ModelServer, desk: &Desk, assistant: &str, question: &str) -> Vec<String> {
    let before = server.requests().len();
    let words = [
        "--json",
        "ask",
        "--assistant",
        assistant,
        "--mode",
        "trust",
        question,
    ];
    done(desk.run(words));
    server.requests()[before..].iter().map(prompt_of).collect()
}

/// One assistant for each word that a file may have for its memory.
const MEMORIES: [(&str, &str); 4] = [
    ("hermit", "alone"),
    ("guide", "own"),
    ("host", "shared"),
    ("stranger", "none"),
];

fn with_memories(desk: &Desk) {
    for (name, memory) in MEMORIES {
        kept(desk, name, &format!("toolkits: [memory]\nmemory: {memory}"));
    }
}

/// Has it answered at once.
const PLAINLY: &str = "Just say it:";

/// Runs a program once, and answers then. The program has a sign that nothing else has.
fn looking_up(sign: &'static str, code: &'static str) -> ModelServer {
    assert!(code.contains(sign));
    ModelServer::thinking(move |request| {
        let prompt = prompt_of(request);
        match prompt.contains(sign) || prompt.contains(PLAINLY) {
            true => says("Done."),
            false => program(code),
        }
    })
}

#[test]
fn an_assistant_sees_its_own_memories_and_the_users_as_far_as_its_file_says() {
    let server = looking_up(
        "quagga colour",
        "print([hit['text'] for hit in await memory.search(text='quagga colour', limit=20)])",
    );
    let desk = Desk::with_model(&server.url());
    with_memories(&desk);
    let colours = [
        ("hermit", "grey"),
        ("guide", "brown"),
        ("host", "striped"),
        ("stranger", "white"),
    ];
    done(desk.run(["memory", "add", "--scope", "user", "the quagga lives in Munich"]));
    for (name, colour) in colours {
        let text = format!("the quagga has the colour {colour}");
        let scope = format!("assistant:{name}");
        done(desk.run(["memory", "add", "--scope", &scope, &text]));
    }
    let question = "where does the quagga live, and which colour has the quagga?";
    for (name, memory) in MEMORIES {
        // Who has no memory has no tool for it either.
        let has_tool = memory != "none";
        let asked = match has_tool {
            true => question.to_owned(),
            false => format!("{PLAINLY} {question}"),
        };
        let sent = sent(&server, &desk, name, &asked).concat();
        assert_eq!(sent.contains("class memory"), has_tool, "{name}: {sent}");
        let sees_user = ["own", "shared"].contains(&memory);
        assert_eq!(sent.contains("Munich"), sees_user, "{name}: {sent}");
        for (whose, colour) in colours {
            let is_its = whose == name && has_tool;
            assert_eq!(sent.contains(colour), is_its, "{name}, {colour}: {sent}");
        }
    }
}

#[test]
fn what_an_assistant_learns_is_everybodys_its_own_or_nobodys_as_its_file_says() {
    let keeping = |text: &str| program(&format!("print(await memory.remember(text='{text}'))"));
    let looking =
        || program("print([hit['text'] for hit in await memory.search(text='okapi tapir lynx', limit=20)])");
    let server = ModelServer::start([
        keeping("the okapi lives in Berlin"),
        says("Kept."),
        keeping("the tapir lives in Paris"),
        says("Kept."),
        keeping("the lynx lives in Rome"),
        says("Kept."),
        says("Twelve receipts, 3,480 in all."),
    ]);
    let desk = Desk::with_model(&server.url());
    with_memories(&desk);
    for name in ["host", "guide", "hermit"] {
        sent(&server, &desk, name, "keep it");
    }
    let stated = "My manager is Ann Lee. Sum up the travel receipts of March for her";
    sent(&server, &desk, "stranger", stated);

    let records = done(desk.run(["memory", "list", "--json", "--limit", "200"])).json();
    let scope = |town: &str| {
        let of_town = |record: &&Value| record["text"].as_str().unwrap().ends_with(town);
        let found: Vec<&str> = records
            .iter()
            .filter(of_town)
            .map(|record| record["scope"].as_str().unwrap())
            .collect();
        found.join(", ")
    };
    assert_eq!(scope("in Berlin"), "user");
    assert_eq!(scope("in Paris"), "assistant:guide");
    assert_eq!(scope("in Rome"), "assistant:hermit");
    let all = records.iter().map(ToString::to_string).collect::<String>();
    assert!(
        !all.contains("Ann Lee"),
        "who remembers nothing leaves nothing: {all}"
    );

    for (name, seen) in [
        ("shidi", &["Berlin"][..]),
        ("guide", &["Berlin", "Paris"][..]),
        ("hermit", &["Rome"][..]),
    ] {
        server.add([looking(), says("Done.")]);
        let sent = sent(&server, &desk, name, "which animals have we spoken of?").concat();
        for town in ["Berlin", "Paris", "Rome"] {
            assert_eq!(
                sent.contains(town),
                seen.contains(&town),
                "{name}, {town}: {sent}"
            );
        }
    }
}

#[test]
fn an_assistant_is_told_of_the_base_that_it_names_and_of_no_other_by_itself_or_by_a_program() {
    let server = looking_up(
        "base='annex'",
        "found = await knowledge.query(query='hotel room cost a night')\n\
         print([piece['text'] for piece in found])\n\
         try:\n    print([piece['text'] for piece in await knowledge.query(query='hotel room cost', base='annex')])\n\
         except Exception as error:\n    print('refused:', error)",
    );
    let desk = Desk::with_model(&server.url());
    for (base, yuan) in [("handbook", 450), ("annex", 650)] {
        let path = desk.path(&format!("{base}.md"));
        let text = format!("# Travel\n## Hotels\nA room may cost {yuan} yuan a night.\n");
        fs::write(&path, text).unwrap();
        done(desk.run(["knowledge", "create", base]));
        done(desk.run(["knowledge", "add", base, path.to_str().unwrap()]));
    }
    kept(&desk, "clerk", "knowledge: [handbook]\ntoolkits: [system]");
    let question = "How much may a hotel room cost a night?";
    let of_clerk = sent(&server, &desk, "clerk", question);
    let first = &of_clerk[0];
    assert!(
        first.contains("<passage") && first.contains("450 yuan"),
        "by itself: {first}"
    );
    assert!(!first.contains("annex"), "it does not know of it: {first}");
    let last = of_clerk.last().unwrap();
    assert!(
        last.contains("refused: ") && last.contains("There is no knowledge base"),
        "{last}"
    );
    assert!(!of_clerk.concat().contains("650 yuan"), "{last}");
    // Whoever names none has both.
    let of_usual = sent(&server, &desk, "shidi", question);
    for yuan in ["450 yuan", "650 yuan"] {
        assert!(of_usual[0].contains(yuan), "by itself: {}", of_usual[0]);
    }
    let last = of_usual.last().unwrap();
    assert!(!last.contains("There is no knowledge base"), "{last}");
}
