#!/usr/bin/env bash
# Twenty everyday questions to a real model: right, wrong, looped, timed out, with rounds, tokens and seconds.
#
#   SHIDI_EVERYDAY_URL=http://127.0.0.1:8080/v1 everyday.sh
#
# Everything that was printed goes to artefacts/everyday/; what else may be set stands in tests/everyday/main.rs.

source "$(dirname "$0")/common.sh"

export SHIDI_EVERYDAY_KEEP="${SHIDI_EVERYDAY_KEEP:-$PWD/artefacts/everyday}"
cargo test --locked --workspace --test everyday -- --nocapture --test-threads=1
