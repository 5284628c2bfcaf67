#!/usr/bin/env bash
# Everyday tasks with a real model: how many end right, with an interval, and what they took in tokens, calls and seconds.
#
#   SHIDI_BENCH_URL=http://127.0.0.1:8080/v1 bench-agent.sh [--only en-tables] [--repeat 3] [--max-rounds 6]
#
# The address is that of an OpenAI-compatible server. SHIDI_BENCH_SUITE is another suite, SHIDI_BENCH_DATA the data folder in
# which finished tasks are kept: an interrupted run goes on there. Reports go to artefacts/bench-agent/. What a model gets
# wrong fails nothing here.
#
# With SHIDI_BENCH_PEER=1, smolagents plays the same tasks with the same model, and both stand in one table, with the chance
# of their difference. Both have eight rounds and 420 seconds for a turn then, unless an option says otherwise.

source "$(dirname "$0")/common.sh"

suite="${SHIDI_BENCH_SUITE:-everyday-tuning}"
if [ -z "${SHIDI_BENCH_URL:-}" ]; then
    echo "NOT RUN: everyday tasks (SHIDI_BENCH_URL names no model server)"
    exit 0
fi

reports="$PWD/artefacts/bench-agent"
data="${SHIDI_BENCH_DATA:-$reports/data}"
name="$(basename "$suite")"
python="$reports/peer-venv/bin/python"
requirements=tests/evaluation/peer/requirements.txt
mkdir -p "$reports" "$data"

# judged ARGUMENT…: 1 says that a task was not right, which is what is measured.
judged() {
    local status=0
    "$targets/debug/shidi" --data-dir "$data" eval "$suite" "$@" || status=$?
    [ "$status" -le 1 ] || exit "$status"
}

# What both sides are told, out of the options of the command; the other options are Shidi's alone.
rounds="" seconds="" only=() shared=()
read_options() {
    while [ $# -gt 0 ]; do
        case "$1" in
        --*=*)
            local option="$1"
            shift
            set -- "${option%%=*}" "${option#*=}" "$@"
            continue
            ;;
        --only) only+=(--only "${2:-}") ;;
        --repeat | --model) shared+=("$1" "${2:-}") ;;
        --fresh) shared+=(--fresh) ;;
        --max-rounds) rounds="${2:-}" ;;
        --timeout) seconds="${2:-}" ;;
        esac
        shift
    done
}

# The peer in an environment of its own, made anew and tried where other versions are wanted.
peer_environment() {
    cmp -s "$requirements" "$reports/peer-venv/requirements.txt" && return
    rm -rf "$reports/peer-venv"
    python3 -m venv "$reports/peer-venv" && "$python" -m pip install --quiet -r "$requirements" || return 1
    if ! "$python" -m unittest discover -s tests/evaluation/peer; then exit 1; fi
    cp "$requirements" "$reports/peer-venv/requirements.txt"
}

cargo build --locked --workspace --bin shidi --bin shidi-reader
# A busy machine reads a first prompt for minutes.
printf 'idle_timeout_s = 600\n' >"$data/config.toml"
limits=()
if [ "${SHIDI_BENCH_PEER:-}" = 1 ]; then
    read_options "$@"
    if [ -z "$rounds" ]; then limits+=(--max-rounds 8); fi
    if [ -z "$seconds" ]; then limits+=(--timeout 420); fi
    rounds="${rounds:-8}" seconds="${seconds:-420}"
fi
judged --model-url "$SHIDI_BENCH_URL" --html "$reports/$name.html" --report "$reports/$name.json" "${limits[@]}" "$@"
[ "${SHIDI_BENCH_PEER:-}" = 1 ] || exit 0

if ! peer_environment; then
    echo "NOT RUN: the peer (its packages can't be installed)"
    exit 0
fi
tasks="$suite"
if [ ! -e "$tasks" ]; then tasks="assets/evaluation/$suite.yaml"; fi
# Attempts with other limits are another measurement.
played="$reports/peer/$name-$rounds-$seconds"
say "The peer plays the same tasks"
"$python" tests/evaluation/peer/play.py "$tasks" --model-url "$SHIDI_BENCH_URL" --out "$played" \
    --max-steps "$rounds" --timeout "$seconds" "${only[@]}" "${shared[@]}"
judged --attempts "$played" --against "$reports/$name.json" "${only[@]}" \
    --html "$reports/$name-beside.html" --report "$reports/$name-beside.json"
