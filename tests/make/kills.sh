#!/usr/bin/env bash
# Kills a workflow with steps of every kind at moments that a seed draws, and says what came of it.
#
#   SHIDI_KILLS=200 SHIDI_KILL_SEED=20 kills.sh
#
# Without SHIDI_KILLS there are 200. Without a seed each time has its own, which is told and draws the same moments again.

source "$(dirname "$0")/common.sh"

export SHIDI_KILLS="${SHIDI_KILLS:-200}" SHIDI_KILL_SEED="${SHIDI_KILL_SEED:-$(date +%s)}"

kills() { cargo test --locked --workspace --test journeys workflow_drawn_kills -- --show-output; }

step "Workflows killed: seed $SHIDI_KILL_SEED" kills
summary "make kills"
