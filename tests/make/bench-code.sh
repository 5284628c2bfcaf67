#!/usr/bin/env bash
# What questions about code cost by the index and by grep, on the repositories below SHIDI_CODE_REPOSITORIES: ripgrep, scrapy,
# caddy (their states stand in docs/decisions/code.md), and `large`, any folder that is indexed as a whole.

source "$(dirname "$0")/common.sh"

cargo build --locked --profile bench -p shidi-cli -p shidi-reader
cargo bench --locked -p shidi-tests --bench code
