# Shared by the scripts behind the Makefile: where we are, where builds go, steps with a headline and their time.
# Sourced, not run.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# Machines that build often and check out anew keep what was built beside the checkout.
if [ "${CI:-}" = true ]; then
    export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$HOME/.cache/shidi/target}"
    export SHIDI_WORKER_TARGET_DIR="${SHIDI_WORKER_TARGET_DIR:-$HOME/.cache/shidi/worker}"
fi
targets="${CARGO_TARGET_DIR:-target}"
worker_targets="${SHIDI_WORKER_TARGET_DIR:-$PWD/src-tauri/executor/worker/target}"

# What a build of everything with its tests takes, measured: 11 GB, of them 5 the compiler's own memory of earlier builds.
room_wanted=20

# spare_room: takes away what no later build asks for. A folder of builds that outlives its checkouts grew by some GB with each.
# A checkout is new each time, so all of our own crates are built again: what the last test run did not write is left over.
spare_room() {
    [ "${CI:-}" = true ] && [ -d "$targets/debug" ] || return 0
    local began="$targets/debug/.last-test" free written=()
    if [ -f "$began" ]; then written=(! -newer "$began"); fi
    find "$targets/debug/incremental" -mindepth 1 -maxdepth 1 "${written[@]}" -exec rm -rf {} + 2>/dev/null || true
    # Libraries of others keep their time for as long as they are in use; programs are always ours.
    find "$targets/debug/deps" -type f "${written[@]}" \
        \( -name '*shidi*' -o -perm -u+x ! -name '*.so' \) -delete 2>/dev/null || true
    touch "$began"
    free=$(($(df --output=avail -k "$targets" | tail -n 1) / 1048576))
    if [ "$free" -lt "$room_wanted" ]; then
        say "Only $free GB are free in $targets: built without the compiler's memory of earlier builds"
        rm -rf "$targets/debug/incremental"
        export CARGO_INCREMENTAL=0
    fi
}

# A desktop session has a home of its own, and the toolchain stays where it is.
export CARGO_HOME="${CARGO_HOME:-$HOME/.cargo}" RUSTUP_HOME="${RUSTUP_HOME:-$HOME/.rustup}"
export PATH="$CARGO_HOME/bin:$PATH"

say() { printf '\n\033[1m== %s\033[0m\n' "$*"; }

# step TITLE COMMAND…: runs a command under a headline, keeps its output, ends everything when it fails.
step() {
    local title=$1 began=$SECONDS
    shift
    say "$title"
    mkdir -p artefacts/log
    local log="artefacts/log/${title//[^a-zA-Z0-9]/-}.log"
    # Not as a condition: bash would then let the command go on after its own failures.
    set +e
    (set -e; "$@") 2>&1 | tee "$log"
    local code=${PIPESTATUS[0]}
    set -e
    if [ "$code" -ne 0 ]; then
        printf '\n\033[1m== FAILED: %s\033[0m after %d s; its whole output is in %s\n' \
            "$title" "$((SECONDS - began))" "$log" >&2
        exit 1
    fi
    printf '   %s: %d s\n' "$title" "$((SECONDS - began))"
}

# all_programs PROFILE: builds what a user runs. The worker begins first: its last crates come one after the other, and a
# core would wait for them at the end.
all_programs() {
    local host
    host=$(rustc -vV | sed -n 's/^host: //p')
    cargo build --manifest-path src-tauri/executor/worker/Cargo.toml --target-dir "$worker_targets" --target "$host" \
        --release --locked --ignore-rust-version --quiet &
    cargo build --locked --profile "$1" -p shidi-desktop -p shidi-cli -p shidi-reader
    wait $!
}

# Lists the checks that found their data or peer absent, and ends with the time of everything.
summary() {
    local missing
    missing=$(grep -hao 'NOT RUN.*' artefacts/log/*.log 2>/dev/null | sort -u || true)
    say "$1: all green in $SECONDS s"
    if [ -n "$missing" ]; then
        printf '%s\n' "$missing"
    fi
}

# desktop COMMAND…: runs a command in a desktop session of its own. What waits for a window that never answers would wait
# for ever, so it is ended after 25 minutes; all of them together take a third of that.
desktop() { timeout --kill-after=30 1500 tests/desktop/session.sh "$@"; }
