# 命令行参数、单元测试与转义:标准库照常可用
import argparse
import contextlib
import io
import os
import shutil
import sys
import unittest
from xml.sax.saxutils import escape, quoteattr, unescape

parser = argparse.ArgumentParser(prog="report")
parser.add_argument("--top", type=int, default=3)
parser.add_argument("names", nargs="*")
print(parser.parse_args(["--top", "5", "北京", "上海"]), len(sys.argv))
complaint = io.StringIO()
try:
    with contextlib.redirect_stderr(complaint):
        parser.parse_args(["--top", "x"])
except SystemExit as ended:
    print("SystemExit", ended.code)
print(parser.format_usage().strip(), "invalid int value" in complaint.getvalue())


def add(a, b):
    return a + b


class AddTest(unittest.TestCase):
    def setUp(self):
        self.cases = [(1, 2, 3), ("a", "b", "ab")]

    def test_sums(self):
        for a, b, expected in self.cases:
            with self.subTest(a=a):
                self.assertEqual(add(a, b), expected)

    def test_refused(self):
        with self.assertRaises(TypeError):
            add(1, "b")

    def test_wrong(self):
        self.assertEqual(add(1, 1), 3, "on purpose")


stream = io.StringIO()
suite = unittest.defaultTestLoader.loadTestsFromTestCase(AddTest)
result = unittest.TextTestRunner(stream=stream, verbosity=2).run(suite)
print(result.testsRun, len(result.failures), len(result.errors), "on purpose" in stream.getvalue())

print(shutil.get_terminal_size().columns, shutil.get_terminal_size((100, 30)).lines > 0)
columns, lines = os.terminal_size((80, 24))
print(columns, lines, os.terminal_size((80, 24)), os.terminal_size((80, 24)).lines, os.isatty(0) in (True, False))
print(escape("a < b & c > d"), unescape("&lt;&amp;lt;"), quoteattr('say "hi"'), quoteattr("it's \"x\"\n"))
print(escape("é", {"é": "&eacute;"}), callable(help), callable(quit), repr(exit)[:10])
exit()
