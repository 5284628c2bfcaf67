#!/usr/bin/env bash
# The promises of `make test` with large numbers: hundreds of kills, thousands of cases for each property.
# Takes an hour or more, and goes on after a failure so that one run tells all of them.

source "$(dirname "$0")/common.sh"

rm -rf artefacts/log
export SHIDI_SOAK=1

soak_tests() {
    PROPTEST_CASES="${PROPTEST_CASES:-20000}" \
        cargo test --locked --workspace --exclude shidi-store --no-fail-fast -- --show-output
}

# Each case opens a database of its own on the disk: some sixty milliseconds.
soak_store() {
    PROPTEST_CASES="${PROPTEST_CASES:-2000}" cargo test --locked -p shidi-store --no-fail-fast -- --show-output
}

tests/make/setup.sh
step "Soak of storage" soak_store
step "Soak of everything else" soak_tests
summary "make soak"
