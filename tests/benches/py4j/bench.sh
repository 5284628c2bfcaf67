#!/usr/bin/env bash
# Measures py4j's round trip in a Python environment of its own; says NOT RUN where Java or py4j is absent.

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

not_run() {
    echo "NOT RUN: py4j ($1)"
    exit 0
}

command -v java >/dev/null && command -v javac >/dev/null || not_run "no Java here"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python" >/dev/null 2>&1 || not_run "python3 can't make an environment"
"$folder/python/bin/pip" install --quiet py4j==0.10.9.9 >/dev/null 2>&1 || not_run "py4j can't be installed"
jar=$(find "$folder/python" -name 'py4j*.jar' | head -n 1)
[ -n "$jar" ] || not_run "py4j came without its jar"
javac -cp "$jar" -d "$folder" "$here/Echo.java"
"$folder/python/bin/python" "$here/round_trip.py" "$jar" "$folder"
