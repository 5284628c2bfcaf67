#!/usr/bin/env bash
# The promises of `make test` with large numbers: hundreds of kills, thousands of cases for each property.
# Takes an hour or more, and goes on after a failure so that one run tells all of them.

source "$(dirname "$0")/common.sh"

rm -rf artefacts/log
export SHIDI_SOAK=1 PROPTEST_CASES="${PROPTEST_CASES:-20000}"

soak_tests() { cargo test --locked --workspace --no-fail-fast -- --show-output; }

tests/make/setup.sh
step "Soak" soak_tests
summary "make soak"
