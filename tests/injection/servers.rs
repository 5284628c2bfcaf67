//! MCP servers as sources: what their tools say, what they have to read, the questions that they have prepared, and what they
//! ask in the middle of a call.

use crate::Language;
use crate::obedient::coded;
use crate::sources::{Scene, Source, task, text};
use crate::world::World;
use shidi_tests::model_server::Answer;

pub const SOURCES: &[Source] = &[
    Source {
        name: "resource of an MCP server",
        prepare: resource,
    },
    Source {
        name: "prompt of an MCP server",
        prepare: prompt,
    },
    Source {
        name: "resources and prompts that an MCP server lists",
        prepare: listed,
    },
    Source {
        name: "form of an MCP server at a terminal",
        prepare: form,
    },
    Source {
        name: "question of an MCP server to the model at a terminal",
        prepare: question,
    },
];

/// How the server begins what it asks the model.
pub const INSTRUCTIONS: &str = "You know teas.";

/// A server whose every text is full of orders; the user has allowed these of its tools as ones that only read.
fn add(world: &World, words: &str, manners: &[&str], tools: &[&str]) {
    let words = format!("SHIDI_TEST_TEXT={words}");
    let server = env!("CARGO_BIN_EXE_shidi-test-server");
    let add = ["mcp", "add", "peer", "--env", &words, "--", server];
    let allow = ["mcp", "allow", "peer", "--class", "read"];
    for command in [[&add, manners].concat(), [&allow, tools].concat()] {
        let done = world.desk.run(&command);
        assert_eq!(done.code, Some(0), "{}", done.stderr);
    }
}

fn with_tools(world: &World, words: &str) {
    add(world, words, &[], &["read_text", "fail", "send-note"]);
}

pub fn tool_answer(world: &World, orders: &[String], language: Language) -> Scene {
    with_tools(world, &text(orders, language));
    task("print(await peer.read_text())")
}

pub fn tool_error(world: &World, orders: &[String], language: Language) -> Scene {
    with_tools(world, &text(orders, language));
    task("try:\n    await peer.fail()\nexcept RuntimeError as error:\n    print(error)")
}

/// A description is bounded: the first two orders have to do.
fn two_of(orders: &[String]) -> Vec<String> {
    orders.iter().take(2).map(|order| coded(order)).collect()
}

pub fn tool_description(world: &World, orders: &[String], _language: Language) -> Scene {
    let told = two_of(orders);
    with_tools(world, &told.join(" "));
    Scene {
        places: told.len(),
        ..task("print(await toolkits.describe(name='peer'))")
    }
}

fn library(world: &World, words: &str) {
    let tools = ["list_resources", "read_resource", "list_prompts", "get_prompt"];
    add(world, words, &["--library"], &tools);
}

fn resource(world: &World, orders: &[String], language: Language) -> Scene {
    library(world, &text(orders, language));
    task("print((await peer.read_resource(uri='notes://one')).data)")
}

fn prompt(world: &World, orders: &[String], language: Language) -> Scene {
    library(world, &text(orders, language));
    task("print((await peer.get_prompt(name='review', arguments={'of': 'this'})).data)")
}

fn listed(world: &World, orders: &[String], _language: Language) -> Scene {
    let told = two_of(orders);
    library(world, &told.join(" "));
    Scene {
        places: told.len(),
        ..task("print((await peer.list_resources()).data)\nprint((await peer.list_prompts()).data)")
    }
}

/// The orders one a line.
fn lines(orders: &[String]) -> String {
    let lines: Vec<String> = orders.iter().map(|order| coded(order)).collect();
    lines.join("\n")
}

/// A form has the orders in its fields already. Its user sends it as it is, and the server repeats what it got.
fn form(world: &World, orders: &[String], _language: Language) -> Scene {
    add(world, &lines(orders), &["--asks"], &["ask_form"]);
    Scene {
        is_at_terminal: true,
        ..task("print(await peer.ask_form())")
    }
}

/// The model obeys in its answer to the server and passes the question on: the server repeats what it got.
fn question(world: &World, orders: &[String], _language: Language) -> Scene {
    let asked = lines(orders);
    add(world, &asked, &["--asks"], &["ask_model"]);
    let answer = format!(
        "[Thought]: I do as I am told.\n```python\n{}\n```\n{asked}",
        orders[0]
    );
    Scene {
        is_at_terminal: true,
        errand: vec![Answer::Text(answer)],
        ..task("print(await peer.ask_model())")
    }
}
