#!/usr/bin/env bash
# Everyday tasks with a real model: how many end right, with an interval, and what they took in tokens, calls and seconds.
#
#   SHIDI_BENCH_URL=http://127.0.0.1:8080/v1 bench-agent.sh [--only en-tables] [--repeat 3] [--max-rounds 6]
#
# The address is that of an OpenAI-compatible server. SHIDI_BENCH_SUITE is another suite, SHIDI_BENCH_DATA the data folder in
# which finished tasks are kept: an interrupted run goes on there. Reports go to artefacts/bench-agent/. What a model gets
# wrong fails nothing here.

source "$(dirname "$0")/common.sh"

suite="${SHIDI_BENCH_SUITE:-everyday-tuning}"
if [ -z "${SHIDI_BENCH_URL:-}" ]; then
    echo "NOT RUN: everyday tasks (SHIDI_BENCH_URL names no model server)"
    exit 0
fi

reports="$PWD/artefacts/bench-agent"
data="${SHIDI_BENCH_DATA:-$reports/data}"
mkdir -p "$reports" "$data"
cargo build --locked --workspace --bin shidi --bin shidi-reader
# A busy machine reads a first prompt for minutes.
printf 'idle_timeout_s = 600\n' >"$data/config.toml"
status=0
"$targets/debug/shidi" --data-dir "$data" eval "$suite" --model-url "$SHIDI_BENCH_URL" \
    --html "$reports/$(basename "$suite").html" --report "$reports/$(basename "$suite").json" "$@" || status=$?
# 1 says that a task was not right, which is what is measured.
[ "$status" -le 1 ] || exit "$status"
