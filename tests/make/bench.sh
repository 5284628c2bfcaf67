#!/usr/bin/env bash
# Figures of this machine, release build. Compare only figures of one run; a busy machine makes them upper bounds.

source "$(dirname "$0")/common.sh"

rm -rf artefacts/log

programs() { cargo build --locked --release -p shidi-cli -p shidi-desktop -p shidi-test-windows; }
libraries() { cargo bench --locked --workspace --exclude shidi-tests --benches; }
windows() {
    cargo bench --locked -p shidi-tests --no-run
    desktop cargo bench --locked -p shidi-tests --benches
}

tests/make/setup.sh
step "Programs" programs
step "Libraries" libraries
step "Windows" windows
step "Beside py4j" tests/benches/py4j/bench.sh
say "All output is in artefacts/log/"
