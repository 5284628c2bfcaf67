#!/bin/sh
# A Wayland desktop of its own for one command: sway without a screen, session bus, portals, private folders.
#
#   wayland.sh COMMAND…
#
# Whoever is asked by the portal to choose a part of the screen chooses SHIDI_CHOICE ("x,y widthxheight"); without one, nothing
# is chosen. Needs: sway wtype wl-clipboard dbus at-spi2-core xdg-desktop-portal xdg-desktop-portal-wlr xdg-desktop-portal-gtk grim
# pipewire libgtk-layer-shell0.
set -eu

# Waits until a command succeeds, at most 10 s.
await() {
    tries=200
    until "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || { echo "wayland.sh: gave up waiting for: $*" >&2; exit 1; }
        sleep 0.05
    done
}

if [ "${1:-}" = --inside ]; then
    shift
    dbus-update-activation-environment --all
    # The portal for pictures does not begin without it.
    pipewire >/dev/null 2>&1 & media=$!
    await test -S "$XDG_RUNTIME_DIR/pipewire-0"
    code=0; "$@" || code=$?
    kill "$media" 2>/dev/null || true
    exit "$code"
fi

folder=$(mktemp -d)
chmod 711 "$folder"
compositor= keyboard=
clean() {
    kill $keyboard $compositor 2>/dev/null || true
    tries=100
    until rm -rf "$folder" 2>/dev/null || [ "$tries" -eq 0 ]; do
        tries=$((tries - 1))
        # Portals end a moment after their bus, and the file system that they mount with them.
        umount -l "$folder/run/doc" 2>/dev/null || true
        sleep 0.1
    done
}
trap clean EXIT
mkdir -m 700 "$folder/home" "$folder/run"
mkdir "$folder/bin"
# sway refuses to be root: then it is nobody, who has the folder of the sockets meanwhile.
as=
if [ "$(id -u)" = 0 ]; then
    as="setpriv --reuid=65534 --regid=65534 --clear-groups"
    chown 65534:65534 "$folder/run"
fi
export HOME="$folder/home" XDG_RUNTIME_DIR="$folder/run" XDG_SESSION_TYPE=wayland XDG_CURRENT_DESKTOP=sway
unset DISPLAY WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS XDG_DATA_HOME XDG_CONFIG_HOME XDG_CACHE_HOME
printf 'xwayland disable\ndefault_border none\n' >"$folder/config"
# It stands for the user who draws a frame with the pointer: this desktop has none.
cat >"$folder/bin/slurp" <<'END'
#!/bin/sh
choice=$(cat "${0%/*}/choice" 2>/dev/null) && [ -n "$choice" ] && echo "$choice"
END
chmod +x "$folder/bin/slurp"
printf '%s' "${SHIDI_CHOICE:-}" >"$folder/bin/choice"
export PATH="$folder/bin:$PATH" SHIDI_CHOICE_FILE="$folder/bin/choice"
WLR_BACKENDS=headless WLR_RENDERER=pixman WLR_LIBINPUT_NO_DEVICES=1 \
    $as sway --config "$folder/config" >/dev/null 2>"$folder/sway.log" & compositor=$!
socket() { ls "$folder/run" | grep -x 'wayland-[0-9]*'; }
await socket
WAYLAND_DISPLAY=$(socket)
SWAYSOCK=$(ls "$folder"/run/sway-ipc.*)
export WAYLAND_DISPLAY SWAYSOCK
if [ -n "$as" ]; then
    chown -R 0:0 "$folder/run"
fi
# Without a keyboard no window has the focus: this one presses nothing.
wtype -s 3600000 x & keyboard=$!
dbus-run-session -- "$0" --inside "$@"
