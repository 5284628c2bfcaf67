#!/usr/bin/env bash
# How well memory is searched, on the half of the corpus that is for tuning, beside the peers' formulas; how fast, at 10,000
# and 100,000 records. Arguments go to the benchmark: --million for a million records, too; --only-quality, --only-speed;
# --failures; --test scores the half that is scored once.

source "$(dirname "$0")/common.sh"

cargo bench --locked -p shidi-store --bench memory -- "$@"
