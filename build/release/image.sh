# Makes the container image, without an engine and without a registry. Sourced by build/dist.
# shellcheck shell=bash
# shellcheck disable=SC2154  # build/dist sets the variables

# The Debian packages of the image, beside those that they depend on: a shell and the usual small
# programs for commands, git for repositories, and bubblewrap to confine them with util-linux's nsenter.
image_packages=(base-files bash bubblewrap coreutils diffutils findutils git grep libc-bin libc6 sed util-linux)

package_cache=${XDG_CACHE_HOME:-$HOME/.cache}/paddock/packages

# make_image: writes an archive that is both an OCI layout and the form that docker save writes, with
# one layer of Debian packages and one with the program.
make_image() {
    say "packing $name-image.tar.gz"
    local image=$work/image layers=() sizes=() each
    mkdir -p "$image/blobs/sha256"
    make_base "$work/base"
    for each in base installed; do
        archive "$work/$each" . >"$work/layer.tar"
        sizes+=("$(stat -c %s "$work/layer.tar")")
        layers+=("$(add_blob "$work/layer.tar")")
    done
    describe_image "$image"
    archive "$image" blobs index.json manifest.json oci-layout >"$work/$name-image.tar"
    libdeflate-gzip -6 "$work/$name-image.tar"
}

# describe_image DIR: adds the image's configuration and the manifests of both forms.
describe_image() {
    local created config manifest
    created=$(date -u -d "@$epoch" +%Y-%m-%dT%H:%M:%SZ)
    cat >"$work/config.json" <<JSON
{"created":"$created","architecture":"$debian_arch","os":"linux",
"config":{"Entrypoint":["/usr/bin/paddock","mcp"],"WorkingDir":"/work",
"Env":["PATH=/usr/local/bin:/usr/bin:/bin","LANG=C.UTF-8","XDG_STATE_HOME=/var/lib/paddock"],
"Labels":{"org.opencontainers.image.title":"paddock","org.opencontainers.image.version":"$version",
"org.opencontainers.image.revision":"$commit","org.opencontainers.image.licenses":"Apache-2.0"}},
"rootfs":{"type":"layers","diff_ids":["sha256:${layers[0]}","sha256:${layers[1]}"]},
"history":[{"created":"$created","created_by":"Debian packages"},{"created":"$created","created_by":"paddock $version"}]}
JSON
    local config_size manifest_size
    config_size=$(stat -c %s "$work/config.json")
    config=$(add_blob "$work/config.json")
    cat >"$work/manifest.json" <<JSON
{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json",
"config":{"mediaType":"application/vnd.oci.image.config.v1+json","digest":"sha256:$config","size":$config_size},
"layers":[{"mediaType":"application/vnd.oci.image.layer.v1.tar","digest":"sha256:${layers[0]}","size":${sizes[0]}},
{"mediaType":"application/vnd.oci.image.layer.v1.tar","digest":"sha256:${layers[1]}","size":${sizes[1]}}]}
JSON
    manifest_size=$(stat -c %s "$work/manifest.json")
    manifest=$(add_blob "$work/manifest.json")
    cat >"$1/index.json" <<JSON
{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json",
"manifests":[{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:$manifest","size":$manifest_size,
"annotations":{"io.containerd.image.name":"docker.io/library/paddock:$version","org.opencontainers.image.ref.name":"$version"}}]}
JSON
    echo '{"imageLayoutVersion":"1.0.0"}' >"$1/oci-layout"
    cat >"$1/manifest.json" <<JSON
[{"Config":"blobs/sha256/$config","RepoTags":["paddock:$version"],
"Layers":["blobs/sha256/${layers[0]}","blobs/sha256/${layers[1]}"]}]
JSON
}

# add_blob FILE: moves the file among the image's blobs, and prints its digest.
add_blob() {
    local digest
    digest=$(sha256sum <"$1" | cut -d ' ' -f 1)
    mv "$1" "$work/image/blobs/sha256/$digest"
    echo "$digest"
}

# make_base DIR: unpacks the Debian packages; their scripts do not run.
make_base() {
    local directory package
    for directory in bin lib lib64 sbin; do
        mkdir -p "$1/usr/$directory"
        ln -s "usr/$directory" "$1/$directory"
    done
    download_packages
    while read -r package; do
        dpkg-deb --fsys-tarfile "$package_cache/$package" | tar -C "$1" --keep-directory-symlink --no-same-owner -xp
    done <"$work/packages"
    mkdir -p "$1/work" "$1/var/lib/paddock" "$1/etc"
    ln -sf bash "$1/usr/bin/sh"
    echo 'root:x:0:0:root:/root:/bin/sh' >"$1/etc/passwd"
    echo 'root:x:0:' >"$1/etc/group"
    rm -rf "$1/usr/share/doc" "$1/usr/share/man" "$1/usr/share/info" "$1/usr/share/locale"
    cp "$work/packages" "$1/usr/share/paddock-packages"
    settle_times "$1"
    # Also for a user that the image does not know.
    chmod 1777 "$1/tmp" "$1/var/tmp" "$1/var/lib/paddock"
}

# download_packages: keeps the packages and all that they depend on, none of which this machine need
# have installed, in the cache, and lists the files in $work/packages.
download_packages() {
    mkdir -p "$package_cache" "$work/download"
    # Without this machine's own archive: apt-get does not list the files that are there already.
    apt-get -q -y --no-install-recommends --print-uris -o Dir::State::status=/dev/null -o Debug::NoLocking=true \
        -o "Dir::Cache::archives=$work/download" install "${image_packages[@]}" 2>"$work/apt.log" | sed -n "s/^'[^']*' \([^ ]*\.deb\) .*/\1/p" | sort >"$work/packages"
    [ -s "$work/packages" ] || {
        cat "$work/apt.log" >&2
        fail "apt-get cannot find the packages of the image: ${image_packages[*]}"
    }
    local file files=() missing=()
    while read -r file; do
        [ -e "$package_cache/$file" ] || files+=("$file") missing+=("${file%%_*}")
    done <"$work/packages"
    [ ${#missing[@]} -gt 0 ] || return 0
    # At once: apt-get reads its lists at each start, which takes seconds.
    (cd "$work/download" && apt-get download -q "${missing[@]}" >>"$work/apt.log" 2>&1) || {
        cat "$work/apt.log" >&2
        fail "cannot download the packages ${missing[*]}"
    }
    for file in "${files[@]}"; do
        mv "$work/download/$file" "$package_cache/$file"
    done
}
