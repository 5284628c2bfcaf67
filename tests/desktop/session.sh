#!/bin/sh
# A desktop of its own for one command: X server, session bus, window manager, compositor, private folders.
#
#   session.sh COMMAND…            everything
#   COMPOSITOR=none session.sh …   without a compositor
#   BUS=none session.sh …          without a session bus
#   SCREEN=1280x800x24 session.sh …
#   MONITORS=two session.sh …      two monitors side by side, 960x1080 and 960x800: Xvfb has only one
#
# Ends with the exit code of the command and takes everything down with it. Needs: xvfb openbox picom dbus xprop; for two
# monitors xserver-xorg-core xserver-xorg-video-dummy x11-xserver-utils.
set -eu

# Waits until a command succeeds, at most 10 s.
await() {
    tries=200
    until "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || { echo "session.sh: gave up waiting for: $*" >&2; exit 1; }
        sleep 0.05
    done
}

window_manager_is_there() { xprop -root _NET_SUPPORTING_WM_CHECK | grep -q 'window id'; }

if [ "${1:-}" = --inside ]; then
    shift
    openbox --sm-disable & manager=$!
    await window_manager_is_there
    # In the background it goes only when it has taken over the screen.
    [ "${COMPOSITOR:-picom}" = none ] || picom --backend xrender --config /dev/null --daemon >/dev/null 2>&1
    code=0; "$@" || code=$?
    kill "$manager" 2>/dev/null || true
    exit "$code"
fi

folder=$(mktemp -d)
server=
# Portals end a moment after their bus, and the file system that they mount in the folder with them.
clean() {
    kill $server 2>/dev/null || true
    tries=100
    until rm -rf "$folder" 2>/dev/null || [ "$tries" -eq 0 ]; do
        tries=$((tries - 1))
        sleep 0.1
    done
}
trap clean EXIT
mkfifo "$folder/display"
if [ "${MONITORS:-one}" = two ]; then
    cat >"$folder/xorg.conf" <<'END'
Section "ServerFlags"
  Option "AutoAddDevices" "false"
EndSection
Section "Device"
  Identifier "card"
  Driver "dummy"
  VideoRam 65536
EndSection
Section "Monitor"
  Identifier "monitor"
  HorizSync 5.0-1000.0
  VertRefresh 5.0-200.0
  Modeline "960x1080" 80 960 1000 1100 1200 1080 1083 1090 1110
  Modeline "960x800" 60 960 1000 1100 1200 800 803 810 830
EndSection
Section "Screen"
  Identifier "screen"
  Device "card"
  Monitor "monitor"
  DefaultDepth 24
  SubSection "Display"
    Depth 24
    Modes "960x1080" "960x800"
    Virtual 1920 1080
  EndSubSection
EndSection
END
    /usr/lib/xorg/Xorg -displayfd 3 -config "$folder/xorg.conf" -logfile "$folder/xorg.log" -nolisten tcp -noreset \
        3>"$folder/display" 2>/dev/null & server=$!
else
    Xvfb -displayfd 3 -screen 0 "${SCREEN:-1920x1080x24}" +extension Composite -nolisten tcp -noreset \
        3>"$folder/display" 2>/dev/null & server=$!
fi
read -r number <"$folder/display"
mkdir -m 700 "$folder/home" "$folder/run"
export DISPLAY=":$number" HOME="$folder/home" XDG_RUNTIME_DIR="$folder/run" XDG_SESSION_TYPE=x11
if [ "${MONITORS:-one}" = two ]; then
    xrandr --addmode DUMMY1 960x800
    xrandr --output DUMMY1 --mode 960x800 --right-of DUMMY0
    # Its connection is told only after somebody has asked for it.
    xrandr >/dev/null
fi
# Chinese can be typed in an UTF-8 locale only; a bare machine may have none set.
case "${LC_ALL:-${LANG:-}}" in
    *UTF-8 | *utf8) ;;
    *) unset LC_ALL; export LANG=C.UTF-8 ;;
esac
unset WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS XDG_DATA_HOME XDG_CONFIG_HOME XDG_CACHE_HOME
if [ "${BUS:-session}" = none ]; then
    # Named, so that no library starts one of its own.
    DBUS_SESSION_BUS_ADDRESS=disabled: "$0" --inside "$@"
else
    dbus-run-session -- "$0" --inside "$@"
fi
