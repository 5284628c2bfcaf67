#!/usr/bin/env bash
# Builds a .deb and an .rpm in artefacts/packages/ and tells their sizes. PROFILE=dev takes the quick build, for the test
# that installs one.
#
# AppImage, dmg and nsis are configured in tauri.conf.json and untested: their tools are downloaded while bundling.

source "$(dirname "$0")/common.sh"

profile="${PROFILE:-dist}"
# A quick build holds what debuggers need: to pack that tightly takes minutes.
case "$profile" in
    # What the tests have built already.
    dev) built=debug debug=(--debug) pack=gzip ;;
    *) built=$profile debug=() pack=xz ;;
esac
# The size of a package that DESIGN sets, in kB, for the release build.
size_limit_kb=40960

# Not in ui/package-lock.json: not every registry has its programs for all systems, and a lock wants them all.
bundler=@tauri-apps/cli@2.12.5

tests/make/setup.sh run
say "Building"
if [ "$profile" = dev ]; then
    cargo build --locked --workspace
else
    all_programs "$profile"
fi
programs="$(realpath "$targets")/$built"
worker=$(find "$(realpath "$worker_targets")" -path '*/release/shidi-executor-worker' -type f | head -n 1)
files=$(printf '{"/usr/bin/shidi":"%s","/usr/lib/shidi/shidi-executor-worker":"%s","/usr/lib/shidi/shidi-reader":"%s","/usr/lib/shidi/libshidi_no_driver.so":"%s"}' \
    "$programs/shidi" "$worker" "$programs/shidi-reader" "$programs/libshidi_no_driver.so")

say "Bundling"
# An earlier version's packages would lie beside the new ones.
rm -rf "$programs/bundle" artefacts/packages
mkdir -p artefacts/packages
npm exec --yes --package "$bundler" -- tauri bundle "${debug[@]}" --ci --bundles deb,rpm \
    --config "{\"bundle\":{\"linux\":{\"deb\":{\"files\":$files},
        \"rpm\":{\"files\":$files,\"compression\":{\"type\":\"$pack\",\"level\":6}}}}}"
cp "$programs"/bundle/rpm/*.rpm artefacts/packages/
# The bundler packs a .deb by gzip always: packed anew it is a quarter smaller.
for package in "$programs"/bundle/deb/*.deb; do
    if [ "$pack" = gzip ]; then
        cp "$package" artefacts/packages/
        continue
    fi
    unpacked=$(mktemp -d)
    dpkg-deb --raw-extract "$package" "$unpacked"
    # What the rights of a home folder hide would be hidden in the package.
    chmod 755 "$unpacked"
    dpkg-deb --root-owner-group -Zxz --build "$unpacked" "artefacts/packages/$(basename "$package")" >/dev/null
    rm -rf "$unpacked"
done

say "Packages"
for package in artefacts/packages/*; do
    size_kb=$(($(stat -c %s "$package") / 1024))
    printf '%8d kB  %s\n' "$size_kb" "$package"
    if [ "$profile" = dist ] && [ "$size_kb" -gt "$size_limit_kb" ]; then
        echo "$package is over its limit of $size_limit_kb kB" >&2
        exit 1
    fi
done
installed=$(dpkg-deb --field artefacts/packages/*.deb Installed-Size)
printf 'Installed: %d kB\n' "$installed"
