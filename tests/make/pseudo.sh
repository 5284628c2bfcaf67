#!/usr/bin/env bash
# The program with one language more, made of English: what people read is in it, and nothing is left in English.
# Builds the command line once more, in a folder of its own; takes some minutes the first time.

source "$(dirname "$0")/common.sh"

folder="$(realpath -m "$targets")/pseudo"
host=$(rustc -vV | sed -n 's/^host: //p')

# The worker says nothing to people: the one that is there is taken.
pseudo_program() {
    cargo build --locked --workspace
    rm -rf "$folder/locales"
    cargo run --locked --quiet --package shidi-locales --example pseudo --target-dir "$folder" -- "$folder/locales"
    SHIDI_LOCALES="$folder/locales" SHIDI_WORKER="$worker_targets/$host/release/shidi-executor-worker" \
        cargo build --locked --package shidi-cli --bin shidi --target-dir "$folder"
}

pseudo_tests() {
    SHIDI_PSEUDO="$folder/debug/shidi" cargo test --locked --workspace --test journeys pseudo -- --show-output
}

step "A program with one language more" pseudo_program
step "What it says" pseudo_tests
summary "make pseudo"
