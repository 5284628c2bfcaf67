#!/usr/bin/env bash
# Makes a bare Debian machine able to build and run Shidi, and to test it. Changes nothing, and takes a second, when all
# is there.
#
#   setup.sh [run|test]    what running needs, or all of it (the default)
#
# Toolchains (Rust, Node) are checked, not installed: whoever works here has chosen how to get them.

source "$(dirname "$0")/common.sh"

build_packages="build-essential pkg-config file patchelf
    libwebkit2gtk-4.1-dev libgtk-3-dev libayatana-appindicator3-dev librsvg2-dev libxdo-dev libssl-dev"
# Text of both languages, and walls around commands: commands do not run without.
run_packages="fonts-noto-cjk fonts-noto-core fonts-inter fonts-jetbrains-mono bubblewrap"
# A desktop of its own, where there is no display.
virtual_packages="xvfb openbox picom dbus dbus-x11 xauth xdotool xclip xterm wmctrl x11-utils imagemagick libgl1-mesa-dri gnome-keyring"
desktop_packages="x11-apps at-spi2-core webkit2gtk-driver libsecret-tools desktop-file-utils python3-xlib python3-gi gir1.2-gtk-3.0"
# A Wayland desktop without a screen, its accessibility, and its portal for pictures.
wayland_packages="sway wtype wl-clipboard xdg-desktop-portal xdg-desktop-portal-wlr xdg-desktop-portal-gtk grim pipewire libgtk-layer-shell0"
# A display with two monitors; its tests say NOT RUN without it.
monitor_packages="xserver-xorg-core xserver-xorg-video-dummy x11-xserver-utils"
# For recognising words in a picture, which is optional; its test says NOT RUN without it.
reading_packages="tesseract-ocr tesseract-ocr-eng tesseract-ocr-chi-sim"
# Makes the long PDF of the import's test, which says NOT RUN without it.
paper_packages="python3-reportlab"
# For servers of others that speak MCP, an environment of their own.
peer_packages="python3-venv"
browser_packages="chromium"

rust_least=1.95
node_least=20.19

purpose="${1:-test}"
packages="$build_packages $run_packages"
case "$purpose" in
    run) [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || packages+=" $virtual_packages" ;;
    test) packages+=" $virtual_packages $desktop_packages $wayland_packages $monitor_packages $reading_packages $paper_packages $peer_packages $browser_packages" ;;
    *) echo "setup.sh [run|test]" >&2; exit 2 ;;
esac

main() {
    system_packages
    rust
    node
    modules ui
    if [ "$purpose" = run ]; then
        return
    fi
    for peer in tests/peers/*/; do
        if [ -f "$peer/package-lock.json" ]; then
            modules "${peer%/}"
        fi
        if [ -f "$peer/requirements.txt" ]; then
            python_modules "${peer%/}"
        fi
    done
}

system_packages() {
    if ! command -v dpkg-query >/dev/null; then
        echo "This is no Debian: install what corresponds to" $packages
        return
    fi
    local missing
    missing=$(missing_packages)
    if [ -z "$missing" ]; then
        return
    fi
    say "Installing system packages:" $missing
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "System packages are missing. As root: apt-get install --no-install-recommends" $missing >&2
            exit 1
        fi
        as_root=(sudo)
    fi
    # Another installation may be under way: wait for it.
    local patient=(-o DPkg::Lock::Timeout=400 -o Acquire::Retries=3)
    "${as_root[@]}" apt-get "${patient[@]}" update -q
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get "${patient[@]}" install -q -y --no-install-recommends $missing
}

missing_packages() {
    local present
    present=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2>/dev/null | sed -n 's/^installed //p' | sort -u)
    comm -23 <(printf '%s\n' $packages | sort -u) <(printf '%s\n' "$present")
}

rust() {
    local found
    if ! found=$(rustc --version 2>/dev/null); then
        echo "Rust $rust_least or later is needed and no rustc was found: see https://rustup.rs" >&2
        exit 1
    fi
    at_least "$rust_least" "$(printf '%s' "$found" | cut -d' ' -f2)" || {
        echo "Rust $rust_least or later is needed, this is $found: run rustup update stable" >&2
        exit 1
    }
}

node() {
    if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
        echo "Node $node_least or later with npm is needed to build the windows: see https://nodejs.org" >&2
        exit 1
    fi
    local found
    found=$(command node --version)
    at_least "$node_least" "${found#v}" || {
        echo "Node $node_least or later is needed, this is $found: see https://nodejs.org" >&2
        exit 1
    }
}

# at_least LEAST FOUND: compares versions.
at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

# modules FOLDER: installs npm modules when the lock has changed since the last time.
modules() {
    local folder=$1 lock stamp
    stamp="$folder/node_modules/.installed-lock"
    lock=$(sha256sum <"$folder/package-lock.json")
    if [ "$(cat "$stamp" 2>/dev/null)" = "$lock" ]; then
        return
    fi
    say "Installing npm modules of $folder"
    (cd "$folder" && npm ci --no-audit --no-fund)
    printf '%s\n' "$lock" >"$stamp"
}

# python_modules FOLDER: the same for Python, in an environment of the folder's own. Optional: tests that want them say
# NOT RUN without.
python_modules() {
    local folder=$1 lock stamp
    stamp="$folder/.python/.installed-lock"
    # Another Python finds nothing in the environment of the one before.
    lock=$( (cat "$folder/requirements.txt" && python3 --version) 2>&1 | sha256sum)
    if [ "$(cat "$stamp" 2>/dev/null)" = "$lock" ]; then
        return
    fi
    say "Installing Python modules of $folder"
    if ! { python3 -m venv "$folder/.python" && "$folder/.python/bin/pip" install -q --disable-pip-version-check -r "$folder/requirements.txt"; }; then
        echo "Python modules of $folder could not be installed; the tests that want them will say NOT RUN" >&2
        return
    fi
    printf '%s\n' "$lock" >"$stamp"
}

main
