//! The program that reads strangers' files: no other one holds their parsers, and where it is missing, that is told.

use shidi_tests::command::{Desk, Printed, shidi};
#[cfg(debug_assertions)]
use std::path::Path;

#[cfg(debug_assertions)]
fn beside(name: &str) -> std::path::PathBuf {
    shidi().with_file_name(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// A program with all that it says of itself.
#[cfg(debug_assertions)]
fn text_of(program: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(program).unwrap()).into_owned()
}

/// Names of functions stay in a build for development.
#[cfg(debug_assertions)]
#[test]
fn no_program_but_the_reader_holds_parsers_of_strangers_files() {
    let reader = text_of(&beside("shidi-reader"));
    let desktop = beside("shidi-desktop");
    let mut others = vec![text_of(shidi())];
    // Whoever builds without the windows has no such program.
    others.extend(desktop.is_file().then(|| text_of(&desktop)));
    for name in [
        "tree_sitter_cpp_external_scanner",
        "_ZN12hayro_syntax",
        "_ZN8calamine",
        "_ZN12dom_smoothie",
    ] {
        assert!(reader.contains(name), "the reader has no {name}");
        assert!(
            others.iter().all(|other| !other.contains(name)),
            "a program has {name}"
        );
    }
}

#[test]
fn an_installation_without_its_reader_says_so_and_names_the_remedy() {
    let desk = Desk::new();
    // As it is installed: what lies two folders up is its own, not the machine's.
    let programs = desk.path("bin");
    std::fs::create_dir(&programs).unwrap();
    let crippled = programs.join("shidi");
    std::fs::copy(shidi(), &crippled).unwrap();
    let paper = shidi_tests::folder().join("attachments/files/pdf/english.pdf");
    let asked = ["ask", "--file", paper.to_str().unwrap(), "when is payment due?"];
    let printed = Printed::of(desk.command_of(&crippled, asked).output().unwrap());
    let all = format!("{}{}", printed.stdout, printed.stderr);
    assert_ne!(printed.code, Some(0), "{all}");
    assert!(all.contains("shidi-reader") && !all.contains("panicked"), "{all}");
    assert!(all.contains("install Shidi again"), "{all}");
    let checked = desk.command_of(&crippled, ["doctor"]).output().unwrap();
    let said = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert!(
        said.contains("the program that reads documents and code must lie beside it"),
        "{said}"
    );
}

#[test]
fn a_search_through_a_folder_says_which_documents_it_could_not_read() {
    let desk = Desk::new();
    let folder = desk.path("papers");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("damaged.pdf"), "%PDF-1.7 payment is due").unwrap();
    std::fs::write(folder.join("notes.txt"), "payment is due").unwrap();
    let program = "found = await files.grep(pattern='due')\n[hit['text'] for hit in found.data]";
    let arguments = ["exec", "--json", "--folder", folder.to_str().unwrap(), "-"];
    let printed = desk.run_with(arguments, program);
    let told = printed.json().pop().unwrap();
    let texts = told["value"].as_array().unwrap_or_else(|| panic!("{told}"));
    assert_eq!(texts.len(), 2, "{told}");
    assert_eq!(texts[0], "payment is due");
    let left_out = texts[1].as_str().unwrap();
    assert!(
        left_out.starts_with("[not searched: ") && left_out.contains("damaged.pdf ("),
        "{left_out}"
    );
}
