//! Ordinary tasks of the same kind, done by a model that does what it should: how often the user is asked for each.

use crate::world::{NOTE, World};
use shidi_tests::command::Printed;
use shidi_tests::model_server::{Answer, ModelServer};

/// Most decisions that an ordinary task may cost its user.
const PROMPTS_MAX: usize = 1;

struct Task {
    name: &'static str,
    question: &'static str,
    arguments: &'static [&'static str],
    programs: &'static [&'static str],
    prompts: usize,
}

const TASKS: &[Task] = &[
    Task {
        name: "sum up an attached report",
        question: "What does it say?",
        arguments: &["--file", "HOME/report.txt"],
        programs: &[],
        prompts: 0,
    },
    Task {
        name: "概括附件",
        question: "这份报告说了什么？",
        arguments: &["--file", "HOME/report.txt"],
        programs: &["await user.say(text=(await files.read(path='HOME/report.txt'))[:20])"],
        prompts: 0,
    },
    Task {
        name: "answer about the page in front",
        question: "What is the price?",
        arguments: &["--context", "HOME/page.json"],
        programs: &[],
        prompts: 0,
    },
    Task {
        name: "search a folder",
        question: "Which file speaks of May?",
        arguments: &[],
        programs: &["for hit in await files.grep(pattern='May', path='.'):\n    print(hit['path'])"],
        prompts: 0,
    },
    Task {
        name: "数一数文件",
        question: "文件夹里有几个文件？",
        arguments: &[],
        programs: &["print(len(await files.list(path='.')))"],
        prompts: 0,
    },
    Task {
        name: "mend a spelling in a file",
        question: "Please mend the spelling in plan.md",
        arguments: &[],
        programs: &[
            "print(await files.read(path='plan.md'))",
            "await files.edit(path='plan.md', old='May', new='may')",
        ],
        prompts: 0,
    },
    Task {
        name: "写一份小结",
        question: "把结果写进 小结.md",
        arguments: &[],
        programs: &["await files.write(path='小结.md', text='# 小结\\n')"],
        prompts: 0,
    },
    Task {
        name: "keep what the user says",
        question: "Remember that my flight is on Monday",
        arguments: &[],
        programs: &["await memory.remember(text='The flight is on Monday.')"],
        prompts: 0,
    },
    Task {
        name: "recall it",
        question: "Where is the spare key?",
        arguments: &[],
        programs: &["print(await memory.search(text='spare key'))"],
        prompts: 0,
    },
    Task {
        name: "keep the dates of an attached file",
        question: "Remember the dates in it",
        arguments: &["--file", "HOME/report.txt"],
        programs: &["await memory.remember(text='The report was sent on 1 May and is due on 5 May.')"],
        prompts: 1,
    },
    Task {
        name: "read a file outside the folder",
        question: "What is in ~/.bashrc?",
        arguments: &[],
        programs: &["print(await files.read(path='~/.bashrc'))"],
        prompts: 1,
    },
    Task {
        name: "compare two files outside the folder",
        question: "Compare ~/report.txt with ~/budget.txt",
        arguments: &[],
        programs: &[
            "import asyncio\nprint(await asyncio.gather(files.read(path='HOME/report.txt'), files.read(path='HOME/budget.txt')))",
        ],
        prompts: 1,
    },
    Task {
        name: "work in several steps",
        question: "Add the numbers of the report",
        arguments: &[],
        programs: &[
            "await todo.write(items=[{'text': 'read', 'state': 'in_progress'}])",
            "rows = [4, 5]",
            "print(sum(rows))",
        ],
        prompts: 0,
    },
];

#[test]
fn ordinary_tasks_ask_their_user_at_most_once() {
    let mut report = String::new();
    for task in TASKS {
        let prompts = prompts(task);
        report.push_str(&format!("  {prompts} × asked: {}\n", task.name));
        assert!(prompts <= PROMPTS_MAX, "{report}");
        assert_eq!(prompts, task.prompts, "{report}");
    }
    println!("{report}");
}

/// Decisions that the user makes until the task is done; each is an approval of the whole kind.
fn prompts(task: &Task) -> usize {
    let world = World::new();
    let home = world.home().display().to_string();
    let home = home.trim_end_matches('/');
    std::fs::write(world.home().join("report.txt"), "Sent 1 May, due 5 May.\n").unwrap();
    std::fs::write(world.home().join("budget.txt"), "Due 6 May.\n").unwrap();
    std::fs::write(world.work().join("plan.md"), "In May we go.\n").unwrap();
    let page = "{\"title\": \"Shop\", \"text\": \"Price: 4\"}";
    std::fs::write(world.home().join("page.json"), page).unwrap();
    let program = |text: &&str| {
        Answer::Text(format!(
            "[Thought]: I do it.\n```python\n{}\n```",
            text.replace("HOME", home)
        ))
    };
    let done = || Answer::Text("Done.".to_owned());
    let server = ModelServer::start(task.programs.iter().map(program).chain([done(), done()]));
    let (url, work) = (server.url(), world.work().display().to_string());
    let mut all: Vec<String> = ["ask", "--json", "--model-url", &url, "--folder", &work]
        .map(str::to_owned)
        .to_vec();
    all.extend(
        task.arguments
            .iter()
            .map(|argument| argument.replace("HOME", home)),
    );
    all.push(task.question.to_owned());
    let mut printed = world.desk.run(&all);
    let mut prompts = 0;
    while printed.code == Some(3) && prompts <= PROMPTS_MAX {
        prompts += 1;
        printed = approved(&world, &printed);
    }
    assert_eq!(
        printed.code,
        Some(0),
        "{}: {}\n{}",
        task.name,
        printed.stdout,
        printed.stderr
    );
    assert!(world.seen().has_note(NOTE));
    prompts
}

fn approved(world: &World, printed: &Printed) -> Printed {
    let card = printed.event("approval_needed");
    let run = card["run"].as_str().unwrap();
    world
        .desk
        .run(["approve", "--json", run, &card["call"].to_string(), "--always"])
}
