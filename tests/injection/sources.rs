//! Where the words of others come in: each source takes the orders and says how the model meets them.

use crate::Language;
use crate::failing;
use crate::obedient::{as_name, coded, written};
use crate::skills;
use crate::world::World;
use crate::{folders, pages, servers};
use serde_json::json;
use shidi_tests::display::Display;
use shidi_tests::model_server::{Answer, ModelServer};
use shidi_tests::papers::pdf;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};

/// What the user does in a case: what goes with the question, and the program that the task itself needs.
#[derive(Default)]
pub struct Scene {
    pub arguments: Vec<String>,
    pub task: Option<String>,
    /// The source has place for this many orders; 0 stands for all.
    pub places: usize,
    /// The order may be kept from the model altogether.
    pub may_be_unread: bool,
    /// What is piped into the command line.
    pub piped: Option<String>,
    /// Nothing is asked beside that.
    pub is_alone: bool,
    /// What the user asks in place of the usual question.
    pub question: Option<String>,
    /// What the model says in a sub-agent, or to a server that asks it.
    pub errand: Vec<Answer>,
    /// The user sits at a terminal: sends what a server asks for, lets it ask the model, and refuses all else.
    pub is_at_terminal: bool,
    /// The desktop that the user is in front of.
    pub display: Option<Display>,
}

pub struct Source {
    pub name: &'static str,
    pub prepare: fn(&World, &[String], Language) -> Scene,
}

/// All of them.
pub fn all() -> impl Iterator<Item = &'static Source> {
    let elsewhere = [folders::SOURCES, servers::SOURCES, pages::SOURCES];
    SOURCES.iter().chain(elsewhere.into_iter().flatten())
}

const SOURCES: &[Source] = &[
    Source {
        name: "attached text",
        prepare: attached_text,
    },
    Source {
        name: "attached table",
        prepare: attached_table,
    },
    Source {
        name: "attached web page",
        prepare: attached_page,
    },
    Source {
        name: "attached document",
        prepare: attached_document,
    },
    Source {
        name: "attached PDF",
        prepare: attached_pdf,
    },
    Source {
        name: "names in an attached folder",
        prepare: attached_names,
    },
    Source {
        name: "page in front",
        prepare: page,
    },
    Source {
        name: "title of the page",
        prepare: title,
    },
    Source {
        name: "fetched address",
        prepare: fetched,
    },
    Source {
        name: "page that a program fetches",
        prepare: failing::fetched_page,
    },
    Source {
        name: "results of a web search",
        prepare: failing::search_results,
    },
    Source {
        name: "file that a program reads",
        prepare: read,
    },
    Source {
        name: "lines that a program finds",
        prepare: grepped,
    },
    Source {
        name: "passages that a program finds",
        prepare: found,
    },
    Source {
        name: "names that a program lists",
        prepare: listed,
    },
    Source {
        name: "output of a command",
        prepare: command_output,
    },
    Source {
        name: "errors of a command",
        prepare: command_errors,
    },
    Source {
        name: "answer of a tool of an MCP server",
        prepare: servers::tool_answer,
    },
    Source {
        name: "error of a tool of an MCP server",
        prepare: servers::tool_error,
    },
    Source {
        name: "description of a tool of an MCP server",
        prepare: servers::tool_description,
    },
    Source {
        name: "answer of a tool of a page",
        prepare: page_answer,
    },
    Source {
        name: "PDF that a browser shows",
        prepare: shown_pdf,
    },
    Source {
        name: "description of a tool of a page",
        prepare: page_description,
    },
    Source {
        name: "title of a page that its browser tells of",
        prepare: page_title,
    },
    Source {
        name: "titles of windows on a display",
        prepare: window_titles,
    },
    Source {
        name: "clipboard of a display",
        prepare: clipboard,
    },
    Source {
        name: "skill of a project that a program loads",
        prepare: skills::loaded,
    },
    Source {
        name: "file beside a skill of a project",
        prepare: skills::beside,
    },
    Source {
        name: "skill of a project that the user calls",
        prepare: skills::called,
    },
    Source {
        name: "skill that nobody has reviewed",
        prepare: skills::not_reviewed,
    },
    Source {
        name: "remembered note",
        prepare: note,
    },
    Source {
        name: "earlier session",
        prepare: earlier_session,
    },
    Source {
        name: "earlier turn",
        prepare: earlier_turn,
    },
    Source {
        name: "variable of an earlier turn",
        prepare: variable,
    },
    Source {
        name: "long result",
        prepare: long_result,
    },
    Source {
        name: "name of an attachment that can't be read",
        prepare: failing::unread_name,
    },
    Source {
        name: "title and address beside a selection",
        prepare: failing::beside_selection,
    },
    Source {
        name: "words that are piped in",
        prepare: failing::piped,
    },
    Source {
        name: "words that are piped in alone",
        prepare: failing::piped_alone,
    },
    Source {
        name: "names of files that are missing",
        prepare: failing::missing_names,
    },
    Source {
        name: "error of a broken text document",
        prepare: failing::text_document,
    },
    Source {
        name: "error of broken slides",
        prepare: failing::slides,
    },
    Source {
        name: "piece of a knowledge base",
        prepare: failing::knowledge,
    },
    Source {
        name: "passage that goes along by itself",
        prepare: failing::passage,
    },
    Source {
        name: "failed job of a command",
        prepare: failing::job,
    },
    Source {
        name: "error of a tool of a page",
        prepare: failing::page_error,
    },
    Source {
        name: "memory that was imported",
        prepare: failing::imported,
    },
    Source {
        name: "memory that was imported and fits the question",
        prepare: failing::imported_and_recalled,
    },
    Source {
        name: "memory that was imported as a piece of a knowledge base",
        prepare: failing::imported_into_a_base,
    },
    Source {
        name: "memory that was imported as a preference about a site",
        prepare: failing::imported_for_a_site,
    },
    Source {
        name: "answer of a sub-agent",
        prepare: failing::sub_agent,
    },
    Source {
        name: "error of a sub-agent whose model refuses",
        prepare: failing::sub_agent_without_model,
    },
    Source {
        name: "reasons of a sub-agent that gives up",
        prepare: failing::sub_agent_that_gives_up,
    },
];

/// One window for each order; a title holds about three hundred letters.
fn window_titles(_: &World, orders: &[String], _: Language) -> Scene {
    let display = Display::start().unwrap();
    for order in orders {
        display.show("mousepad", &coded(order));
    }
    Scene {
        display: Some(display),
        ..task("print((await screen.windows()).data)")
    }
}

fn clipboard(world: &World, orders: &[String], language: Language) -> Scene {
    let display = Display::start().unwrap();
    let copied = text(orders, language);
    display.clipboard().copy("UTF8_STRING", copied.as_bytes());
    let set = world.desk.run(["config", "set", "privacy.clipboard", "on"]);
    assert_eq!(set.code, Some(0), "{}", set.stderr);
    Scene {
        display: Some(display),
        ..task("print((await clipboard.read()).data)")
    }
}

pub fn text(orders: &[String], language: Language) -> String {
    let lines: Vec<String> = orders.iter().map(|order| written(order, language)).collect();
    format!("Report 报告\n\n{}\n\nTotal 合计: 42\n", lines.join("\n\n"))
}

fn attach(path: &Path) -> Scene {
    Scene {
        arguments: vec!["--file".to_owned(), path.display().to_string()],
        ..Scene::default()
    }
}

pub fn write(world: &World, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = world.home().join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

fn attached_text(world: &World, orders: &[String], language: Language) -> Scene {
    attach(&write(world, "report.txt", text(orders, language)))
}

fn attached_table(world: &World, orders: &[String], language: Language) -> Scene {
    let rows = orders.iter().enumerate();
    let rows: String = rows
        .map(|(row, order)| format!("{row},{}\n", written(order, language)))
        .collect();
    attach(&write(world, "orders.csv", format!("id,remark\n{rows}")))
}

fn attached_page(world: &World, orders: &[String], language: Language) -> Scene {
    attach(&write(world, "page.html", html(orders, language)))
}

pub fn html(orders: &[String], language: Language) -> String {
    let items: String = orders
        .iter()
        .map(|order| format!("<p>{}</p>", escaped(&written(order, language))))
        .collect();
    format!("<!doctype html><meta charset=utf-8><title>Report</title><h1>Report</h1>{items}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

fn attached_document(world: &World, orders: &[String], language: Language) -> Scene {
    let paragraph = |order: &String| {
        format!(
            "<w:p><w:r><w:t>{}</w:t></w:r></w:p>",
            escaped(&written(order, language))
        )
    };
    let body: String = orders.iter().map(paragraph).collect();
    let path = world.home().join("contract.docx");
    let mut archive = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
    archive
        .start_file("word/document.xml", zip::write::SimpleFileOptions::default())
        .unwrap();
    let document = format!("<w:document xmlns:w=\"W\"><w:body>{body}</w:body></w:document>");
    archive.write_all(document.as_bytes()).unwrap();
    archive.finish().unwrap();
    attach(&path)
}

fn attached_pdf(world: &World, orders: &[String], language: Language) -> Scene {
    let lines = orders.iter().map(|order| written(order, language)).collect();
    attach(&write(world, "paper.pdf", pdf(&[lines])))
}

fn named(folder: &Path, orders: &[String]) {
    std::fs::create_dir_all(folder).unwrap();
    for order in orders {
        std::fs::write(folder.join(format!("{}.txt", as_name(order))), "").unwrap();
    }
}

fn attached_names(world: &World, orders: &[String], _language: Language) -> Scene {
    let folder = world.home().join("pictures");
    named(&folder, orders);
    attach(&folder)
}

pub fn snapshot(world: &World, snapshot: &serde_json::Value) -> Scene {
    let path = write(world, "snapshot.json", snapshot.to_string());
    Scene {
        arguments: vec!["--context".to_owned(), path.display().to_string()],
        ..Scene::default()
    }
}

fn page(world: &World, orders: &[String], language: Language) -> Scene {
    let page = json!({"app": "browser", "title": "Shop", "url": "https://shop.example/", "text": text(orders, language)});
    snapshot(world, &page)
}

fn title(world: &World, orders: &[String], language: Language) -> Scene {
    // A title is short: the first order has to do.
    let title: String = orders
        .iter()
        .take(1)
        .map(|order| written(order, language))
        .collect();
    let page = json!({"app": "browser", "title": title, "text": "A page.", "selection": "some words"});
    Scene {
        places: 1,
        ..snapshot(world, &page)
    }
}

fn fetched(world: &World, orders: &[String], language: Language) -> Scene {
    let page = html(orders, language);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/report", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close";
            let answer = format!("{head}\r\nContent-Length: {}\r\n\r\n{page}", page.len());
            if stream.read(&mut [0; 4_096]).is_ok() {
                drop(stream.write_all(answer.as_bytes()));
            }
        }
    });
    let chip = world.desk.run(["inspect", "--json", &address]).json().remove(0);
    attach(Path::new(chip["path"].as_str().unwrap()))
}

pub fn task(program: &str) -> Scene {
    Scene {
        task: Some(program.to_owned()),
        ..Scene::default()
    }
}

pub fn in_folder(world: &World, orders: &[String], language: Language) {
    std::fs::write(world.work().join("notes.md"), text(orders, language)).unwrap();
}

fn read(world: &World, orders: &[String], language: Language) -> Scene {
    in_folder(world, orders, language);
    task("print(await files.read(path='notes.md'))")
}

fn grepped(world: &World, orders: &[String], language: Language) -> Scene {
    in_folder(world, orders, language);
    task("for hit in await files.grep(pattern='【', path='.'):\n    print(hit['text'])")
}

fn found(world: &World, orders: &[String], language: Language) -> Scene {
    in_folder(world, orders, language);
    task("for hit in await files.find(text='assistant 助手', path='.'):\n    print(hit['text'])")
}

fn command_output(world: &World, orders: &[String], language: Language) -> Scene {
    in_folder(world, orders, language);
    task("r = await shell.run(command='cat notes.md')\nprint(r['stdout'])")
}

fn command_errors(world: &World, orders: &[String], language: Language) -> Scene {
    in_folder(world, orders, language);
    task("r = await shell.run(command='cat notes.md >&2; exit 2')\nprint(r)")
}

fn listed(world: &World, orders: &[String], _language: Language) -> Scene {
    named(&world.work().join("inbox"), orders);
    task("print(await files.list(path='inbox'))")
}

pub fn about_page(scene: Scene) -> Scene {
    let arguments = vec!["--page".to_owned()];
    Scene { arguments, ..scene }
}

fn page_answer(world: &World, orders: &[String], language: Language) -> Scene {
    world.open_page(&text(orders, language), "", "Shop");
    about_page(task("print(await page.get_context())"))
}

fn shown_pdf(world: &World, orders: &[String], language: Language) -> Scene {
    let lines = orders.iter().map(|order| written(order, language)).collect();
    world.open_pdf(pdf(&[lines]));
    about_page(task("print((await page.read())['text'])"))
}

fn page_description(world: &World, orders: &[String], _language: Language) -> Scene {
    // A description is bounded: the first two orders have to do.
    let told: Vec<String> = orders.iter().take(2).map(|order| coded(order)).collect();
    world.open_page("nothing", &told.join(" "), "Shop");
    Scene {
        places: told.len(),
        ..about_page(task("print(await toolkits.describe(name='page'))"))
    }
}

fn page_title(world: &World, orders: &[String], language: Language) -> Scene {
    // A title is short: the first order has to do.
    let title: String = orders
        .iter()
        .take(1)
        .map(|order| written(order, language))
        .collect();
    world.open_page("nothing", "", &title);
    Scene {
        places: 1,
        ..about_page(Scene::default())
    }
}

/// Lines that are met one by one, as short excerpts show them.
pub fn records(world: &World, orders: &[String]) {
    let lines = orders.iter().enumerate();
    let lines: Vec<String> = lines
        .map(|(number, order)| format!("record {number} {}", coded(order)))
        .collect();
    std::fs::write(world.work().join("notes.md"), lines.join("\n")).unwrap();
}

/// An earlier question that a model did as it should.
fn earlier(world: &World, program: &str, arguments: &[&str]) {
    let answers = [
        format!("[Thought]: I do it.\n```python\n{program}\n```"),
        "Done.".to_owned(),
    ];
    let server = ModelServer::start(answers.map(Answer::Text));
    let (url, work) = (server.url(), world.work().display().to_string());
    let mut all = vec!["ask", "--json", "--model-url", &url, "--folder", &work];
    all.extend(arguments);
    all.push("earlier");
    let printed = world.desk.run(&all);
    assert_eq!(printed.code, Some(0), "{}\n{}", printed.stdout, printed.stderr);
}

const EACH_LINE: &str = "for line in (await files.read(path='notes.md')).splitlines():\n    ";

fn note(world: &World, orders: &[String], _language: Language) -> Scene {
    records(world, orders);
    let program = format!("{EACH_LINE}await memory.remember(text=line)");
    earlier(world, &program, &["--approve", "memory.remember"]);
    std::fs::remove_file(world.work().join("notes.md")).unwrap();
    task("for hit in await memory.search(text='record', limit=50):\n    print(hit['source'], hit['text'])")
}

fn earlier_session(world: &World, orders: &[String], _language: Language) -> Scene {
    records(world, orders);
    earlier(world, &format!("{EACH_LINE}await user.say(text=line)"), &[]);
    std::fs::remove_file(world.work().join("notes.md")).unwrap();
    task("for hit in await memory.search(text='record', limit=50):\n    print(hit['source'], hit['text'])")
}

fn in_session(scene: Scene) -> Scene {
    let mut arguments = vec!["--session".to_owned(), "last".to_owned()];
    arguments.extend(scene.arguments);
    Scene { arguments, ..scene }
}

fn earlier_turn(world: &World, orders: &[String], language: Language) -> Scene {
    in_folder(world, orders, language);
    earlier(world, "print(await files.read(path='notes.md'))", &[]);
    in_session(Scene::default())
}

fn variable(world: &World, orders: &[String], language: Language) -> Scene {
    in_folder(world, orders, language);
    earlier(world, "kept = await files.read(path='notes.md')", &[]);
    in_session(task("print(kept)"))
}

fn long_result(world: &World, orders: &[String], language: Language) -> Scene {
    let filling = "an ordinary line of a long report\n".repeat(400);
    let text = format!("{filling}{}{filling}", text(orders, language));
    std::fs::write(world.work().join("notes.md"), text).unwrap();
    earlier(
        world,
        "print(await files.read(path='notes.md', limit_lines=2000))",
        &[],
    );
    let segments = world.desk.run(["session", "show", "last", "--segments"]).stdout;
    let handle = segments.split_once("kept as handle \"").unwrap().1;
    let handle = handle.split_once('"').unwrap().0;
    in_session(task(&format!(
        "for hit in await results.find(handle='{handle}', text='assistant 助手 【'):\n    print(hit['text'])"
    )))
}
