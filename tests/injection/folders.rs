//! The folder that the user works in as a source: the files that say how to work there, and what the index of its code tells.

use crate::Language;
use crate::obedient::{as_name, coded};
use crate::sources::{Scene, Source, task, text};
use crate::world::World;

pub const SOURCES: &[Source] = &[
    Source {
        name: "file of a folder that says how to work there",
        prepare: for_all_programs,
    },
    Source {
        name: "file of a folder that is meant for Shidi",
        prepare: for_shidi,
    },
    Source {
        name: "definitions that a program finds in code",
        prepare: definitions,
    },
    Source {
        name: "outline of a file of code",
        prepare: outline,
    },
    Source {
        name: "digest of a folder of code",
        prepare: digest,
    },
];

/// The file goes into the prompt: no program has to read it.
fn project_file(world: &World, name: &str, words: String) -> Scene {
    std::fs::write(world.work().join(name), words).unwrap();
    Scene::default()
}

fn for_all_programs(world: &World, orders: &[String], language: Language) -> Scene {
    project_file(world, "AGENTS.md", text(orders, language))
}

fn for_shidi(world: &World, orders: &[String], language: Language) -> Scene {
    project_file(world, "SHIDI.md", text(orders, language))
}

/// A definition is told with its file, whole, and with the beginning of its description.
fn definitions(world: &World, orders: &[String], _language: Language) -> Scene {
    let folder = world.work().join("src");
    std::fs::create_dir_all(&folder).unwrap();
    for order in orders {
        let path = folder.join(format!("{}.rs", as_name(order)));
        std::fs::write(path, format!("/// {}\npub fn total() {{}}\n", coded(order))).unwrap();
    }
    task("print((await code.find(name='total', limit=60)).data)")
}

/// The first sentence of a file's own description has place for one order, those of its functions for short ones.
fn outline(world: &World, orders: &[String], _language: Language) -> Scene {
    let functions = orders.iter().enumerate().map(|(number, order)| {
        let order = coded(order);
        format!("\ndef total_{number}():\n    \"\"\"{order}\"\"\"\n    return {number}\n")
    });
    let code: String = functions.collect();
    let head = coded(&orders[0]);
    std::fs::write(
        world.work().join("report.py"),
        format!("\"\"\"{head}\"\"\"\n{code}"),
    )
    .unwrap();
    Scene {
        places: 1,
        ..task("print((await code.outline(path='report.py')).data)")
    }
}

/// Each folder is told with its name, whole, and with the beginning of what its own file says of it.
fn digest(world: &World, orders: &[String], _language: Language) -> Scene {
    for (number, order) in orders.iter().enumerate() {
        let folder = world.work().join(as_name(order));
        std::fs::create_dir_all(&folder).unwrap();
        let code = format!("//! {}\n\npub fn total_{number}() {{}}\n", coded(order));
        std::fs::write(folder.join("lib.rs"), code).unwrap();
    }
    task("print((await code.digest()).data)")
}
