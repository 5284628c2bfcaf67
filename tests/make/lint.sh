#!/usr/bin/env bash
# Format, tidiness, lints, types, and the tests of the package that stands outside the workspace. `make test` begins with
# them.

source "$(dirname "$0")/common.sh"

worker_manifest=src-tauri/executor/worker/Cargo.toml

format() {
    cargo fmt --all --check
    cargo fmt --manifest-path "$worker_manifest" --check
}

# Tests that need a desktop are run by name only, and are no targets of their package: that they compile is seen here.
workspace_lints() {
    cargo clippy --locked --workspace --all-targets -- -D warnings
    cargo check --locked --workspace --test desktop --test screen --test wayland
}

# The worker declares a newer compiler than it needs, so it is linted on its own.
worker_lints() {
    cargo clippy --manifest-path "$worker_manifest" --target-dir "$worker_targets" \
        --locked --ignore-rust-version --release --all-targets -- -D warnings
}

# Built for the same target as by the executor, so that the interpreter is compiled once.
worker_tests() {
    local host
    host=$(rustc -vV | sed -n 's/^host: //p')
    cargo test --manifest-path "$worker_manifest" --target-dir "$worker_targets" --target "$host" \
        --locked --ignore-rust-version --release
}

ui_types() { (cd ui && npm run check); }
ui_build() { (cd ui && npm run build); }

tests/make/setup.sh
step "Format" format
step "Windows: types and lints" ui_types
# The desktop program embeds the built windows, so they come before everything that compiles it.
step "Windows: build" ui_build
windows_are_built
step "Tidiness" cargo test --locked --workspace --test tidy
step "Lints of the workspace" workspace_lints
step "Lints of the worker" worker_lints
step "Tests of the worker" worker_tests
