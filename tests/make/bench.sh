#!/usr/bin/env bash
# Figures of this machine, release build. Compare only figures of one run; a busy machine makes them upper bounds.

source "$(dirname "$0")/common.sh"

rm -rf artefacts/log

# The command line by itself, as the measurements build it: together with the windows it would be built once more.
programs() {
    cargo build --locked --profile bench -p shidi-desktop -p shidi-test-windows
    cargo build --locked --profile bench -p shidi-cli -p shidi-reader
}
libraries() { cargo bench --locked -p shidi-agent -p shidi-store -p shidi-executor --bench '*'; }
windows() {
    cargo bench --locked -p shidi-tests --bench '*' --no-run
    tests/desktop/session.sh cargo bench --locked -p shidi-tests --bench '*'
}
streaming() { (cd ui && npm run bench); }

tests/make/setup.sh
step "Programs" programs
step "Libraries" libraries
step "Windows" windows
step "Streaming of long answers" streaming
step "Beside py4j" tests/benches/py4j/bench.sh
say "All output is in artefacts/log/"
