//! Calls of `files` with the names of Python's own: they go through under those of the method, and the output says so.

use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed};

/// A program over a work folder with `names.txt`, and a file of two characters in GBK.
fn executed(desk: &Desk, program: &str) -> Printed {
    let work = desk.path("work");
    std::fs::create_dir_all(&work).unwrap();
    std::fs::write(work.join("names.txt"), "Ada\nGrace\n").unwrap();
    std::fs::write(work.join("old.txt"), b"\xc4\xe3\xba\xc3\n").unwrap();
    let folder = work.to_str().unwrap();
    desk.run_with(["exec", "--json", "--folder", folder, "-"], program)
}

fn result(printed: &Printed) -> Value {
    let objects = printed.json();
    let last = objects.last();
    last.unwrap_or_else(|| panic!("{}", printed.stderr)).clone()
}

fn methods(told: &Value) -> Vec<&str> {
    let calls = told["calls"].as_array().unwrap().iter();
    calls
        .map(|call| call["method"].as_str().unwrap_or_default())
        .collect()
}

#[test]
fn a_file_is_written_and_listed_under_other_names_and_each_is_told_once() {
    let desk = Desk::new();
    let program = "for name in ['a', 'b']:
    await files.write(filename=f'out/{name}.txt', content=name, encoding='utf-8')
files = await files.list(folder='out')
len(files)";
    let told = result(&executed(&desk, program));
    assert_eq!(told["value"], json!(2), "{told}");
    assert_eq!(methods(&told), ["write", "write", "list"], "{told}");
    let written = std::fs::read_to_string(desk.path("work/out/b.txt")).unwrap();
    assert_eq!(written, "b");
    let printed = told["stdout"].as_str().unwrap();
    for note in [
        "Note: line 2: `files.write(filename=…)` was taken as `files.write(path=…)`",
        "Note: line 2: `files.write(content=…)` was taken as `files.write(text=…)`",
        "Note: line 2: `files.write(encoding=…)` was taken as `files.write(…)`",
        "Note: line 3: `files.list(folder=…)` was taken as `files.list(path=…)`",
    ] {
        assert_eq!(printed.matches(note).count(), 1, "{printed}");
    }
}

#[test]
fn whether_a_file_exists_is_looked_up_and_an_absence_is_no_failure() {
    let desk = Desk::new();
    let program = "import asyncio
[await files.exists('names.txt'), await files.exists(file='none.txt'),
 await asyncio.gather(files.exists('old.txt'), files.exists('no/x.txt'))]";
    let told = result(&executed(&desk, program));
    assert_eq!(told["value"], json!([true, false, [true, false]]), "{told}");
    assert_eq!(methods(&told), ["info"; 4], "{told}");
}

#[test]
fn an_old_encoding_is_dropped_where_it_fits_the_file_and_refused_where_it_does_not() {
    let desk = Desk::new();
    let program = "await files.read(file='old.txt', encoding='GBK') == open('old.txt').read()";
    let told = result(&executed(&desk, program));
    assert_eq!(told["value"], true, "{told}");
    let told = result(&executed(&desk, "await files.read('old.txt', encoding='euc_kr')"));
    assert_eq!(told["error"]["type"], "ValueError", "{told}");
    assert_eq!(methods(&told), ["info"], "{told}");
}

#[test]
fn a_name_with_two_meanings_makes_no_call() {
    for program in [
        "await files.read(file='names.txt', filename='old.txt')",
        "await files.read('names.txt', file='old.txt')",
        "await files.move('names.txt', folder='out')",
        "await files.read(**{'path': 'names.txt', 'file': 'old.txt'})",
    ] {
        let desk = Desk::new();
        let told = result(&executed(&desk, program));
        assert_eq!(told["error"]["type"], "TypeError", "{program}: {told}");
        let calls = told["calls"].as_array().map_or(0, Vec::len);
        assert_eq!(calls, 0, "{program}: {told}");
    }
}

#[test]
fn a_file_outside_waits_for_approval_under_any_name() {
    let desk = Desk::new();
    let outside = desk.path("outside.txt");
    let path = outside.to_str().unwrap();
    let program = format!("await files.write(filename={path:?}, data='kept')");
    let printed = executed(&desk, &program);
    assert_eq!(printed.code, Some(3), "{}{}", printed.stdout, printed.stderr);
    assert!(!outside.exists(), "nothing is written before it is approved");
    let hint = result(&printed)["error"]["hint"].as_str().unwrap().to_owned();
    let approved = desk.run(hint.split(' ').skip(1));
    assert_eq!(approved.code, Some(0), "{}{}", approved.stdout, approved.stderr);
    assert_eq!(std::fs::read_to_string(outside).unwrap(), "kept");
}
