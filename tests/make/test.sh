#!/usr/bin/env bash
# Every check there is, with small numbers. Ends at the first one that fails; lists at the end what could not be run.

source "$(dirname "$0")/common.sh"

rm -rf artefacts/log
spare_room

ui_tests() { (cd ui && npm test); }

# What ships was built by the lints; these are the same windows over recorded replies.
ui_scripted() { (cd ui && npm run build:scripted); }
ui_in_browser() { (cd ui && npm exec -- vitest run --project browser); }

# All programs. Every step names the whole workspace: another selection has other features, and builds all libraries anew.
programs() { cargo build --locked --workspace; }

# The extension in a real browser, at last with the real program.
companion_tests() {
    programs
    local program
    program="$(realpath "$targets")/debug/shidi"
    (cd ui && SHIDI="$program" npm run test:companion)
}

# Without examples in comments, of which there are none (`tests/tidy`): to look for them starts a compiler for each crate.
of_workspace=(cargo test --locked --workspace --tests)
workspace_built() {
    programs
    "${of_workspace[@]}" --no-run
}

# The same cases every time: a landing is judged by what changed and not by what was drawn. `make soak` draws anew.
export PROPTEST_RNG_SEED=20261130

# Output of passing tests is shown too: it holds the lines about what was not run.
# Two tests for each core: most of a journey is waiting for the programs that it starts.
# Bindings were compared by the tidiness. Written anew among the windows' code, they would have the desktop program built
# once more.
workspace_tests() {
    mkdir -p artefacts/bindings
    TS_RS_EXPORT_DIR="$PWD/artefacts/bindings" RUST_TEST_THREADS=$((2 * $(nproc))) "${of_workspace[@]}" -- --show-output
}

# One after the other: the tests share one desktop, and each has its own window in front.
screen_tests() {
    programs
    cargo test --locked --workspace --test screen --no-run
    PATH="$(realpath "$targets")/debug:$PATH" desktop \
        cargo test --locked --workspace --test screen -- --show-output --test-threads=1
}

# Ended after 25 minutes, as `desktop` does.
wayland_tests() {
    if ! tests/desktop/wayland.sh true; then
        echo "NOT RUN: what is seen of a Wayland desktop (sway could not begin here)"
        return
    fi
    programs
    cargo test --locked --workspace --test wayland --no-run
    PATH="$(realpath "$targets")/debug:$PATH" timeout --kill-after=30 1500 tests/desktop/wayland.sh \
        cargo test --locked --workspace --test wayland -- --show-output --test-threads=1
}

# The programs of the desktop tests, built by this step so that none of its time counts as waiting for a window.
desktop_programs() {
    programs
    PATH="$(realpath "$targets")/debug:$PATH"
}

desktop_journey() {
    desktop_programs
    rm -rf artefacts/run
    mkdir -p artefacts/run
    desktop tests/make/journey.sh "$PWD/artefacts/run"
}

windows_tests() {
    rm -rf artefacts/windows
    mkdir -p artefacts/windows
    SHIDI_PICTURES="$PWD/artefacts/windows" desktop cargo test --locked --workspace --test desktop -- --show-output --test-threads=1
}

desktop_tests() {
    desktop_programs
    cargo test --locked --workspace --test desktop --no-run
    windows_tests
}

tests/make/lint.sh
windows_are_built
step "Windows: logic" ui_tests
step "Windows: build over recorded replies" ui_scripted
step "Tests of the workspace: build" workspace_built
# Both mostly wait: at once they take a third less time than one after the other.
both "Tests of the workspace" workspace_tests "Windows: in a browser" ui_in_browser
step "The companion in a real browser" companion_tests
step "What is seen of a screen" screen_tests
step "What is seen of a Wayland desktop" wayland_tests
step "A new user's first minute" desktop_journey
if [ -f tests/desktop/main.rs ]; then
    step "Tests on a desktop" desktop_tests
fi
step "An installed package" tests/make/installed.sh
summary "make test"
