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

# log_of TITLE: where a step's output is kept.
log_of() { printf 'artefacts/log/%s.log' "${1//[^a-zA-Z0-9]/-}"; }

took() { printf '   %s: %d s\n' "$1" "$2"; }

failed() {
    printf '\n\033[1m== FAILED: %s\033[0m after %d s; its whole output is in %s\n' "$1" "$2" "$(log_of "$1")" >&2
}

# step TITLE COMMAND…: runs a command under a headline, keeps its output, ends everything when it fails.
step() {
    local title=$1 began=$SECONDS
    shift
    say "$title"
    mkdir -p artefacts/log
    # Not as a condition: bash would then let the command go on after its own failures.
    set +e
    (set -e; "$@") 2>&1 | tee "$(log_of "$title")"
    local code=${PIPESTATUS[0]}
    set -e
    if [ "$code" -ne 0 ]; then
        failed "$title" "$((SECONDS - began))"
        exit 1
    fi
    took "$title" "$((SECONDS - began))"
}

# both TITLE COMMAND TITLE COMMAND: two steps at once, for those that mostly wait. What the first says is shown at once, what
# the second says when both are over, so that no lines mix. When one fails the other still ends; each that failed is named.
both() {
    local titles=("$1" "$3") logs=("$(log_of "$1")" "$(log_of "$3")") groups=() index code seconds wrong=()
    say "$1 (meanwhile: $3)"
    mkdir -p artefacts/log
    rm -f "${logs[@]/%/.end}"
    # Each is a group of processes of its own, which ends as a whole.
    trap 'end_groups "${groups[@]}"; exit 130' INT TERM HUP
    set -m
    (set +m; noted "${logs[0]}" "$2" 2>&1 | tee "${logs[0]}") </dev/null &
    groups+=($!)
    (set +m; noted "${logs[1]}" "$4") </dev/null >"${logs[1]}" 2>&1 &
    groups+=($!)
    set +m
    for index in 0 1; do
        wait "${groups[index]}" || true
        if [ "$index" -eq 1 ]; then
            say "${titles[1]}"
            cat "${logs[1]}"
        fi
        # What was killed from outside left no word.
        code=1 seconds=$SECONDS
        read -r code seconds 2>/dev/null <"${logs[index]}.end" || true
        if [ "$code" -eq 0 ]; then took "${titles[index]}" "$seconds"; else wrong+=("$index" "$seconds"); fi
    done
    trap - INT TERM HUP
    if [ "${#wrong[@]}" -gt 0 ]; then
        for ((index = 0; index < ${#wrong[@]}; index += 2)); do
            failed "${titles[wrong[index]]}" "${wrong[index + 1]}"
        done
        exit 1
    fi
}

# noted LOG COMMAND: runs a command, and writes beside its log what it ended with and after how many seconds.
noted() {
    local began=$SECONDS code
    set +e
    (set -e; "$2")
    code=$?
    printf '%d %d\n' "$code" "$((SECONDS - began))" >"$1.end"
}

# end_groups GROUP…: ends groups of processes, after ten seconds those that do not want to.
end_groups() {
    local group tries=100
    for group in "$@"; do kill -TERM -- "-$group" 2>/dev/null || true; done
    for group in "$@"; do
        while kill -0 -- "-$group" 2>/dev/null && [ "$tries" -gt 0 ]; do
            tries=$((tries - 1))
            sleep 0.1
        done
        kill -KILL -- "-$group" 2>/dev/null || true
    done
}

# windows_are_built: a build of the desktop program takes them as they lie there. On a machine that checks out anew, all
# of their sources look changed, and they would be built once more; elsewhere, builds in turn with and without would be.
windows_are_built() {
    if [ "${CI:-}" = true ]; then export SHIDI_SKIP_UI_BUILD=1; fi
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
