#!/usr/bin/env bash
# What a new user does first, in the real windows: summon, ask, read the answer, kill the program, find it all again.
# Runs within tests/desktop/session.sh with `shidi` and `shidi-desktop` on PATH; leaves a picture of each stage.
#
#   journey.sh FOLDER-FOR-PICTURES

set -euo pipefail

pictures=$1
question="what is 17 * 23?"
answer=391
data=$(mktemp -d)
export SHIDI_DATA_DIR="$data" LANG=C.UTF-8 LC_ALL=C.UTF-8
program=
trap 'stop; clean' EXIT

# Waits until a command succeeds, at most 60 s: the first start of a debug build is slow.
await() {
    local what=$1 tries=600
    shift
    until "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        if [ "$tries" -eq 0 ]; then
            picture "waiting-in-vain"
            echo "Waited in vain until $what" >&2
            exit 1
        fi
        sleep 0.1
    done
    echo "   $what"
}

picture() { import -window root "$pictures/$1.png"; }

start() {
    shidi-desktop --lang en 2>"$pictures/desktop.log" &
    program=$!
    await "the ball is on the desktop" xdotool search --onlyvisible --name '^Shidi: '
}

stop() {
    if [ -n "$program" ]; then
        kill -9 "$program" 2>/dev/null || true
        wait "$program" 2>/dev/null || true
        program=
    fi
}

# The view's own processes end by themselves once the program was killed, and write until then.
clean() {
    local tries=100
    until rm -rf "$data" 2>/dev/null || [ "$tries" -eq 0 ]; do
        tries=$((tries - 1))
        sleep 0.1
    done
}

panel_is_focused() { [ "$(xdotool getactivewindow getwindowname)" = Shidi ]; }

# The ball is there a moment before the keys are: whoever presses too early presses again.
press_until_focused() {
    panel_is_focused && return
    xdotool search --onlyvisible --name '^Shidi$' || xdotool key ctrl+alt+space
    timeout 2 sh -c 'until [ "$(xdotool getactivewindow getwindowname)" = Shidi ]; do sleep 0.05; done'
}

summon() { await "the hotkey brings the panel, focused" press_until_focused; }

is_welcomed() { shidi config get first_run | grep -q done; }

is_answered() { shidi session show last | grep -q "$answer"; }

# Waits until the screen stays as it is, so that a picture shows what a person would see.
settle() {
    local before='' now tries=50
    now=$(import -window root rgba:- | sha256sum)
    while [ "$now" != "$before" ] && [ "$tries" -gt 0 ]; do
        before=$now tries=$((tries - 1))
        sleep 0.2
        now=$(import -window root rgba:- | sha256sum)
    done
}

start
settle
picture 1-ball
summon
settle
picture 2-first-run
# Closes the first run by keys alone: language, then the cross.
xdotool key Tab Tab Return
await "the first run is done" is_welcomed
settle
picture 3-panel
xdotool type --delay 20 "$question"
settle
picture 4-question
xdotool key Return
await "the answer is $answer, and it is stored" is_answered
settle
picture 5-answer
stop
echo "   the program was killed"
start
summon
settle
picture 6-after-kill
is_answered
echo "   the conversation is still there"
