//! Python's own library is there, without modules that need files, network, processes or threads.

use crate::common::{run, session, value};
use serde_json::json;

#[test]
fn a_module_is_imported_in_every_way_that_python_has() {
    let mut session = session();
    for source in [
        "import heapq\nh = [2, 1]\nheapq.heapify(h)\nh[0]",
        "import heapq as q, math\nh = [2, 1]\nq.heapify(h)\nh[0] + math.floor(0.5)",
        "from heapq import heapify as make, heappop\nh = [2, 1]\nmake(h)\nheappop(h)",
        "from heapq import (\n    heapify,\n    heappop,\n)\nh = [2, 1]\nheapify(h)\nheappop(h)",
        "def f():\n    import heapq\n    h = [2, 1]\n    heapq.heapify(h)\n    return h[0]\nf()",
        "if True: import heapq; h = [2, 1]; heapq.heapify(h)\nh[0]",
    ] {
        assert_eq!(value(&mut session, source), json!(1), "{source}");
    }
}

#[test]
fn a_module_stays_for_the_next_program_and_is_no_variable() {
    let mut session = session();
    let outcome = run(
        &mut session,
        "import heapq, json\nfrom collections import deque, OrderedDict\nx = 1",
    );
    let names: Vec<&str> = outcome
        .variables
        .iter()
        .map(|variable| variable.name.as_str())
        .collect();
    assert!(names.contains(&"x") && !names.contains(&"json"), "{names:?}");
    assert_eq!(value(&mut session, "heapq.nsmallest(1, [3, 2])"), json!([2]));
}

#[test]
fn an_error_inside_a_module_names_the_programs_own_line() {
    let outcome = run(&mut session(), "import statistics\n\nstatistics.mean([])");
    let error = outcome.error.expect("it fails");
    assert_eq!((error.kind.as_str(), error.line), ("StatisticsError", 3));
    assert!(!error.traceback.contains("_shidi_"), "{}", error.traceback);
}

#[test]
fn a_thread_runs_where_it_is_started_and_prints_nothing_of_its_own() {
    let source = "\
import threading
from concurrent.futures import ThreadPoolExecutor, as_completed
seen = []
thread = threading.Thread(target=seen.append, args=(1,))
thread.start()
thread.join()
with ThreadPoolExecutor(2) as pool:
    seen += pool.map(lambda number: number * 2, [1, 2])
    seen += [done.result() for done in as_completed([pool.submit(pow, 2, 3)])]
event = threading.Event()
event.set()
seen.append(event.wait())
seen";
    let outcome = run(&mut session(), source);
    assert_eq!(outcome.error, None);
    assert_eq!(
        (outcome.value, outcome.stdout.as_str()),
        (json!([1, 2, 4, 8, true]), "")
    );
}

#[test]
fn what_would_wait_for_another_thread_for_ever_says_so() {
    let mut session = session();
    for source in [
        "import threading\nlock = threading.Lock()\nlock.acquire()\nlock.acquire()",
        "import threading\nthreading.Barrier(2).wait()",
        "import queue\nqueue.Queue().get()",
    ] {
        let error = run(&mut session, source).error.expect("nothing would free it");
        assert!(
            error.message.contains("wait for ever"),
            "{source}: {}",
            error.message
        );
    }
    let outcome = run(
        &mut session,
        "import threading\nthreading.Thread(target=threading.Semaphore(0).acquire).start()",
    );
    assert!(outcome.stdout.contains("wait for ever"), "{}", outcome.stdout);
}

#[test]
fn every_time_zone_of_the_world_is_there_with_its_summer_time() {
    let mut session = session();
    let source = "\
from zoneinfo import ZoneInfo, available_timezones
from datetime import datetime
noon = datetime(2026, 7, 1, 12, tzinfo=ZoneInfo('Asia/Shanghai'))
[noon.astimezone(ZoneInfo(name)).isoformat() for name in ('America/New_York', 'UTC', 'Europe/Berlin')] + [
    len(available_timezones()) > 400
]";
    assert_eq!(
        value(&mut session, source),
        json!([
            "2026-07-01T00:00:00-04:00",
            "2026-07-01T04:00:00+00:00",
            "2026-07-01T06:00:00+02:00",
            true
        ])
    );
    for name in ["Mars/Olympus", "../../etc/passwd", "", "Europe"] {
        let error = run(&mut session, &format!("ZoneInfo({name:?})")).error;
        let kind = error.map(|error| error.kind);
        let is_refused = matches!(kind.as_deref(), Some("ZoneInfoNotFoundError" | "ValueError"));
        assert!(is_refused, "{name}: {kind:?}");
    }
}

#[test]
fn xml_is_read_and_a_document_that_breaks_off_is_none() {
    let mut session = session();
    let source = "\
import io, plistlib
import xml.etree.ElementTree as ET
from xml.dom import minidom
[
    ET.fromstring('<a>x<b k=\"1\">中</b></a>').find('b').text,
    ET.parse(io.BytesIO(b'<r>' + b'<i/>' * 30_000 + b'</r>')).getroot().__len__(),
    minidom.parseString('<p:a xmlns:p=\"u\"><p:b/></p:a>').documentElement.toxml(),
    plistlib.loads(plistlib.dumps({'n': 1}))['n'],
    ET.fromstring(\"<?xml version='1.0' encoding='gbk'?><a>中</a>\".encode('gbk')).text,
]";
    assert_eq!(
        value(&mut session, source),
        json!(["中", 30_000, "<p:a xmlns:p=\"u\"><p:b/></p:a>", 1, "中"])
    );
    for document in [
        "<a>",
        "",
        "<a></b>",
        "<a/>more",
        "<a b=1/>",
        "<a>&x;</a>",
        "<p:a/>",
    ] {
        let source = format!("ET.fromstring({document:?})");
        let kind = run(&mut session, &source).error.map(|error| error.kind);
        assert_eq!(kind.as_deref(), Some("ParseError"), "{document}");
    }
}

#[test]
fn what_looks_for_a_command_line_or_a_terminal_finds_an_empty_one() {
    let source = "\
import argparse, io, os, shutil, sys, unittest
from xml.sax.saxutils import escape
class T(unittest.TestCase):
    def test_right(self):
        self.assertEqual(1, 1)
    def test_wrong(self):
        self.assertEqual(1, 2)
parser = argparse.ArgumentParser()
parser.add_argument('--top', default=3)
suite = unittest.defaultTestLoader.loadTestsFromTestCase(T)
run = unittest.TextTestRunner(stream=io.StringIO()).run(suite)
main = unittest.main(argv=['x'], exit=False).result
[
    parser.parse_args().top, run.testsRun, len(run.failures), main.testsRun, len(sys.argv), os.isatty(1),
    shutil.get_terminal_size().columns, os.terminal_size((3, 4)).lines, escape('<&>'),
]";
    let mut session = session();
    assert_eq!(
        value(&mut session, source),
        json!([3, 2, 1, 2, 1, false, 80, 4, "&lt;&amp;&gt;"])
    );
    let told = run(&mut session, "help(escape)\nquit()\nprint('after')").stdout;
    assert!(told.contains("escape(data") && !told.contains("after"), "{told}");
}

#[test]
fn a_question_about_files_is_refused_and_not_answered_with_no() {
    let mut session = session();
    let imports = "import glob, os, os.path\nfrom os.path import exists\nfrom pathlib import Path\n";
    for question in [
        "os.path.exists('/')",
        "exists('/')",
        "os.path.isfile('/')",
        "os.path.isdir('/')",
        "os.path.lexists('/')",
        "list(map(os.path.exists, ['/']))",
        "glob.glob('/*')",
        "list(glob.iglob('/*'))",
        "Path('/').exists()",
        "Path('/').is_dir()",
        "Path('/').is_file()",
        "list(Path('/').glob('*'))",
        "list(Path('/').rglob('*'))",
        "os.listdir('/')",
    ] {
        let error = run(&mut session, &format!("{imports}{question}")).error;
        let message = error.map(|error| error.message).unwrap_or_default();
        assert!(
            message.starts_with("PermissionError: A program has no files of its own"),
            "{question}: {message}"
        );
    }
    let own = "import argparse, mimetypes\nargparse.ArgumentParser().format_help()\n\
               [mimetypes.guess_type('a.csv')[0], str(Path('a') / 'b.txt'), os.path.join('a', 'b')]";
    assert_eq!(value(&mut session, own), json!(["text/csv", "a/b.txt", "a/b"]));
}
