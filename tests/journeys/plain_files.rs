//! Files that a program opens as Python does: each is a call of the toolkit `files`, allowed and on record as any.

use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed};

/// A program over a work folder with `names.txt` and `data/prices.csv`.
fn executed(desk: &Desk, program: &str) -> Printed {
    let work = desk.path("work");
    std::fs::create_dir_all(work.join("data")).unwrap();
    std::fs::write(work.join("names.txt"), "Ada\nGrace\n").unwrap();
    std::fs::write(work.join("data/prices.csv"), "name,price\ntea,3\nrice,5\n").unwrap();
    let folder = work.to_str().unwrap();
    desk.run_with(["exec", "--json", "--folder", folder, "-"], program)
}

fn result(printed: &Printed) -> Value {
    let objects = printed.json();
    let last = objects.last();
    last.unwrap_or_else(|| panic!("{}", printed.stderr)).clone()
}

fn value(program: &str) -> Value {
    let desk = Desk::new();
    let told = result(&executed(&desk, program));
    assert_eq!(told["ok"], true, "{program}: {told}");
    told["value"].clone()
}

/// The calls of a result, as `toolkit.method`.
fn calls(told: &Value) -> Vec<String> {
    let name = |call: &Value| {
        format!(
            "{}.{}",
            call["toolkit"].as_str().unwrap_or_default(),
            call["method"].as_str().unwrap_or_default()
        )
    };
    told["calls"].as_array().unwrap().iter().map(name).collect()
}

#[test]
fn a_file_is_read_and_written_as_in_python_and_each_time_the_toolkit_is_called() {
    let desk = Desk::new();
    let program = "import csv, json
with open('data/prices.csv', newline='') as source:
    rows = list(csv.DictReader(source))
with open('sum.json', 'w', encoding='utf-8') as target:
    json.dump({'sum': sum(int(row['price']) for row in rows)}, target)
with open('names.txt', 'a') as names:
    print('Mary', file=names)
[line.strip() for line in open('names.txt')]";
    let told = result(&executed(&desk, program));
    assert_eq!(told["value"], json!(["Ada", "Grace", "Mary"]), "{told}");
    let written = std::fs::read_to_string(desk.path("work/sum.json")).unwrap();
    assert_eq!(written, "{\"sum\": 8}");
    assert_eq!(
        calls(&told),
        ["files.read", "files.write", "files.write", "files.read"],
        "{told}"
    );
}

#[test]
fn folders_and_facts_are_asked_for_as_in_python() {
    let program = "import glob, os
from pathlib import Path
[sorted(os.listdir()), os.path.isdir('data'), os.path.exists('none.txt'), os.path.getsize('names.txt'),
 glob.glob('*/*.csv'), [str(path) for path in sorted(Path('.').rglob('*.txt'))], Path('names.txt').read_text(),
 [(top, files) for top, _, files in os.walk('data')], os.path.join(os.getcwd(), 'names.txt')]";
    let expected = json!([
        ["data", "names.txt"],
        true,
        false,
        10,
        ["data/prices.csv"],
        ["names.txt"],
        "Ada\nGrace\n",
        [["data", ["prices.csv"]]],
        "./names.txt",
    ]);
    assert_eq!(value(program), expected);
}

#[test]
fn files_are_made_moved_and_deleted_as_in_python() {
    let program = "import os, shutil
from pathlib import Path
os.makedirs('out/deep', exist_ok=True)
Path('out/a.txt').write_text('a')
os.rename('out/a.txt', 'out/b.txt')
shutil.copy('out/b.txt', 'out/c.txt')
open('left.txt', 'w').write('open until the end')
[sorted(os.listdir('out')), open('left.txt').read()]";
    assert_eq!(
        value(program),
        json!([["b.txt", "c.txt", "deep"], "open until the end"])
    );
}

#[test]
fn what_a_program_let_go_is_saved_before_anything_else_is_done() {
    let program = "import glob, os
open('log.txt', 'w').write('begun\\n')
with open('./log.txt', 'a') as log:
    log.write('more\\n')
open('gone.txt', 'w').write('x')
os.remove('gone.txt')
open('new.txt', 'w').write('new')
told = [await files.read('new.txt'), open('log.txt').read(), glob.glob('*')]
told";
    let there = ["data", "log.txt", "names.txt", "new.txt"];
    assert_eq!(value(program), json!(["new", "begun\nmore\n", there]));
}

#[test]
fn a_program_that_ends_itself_has_its_files_saved() {
    let desk = Desk::new();
    let program = "open('left.txt', 'w').write('left')
with open('held.txt', 'w') as held:
    held.write('held')
    exit()";
    let told = result(&executed(&desk, program));
    assert_eq!(told["ok"], true, "{told}");
    for name in ["left", "held"] {
        let path = desk.path(&format!("work/{name}.txt"));
        assert_eq!(std::fs::read_to_string(path).unwrap(), name);
    }
}

#[test]
fn a_file_outside_waits_for_approval_however_it_is_opened() {
    let desk = Desk::new();
    let outside = desk.path("outside.txt");
    let program = format!("open({:?}, 'w').write('kept')", outside.to_str().unwrap());
    let printed = executed(&desk, &program);
    assert_eq!(printed.code, Some(3), "{}{}", printed.stdout, printed.stderr);
    assert!(!outside.exists(), "nothing is written before it is approved");
    let hint = result(&printed)["error"]["hint"].as_str().unwrap().to_owned();
    let approved = desk.run(hint.split(' ').skip(1));
    assert_eq!(approved.code, Some(0), "{}{}", approved.stdout, approved.stderr);
    assert_eq!(std::fs::read_to_string(outside).unwrap(), "kept");
}

#[test]
fn a_program_that_fails_leaves_no_half_written_file() {
    let desk = Desk::new();
    let program = "with open('names.txt', 'w') as names:
    names.write('half')
    1 / 0";
    let told = result(&executed(&desk, program));
    assert_eq!(told["error"]["type"], "ZeroDivisionError", "{told}");
    assert!(
        told["stdout"].as_str().unwrap().contains("not saved") && told.to_string().contains("names.txt"),
        "it is named: {told}"
    );
    let kept = std::fs::read_to_string(desk.path("work/names.txt")).unwrap();
    assert_eq!(kept, "Ada\nGrace\n");
}

#[test]
fn what_was_written_whole_stays_though_the_program_fails_later_or_the_failure_is_handled() {
    let desk = Desk::new();
    let program = "import json
json.dump([1], open('let-go.json', 'w'))
try:
    with open('handled.txt', 'w') as handled:
        handled.write('handled')
        1 / 0
except ZeroDivisionError:
    seen = open('handled.txt').read()
print(seen)
[][0]";
    let told = result(&executed(&desk, program));
    assert_eq!(told["error"]["type"], "IndexError", "{told}");
    assert!(told["stdout"].as_str().unwrap().contains("handled"), "{told}");
    for (name, text) in [("let-go.json", "[1]"), ("handled.txt", "handled")] {
        let path = desk.path(&format!("work/{name}"));
        assert_eq!(std::fs::read_to_string(path).unwrap(), text, "{name}");
    }
}

#[test]
fn a_folder_is_no_file_to_be_removed_and_an_error_has_its_number() {
    let program = "import errno, os, shutil
told = []
for act in [lambda: os.remove('data'), lambda: open('none.txt'), lambda: os.makedirs('data')]:
    try:
        act()
    except OSError as error:
        told.append([type(error).__name__, errno.errorcode[error.errno]])
[told, os.listdir('data'), shutil.copy('names.txt', 'data'), os.listdir(os.path.dirname(os.path.abspath('names.txt')))]";
    let expected = json!([
        [
            ["IsADirectoryError", "EISDIR"],
            ["FileNotFoundError", "ENOENT"],
            ["FileExistsError", "EEXIST"]
        ],
        ["prices.csv"],
        "data/names.txt",
        ["data", "names.txt"],
    ]);
    assert_eq!(value(program), expected);
}

#[test]
fn an_old_encoding_is_found_out_and_one_that_does_not_fit_is_refused() {
    let desk = Desk::new();
    // Two characters in GBK, which are two of Korean as well.
    let short = b"\xc4\xe3\xba\xc3\n";
    executed(&desk, "0");
    std::fs::write(desk.path("work/short.txt"), short).unwrap();
    let program = "with open('short.txt', 'a', encoding='gbk') as more:
    more.write(open('short.txt', encoding='gbk').read())";
    let told = result(&executed(&desk, program));
    assert_eq!(told["ok"], true, "{told}");
    let twice = std::fs::read(desk.path("work/short.txt")).unwrap();
    assert_eq!(twice, short.repeat(2));
    let told = result(&executed(&desk, "open('short.txt', encoding='euc_kr').read()"));
    assert_eq!(told["error"]["type"], "ValueError", "{told}");
}

#[test]
fn what_the_library_looks_for_by_itself_is_no_call() {
    let desk = Desk::new();
    let program = "import argparse, mimetypes, tempfile
argparse.ArgumentParser().format_help()
mimetypes.guess_type('a.csv')[0]";
    let told = result(&executed(&desk, program));
    assert_eq!(told["value"], "text/csv", "{told}");
    assert_eq!(calls(&told), Vec::<String>::new(), "{told}");
}

#[test]
fn what_is_no_text_is_refused_in_a_sentence() {
    let desk = Desk::new();
    let told = result(&executed(&desk, "open('names.txt', 'wb').write(b'x')"));
    let message = told["error"]["message"].as_str().unwrap();
    assert!(message.contains("read and written as text"), "{told}");
    assert!(
        told["error"]["hint"].as_str().unwrap().contains("mode 'r', 'w'"),
        "{told}"
    );
    std::fs::write(desk.path("work/dot.png"), b"\x89PNG\r\n\x1a\n").unwrap();
    let told = result(&executed(&desk, "open('dot.png', 'rb').read()"));
    let message = told["error"]["message"].as_str().unwrap();
    assert!(message.contains("no plain text"), "{told}");
    let told = result(&executed(&desk, "open('none.txt').read()"));
    assert_eq!(told["error"]["type"], "FileNotFoundError", "{told}");
}

#[test]
fn a_text_in_utf_8_is_read_in_bytes_and_what_would_come_changed_is_not() {
    let desk = Desk::new();
    executed(&desk, "0");
    std::fs::write(desk.path("work/a.toml"), "name = 'caf\u{e9}'\n").unwrap();
    std::fs::write(desk.path("work/lines.txt"), "a\r\nb\n").unwrap();
    let program = "import tomllib
with open('a.toml', 'rb') as source:
    read = tomllib.load(source)
[read['name'], len(open('a.toml', 'rb').read())]";
    let told = result(&executed(&desk, program));
    assert_eq!(told["value"], json!(["caf\u{e9}", 15]), "{told}");
    let told = result(&executed(&desk, "open('lines.txt', 'rb').read()"));
    assert_eq!(told["error"]["type"], "UnsupportedOperation", "{told}");
}

#[test]
fn a_file_that_can_not_be_saved_late_is_told_at_the_line_that_opened_it() {
    let desk = Desk::new();
    for program in [
        "first = 1\nopen('data', 'w').write('x')\nlast = 2",
        "import os\nopen('data', 'w').write('x')\nos.listdir('data')\nlast = 2",
        "first = 1\nheld = open('data', 'w')\nheld.write('x')\nlast = 2",
    ] {
        let told = result(&executed(&desk, program));
        assert_eq!(told["error"]["type"], "IsADirectoryError", "{program}: {told}");
        assert_eq!(told["error"]["line"], 2, "{program}: {told}");
    }
    let program = "open('data', 'w').write('x')\nopen('good.txt', 'w').write('good')";
    let told = result(&executed(&desk, program));
    assert_eq!(told["error"]["line"], 1, "{told}");
    let written = std::fs::read_to_string(desk.path("work/good.txt")).unwrap();
    assert_eq!(written, "good", "one that fails takes no other along");
}

#[test]
fn a_look_that_finds_nothing_is_no_failed_call() {
    let desk = Desk::new();
    let program = "import os
from pathlib import Path
[os.path.exists('none'), os.path.isfile('none/a'), os.path.isdir('none'), Path('none.txt').exists(), Path('none').is_file()]";
    let told = result(&executed(&desk, program));
    assert_eq!(
        told["value"],
        json!([false, false, false, false, false]),
        "{told}"
    );
    let calls = told["calls"].as_array().unwrap();
    assert_eq!(calls.len(), 5, "{told}");
    assert!(calls.iter().all(|call| call["ok"] == true), "{told}");
}

#[test]
fn patterns_find_folders_as_in_python() {
    let program = "import glob, os
from pathlib import Path
os.makedirs('data/deep/er')
[glob.glob('*/*'), glob.glob('**/*', recursive=True), sorted(str(path) for path in Path('data').rglob('*'))]";
    let expected = json!([
        ["data/deep", "data/prices.csv"],
        [
            "data",
            "data/deep",
            "data/deep/er",
            "data/prices.csv",
            "names.txt"
        ],
        ["data/deep", "data/deep/er", "data/prices.csv"],
    ]);
    assert_eq!(value(program), expected);
}

#[test]
fn a_module_that_opens_no_file_is_named_with_what_does_its_work() {
    let desk = Desk::new();
    for (program, expected) in [
        ("import zipfile\nzipfile.ZipFile('a.zip')", "files.unzip("),
        ("import logging\nlogging.basicConfig(filename='a.log')", "`print`"),
        ("import sqlite3", "files.write_table("),
    ] {
        let told = result(&executed(&desk, program));
        let hint = told["error"]["hint"].as_str().unwrap_or_default();
        assert!(hint.contains(expected), "{program}: {told}");
    }
}

#[test]
fn each_of_several_files_that_can_not_be_saved_is_named_with_its_line() {
    let desk = Desk::new();
    let program =
        "first = open('data', 'w')\nfirst.write('x')\nother = open('names.txt/b', 'w')\nother.write('y')";
    let told = result(&executed(&desk, program));
    assert_eq!(told["error"]["line"], 1, "{told}");
    let printed = told["stdout"].as_str().unwrap();
    assert!(
        printed.contains("[not saved: 'data' (line 1): IsADirectoryError"),
        "{told}"
    );
    assert!(printed.contains("[not saved: 'names.txt/b' (line 3): "), "{told}");
}

#[test]
fn a_refused_late_save_names_the_line_that_opened_the_file() {
    let desk = Desk::new();
    let outside = desk.path("outside.txt");
    let program = format!(
        "first = 1\nopen({:?}, 'w').write('x')\nlast = 2",
        outside.to_str().unwrap()
    );
    let waiting = result(&executed(&desk, &program));
    let run = waiting["run"].as_str().unwrap();
    let refused = desk.run(["refuse", run, "1", "--reason", "no"]);
    assert!(
        refused.stderr.contains("The user refused this call: no"),
        "{}",
        refused.stderr
    );
    assert!(refused.stderr.contains("line 2"), "{}", refused.stderr);
}

#[test]
fn a_pattern_that_ends_in_a_slash_finds_folders_alone_and_names_count_from_their_root() {
    let program = "import glob, os
os.makedirs('data/deep')
[glob.glob('d*', root_dir='.'), glob.glob('*', root_dir='data'), glob.glob('d*/'), glob.glob('*/'), glob.glob('./*/'),
 glob.glob('data/*/'), glob.glob('*/*/'), glob.glob('*/', root_dir='data'), glob.glob('data/'), glob.glob('names.txt/'),
 os.path.relpath('data/prices.csv'), os.path.relpath('names.txt', 'data')]";
    let expected = json!([
        ["data"],
        ["deep", "prices.csv"],
        ["data/"],
        ["data/"],
        ["data/"],
        ["data/deep/"],
        ["data/deep/"],
        ["deep/"],
        ["data/"],
        [],
        "data/prices.csv",
        "../names.txt",
    ]);
    assert_eq!(value(program), expected);
}

#[test]
fn a_name_that_ends_in_a_slash_is_no_file_to_be_written() {
    let program = "import errno, os
told = []
for mode in 'wax':
    try:
        open('new/', mode).write('x')
    except IsADirectoryError as error:
        told.append(errno.errorcode[error.errno])
[told, os.path.exists('new')]";
    assert_eq!(value(program), json!([["EISDIR", "EISDIR", "EISDIR"], false]));
}

#[test]
fn a_text_gives_its_bytes_with_its_mark_and_its_line_ends_unless_those_are_mixed() {
    let desk = Desk::new();
    executed(&desk, "0");
    let texts: [&[u8]; 4] = [
        b"\xef\xbb\xbfname\n",
        b"a\r\nb\r\n",
        b"a\r\nb\r\nc\r\n",
        b"\xef\xbb\xbfa\r\nb",
    ];
    for bytes in texts {
        std::fs::write(desk.path("work/marked.txt"), bytes).unwrap();
        let told = result(&executed(&desk, "list(open('marked.txt', 'rb').read())"));
        assert_eq!(told["value"], json!(bytes), "{told}");
    }
    std::fs::write(desk.path("work/marked.txt"), b"a\r\nb\n").unwrap();
    let told = result(&executed(&desk, "open('marked.txt', 'rb').read()"));
    let message = told["error"]["message"].as_str().unwrap();
    assert!(message.contains("end in more than one way"), "{told}");
    assert!(!message.contains("no plain text"), "{told}");
}

#[test]
fn the_whole_path_of_a_file_is_one_under_which_it_is_found() {
    let desk = Desk::new();
    let program = "import os
from pathlib import Path
names = [os.path.abspath('names.txt'), os.path.realpath('data/../names.txt'), str(Path('names.txt').absolute())]
[names, [open(name).read() for name in names], os.path.relpath(names[0]), os.path.abspath('/etc/hosts')]";
    let told = result(&executed(&desk, program));
    let whole = desk.path("work").canonicalize().unwrap().join("names.txt");
    let (whole, text) = (whole.to_str().unwrap(), "Ada\nGrace\n");
    let expected = json!([
        [whole, whole, whole],
        [text, text, text],
        "names.txt",
        "/etc/hosts"
    ]);
    assert_eq!(told["value"], expected, "{told}");
}
