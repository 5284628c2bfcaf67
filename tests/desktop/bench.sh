#!/bin/sh
# Builds and measures the desktop program in a desktop of its own: prints the tables of `bench.rs`.
set -eu
cd "$(dirname "$0")/../.."
cargo build --release -p shidi-desktop -p shidi-test-windows
# Libraries of the desktop talk a lot on stderr; the tables are on stdout.
exec tests/desktop/session.sh cargo bench -q -p shidi-tests --bench desktop -- "$@" 2>/dev/null
