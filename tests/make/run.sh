#!/usr/bin/env bash
# Builds and starts the desktop program. Where there is no display it says so, starts the program in a virtual one,
# does there what a new user would do, and leaves pictures in artefacts/run/.

source "$(dirname "$0")/common.sh"

profile="${PROFILE:-dev}"
case "$profile" in dev) built=debug ;; *) built=$profile ;; esac

tests/make/setup.sh run
if [ -e "$targets/$built/shidi-desktop" ]; then
    say "Building what has changed"
else
    say "Building the windows and all programs: some ten minutes on two cores, this once"
fi
all_programs "$profile"
export PATH="$(realpath "$targets")/$built:$PATH"

if [ -n "${DISPLAY:-}" ] || [ -n "${WAYLAND_DISPLAY:-}" ] || [ "$(uname)" != Linux ]; then
    say "Shidi runs: press Ctrl+Alt+Space, or click the ball. Ctrl-C ends it"
    exec shidi-desktop
fi

say "There is no display here: Shidi runs in a virtual one; pictures go to artefacts/run/"
rm -rf artefacts/run
mkdir -p artefacts/run
desktop tests/make/journey.sh "$PWD/artefacts/run"
say "The journey is done; its pictures:"
ls artefacts/run
