#!/usr/bin/env bash
# Installs the package of a development build, does with it what a new user does first, and removes it again.
# Only where that is ours to do: as root, on a Debian machine that has no Shidi installed.

source "$(dirname "$0")/common.sh"

if [ "$(id -u)" -ne 0 ] || ! command -v dpkg-deb >/dev/null || dpkg -s shidi >/dev/null 2>&1; then
    echo "NOT RUN: an installed package: only root, on a Debian machine without Shidi, may install one"
    exit 0
fi
PROFILE=dev tests/make/package.sh
trap 'dpkg --purge shidi >/dev/null' EXIT
dpkg --install artefacts/packages/*.deb
rm -rf artefacts/installed
mkdir -p artefacts/installed
# Nothing of the build folder may be found: what runs is what was installed.
PATH=/usr/local/bin:/usr/bin:/bin desktop tests/make/journey.sh "$PWD/artefacts/installed"
desktop-file-validate /usr/share/applications/Shidi.desktop
# Links reach the program only through these two lines.
grep -qx 'MimeType=x-scheme-handler/shidi;' /usr/share/applications/Shidi.desktop
grep -qx 'Exec=.* %u' /usr/share/applications/Shidi.desktop
