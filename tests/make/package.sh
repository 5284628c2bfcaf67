#!/usr/bin/env bash
# Builds a .deb and an .rpm in artefacts/packages/ and tells their sizes. PROFILE=dev takes the quick build, for the test
# that installs one.
#
# AppImage, dmg and nsis are configured in tauri.conf.json and untested: their tools are downloaded while bundling.

source "$(dirname "$0")/common.sh"

profile="${PROFILE:-release}"
case "$profile" in
    dev) built=debug debug=(--debug) ;;
    *) built=$profile debug=() ;;
esac
# The installed size that DESIGN sets, in kB, for the release build.
size_limit_kb=40960

# Not in ui/package-lock.json: not every registry has its programs for all systems, and a lock wants them all.
bundler=@tauri-apps/cli@2.12.5

tests/make/setup.sh
say "Building"
cargo build --locked --profile "$profile" -p shidi-desktop -p shidi-cli
programs="$(realpath "$targets")/$built"
worker=$(find "$(realpath "$worker_targets")" -path '*/release/shidi-executor-worker' -type f | head -n 1)
files=$(printf '{"/usr/bin/shidi":"%s","/usr/lib/shidi/shidi-executor-worker":"%s","/usr/lib/shidi/libshidi_no_driver.so":"%s"}' \
    "$programs/shidi" "$worker" "$programs/libshidi_no_driver.so")

say "Bundling"
# An earlier version's packages would lie beside the new ones.
rm -rf "$programs/bundle" artefacts/packages
mkdir -p artefacts/packages
npm exec --yes --package "$bundler" -- tauri bundle "${debug[@]}" --ci --bundles deb,rpm \
    --config "{\"bundle\":{\"linux\":{\"deb\":{\"files\":$files},\"rpm\":{\"files\":$files}}}}"
cp "$programs"/bundle/deb/*.deb "$programs"/bundle/rpm/*.rpm artefacts/packages/

say "Packages"
for package in artefacts/packages/*; do
    printf '%8d kB  %s\n' "$(($(stat -c %s "$package") / 1024))" "$package"
done
installed=$(dpkg-deb --field artefacts/packages/*.deb Installed-Size)
printf 'Installed: %d kB (at most %d kB for a release build)\n' "$installed" "$size_limit_kb"
if [ "$profile" = release ] && [ "$installed" -gt "$size_limit_kb" ]; then
    echo "The installed size is over its limit" >&2
    exit 1
fi
