#!/usr/bin/env bash
# Figures of another state of the repository and of this one, by turns: BEFORE names its commit, ROUNDS how often each is
# measured (12), BENCHES which (all that both have). Built without optimisation across crates, both alike.
#
# A figure counts as lost where 95 % of what the rounds allow does not exclude a loss of more than 5 %.

source "$(dirname "$0")/common.sh"

before=$(git rev-parse --verify "${BEFORE:?names a commit}^{commit}")
rounds="${ROUNDS:-12}"
wanted=" ${BENCHES:-overhead commit bridge ask attach look} "
export CARGO_PROFILE_BENCH_LTO=off CARGO_PROFILE_BENCH_CODEGEN_UNITS=16
# Measurements build the command line that they ask, as a release.
export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
# They run cargo itself, which would take the compiler that a package's own folder names.
if command -v rustup >/dev/null; then
    RUSTUP_TOOLCHAIN=$(rustup show active-toolchain | cut -d' ' -f1)
    export RUSTUP_TOOLCHAIN
fi

folder="$PWD/artefacts/beside"
rm -rf "$folder/figures"
mkdir -p "$folder/figures"
# Its files have the time of their commit: what was built of them before is not built again. Its worker lies among them.
if [ "$(cat "$folder/before.commit" 2>/dev/null)" != "$before" ]; then
    rm -rf "$folder/before"
    mkdir "$folder/before"
    git archive "$before" | tar -x -C "$folder/before"
    echo "$before" >"$folder/before.commit"
fi

# built FOLDER STATE: prints the name and the program of each measurement. Everything is chosen out of the whole workspace, as
# the measurements choose it that build the command line themselves: another choice has other features, and builds all anew.
built() {
    local benches=()
    cd "$1"
    for name in $wanted; do benches+=(--bench "$name"); done
    # Each state has the worker of its own sources.
    unset SHIDI_WORKER_TARGET_DIR
    export CARGO_TARGET_DIR="$folder/target-$2"
    local programs=(--bin shidi)
    # The state before may have read documents itself.
    if [ -d src-tauri/reader ]; then
        programs+=(--bin shidi-reader)
    fi
    cargo build --locked --workspace "${programs[@]}" --profile bench >&2
    cargo bench --locked --workspace "${benches[@]}" --no-run --message-format json |
        python3 -c 'import json, sys
for line in sys.stdin:
    told = json.loads(line)
    if told.get("executable") and "bench" in told["target"]["kind"]:
        print(told["target"]["name"], told["executable"])'
}

say "Building the state before"
(built "$folder/before" before) >"$folder/before.list"
say "Building this state"
(built "$PWD" now) >"$folder/now.list"

# measured STATE NAME ROUND
measured() {
    local program
    program=$(awk -v name="$2" '$1 == name { print $2 }' "$folder/$1.list")
    [ -n "$program" ] || return 0
    # Where there is no desktop, those that look at one say so. What they build themselves is there already.
    CARGO_TARGET_DIR="$folder/target-$1" "$program" >"$folder/figures/$1.$2.$3" 2>"$folder/figures/$1.$2.$3.said" ||
        { echo "$2 of $1 failed; see $folder/figures/$1.$2.$3.said" >&2; return 1; }
}

for round in $(seq "$rounds"); do
    say "Round $round of $rounds"
    for name in $wanted; do
        # Who comes first finds the caches as the other has left them.
        if [ $((round % 2)) = 0 ]; then
            measured before "$name" "$round" && measured now "$name" "$round"
        else
            measured now "$name" "$round" && measured before "$name" "$round"
        fi
    done
done
python3 tests/make/beside.py "$folder/figures"
