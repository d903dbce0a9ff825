#!/bin/sh
# Creates the images of the Docker tests from Debian packages, without an image registry.
#
#   build/test-images.sh build    creates the missing images, and records which it created
#   build/test-images.sh remove   removes the images that it created
#
#   paddock-test/busybox   a static busybox and its applets
#   paddock-test/shell     a static shell and nothing else
#   paddock-test/debian    a minimal Debian with bash and git
#
# ${XDG_CACHE_HOME:-~/.cache}/paddock keeps the parts that take long to create. The docker command
# selects the engine.
set -eu
CDPATH='' cd "$(dirname "$0")/.."

cache=${XDG_CACHE_HOME:-$HOME/.cache}/paddock
made=build/test-images.made # not below target, which a clean build deletes
work=

cleanup() { [ -z "$work" ] || rm -rf "$work"; }
trap cleanup EXIT
trap 'exit 1' INT TERM

fail() {
    echo "test-images: $*" >&2
    exit 1
}

# package_file NAME PATH: prints the path of a copy of a Debian package's file; the package need not
# be installed.
package_file() {
    if [ ! -e "$cache/$1$2" ]; then
        mkdir -p "$cache/$1" "$work/$1"
        (cd "$work/$1" && apt-get download -q "$1" >download.log 2>&1) || {
            cat "$work/$1/download.log" >&2
            fail "cannot download the package $1"
        }
        dpkg-deb -x "$work/$1"/*.deb "$work/$1/root"
        mkdir -p "$cache/$1$(dirname "$2")"
        cp "$work/$1/root$2" "$cache/$1$2.part"
        mv "$cache/$1$2.part" "$cache/$1$2"
    fi
    echo "$cache/$1$2"
}

make_busybox() {
    program=$(package_file busybox-static /bin/busybox)
    mkdir -p "$work/busybox/bin" "$work/busybox/etc" "$work/busybox/tmp"
    chmod 1777 "$work/busybox/tmp"
    cp "$program" "$work/busybox/bin/busybox"
    for applet in $("$program" --list); do
        [ "$applet" = busybox ] || ln -s busybox "$work/busybox/bin/$applet"
    done
    echo 'root:x:0:0::/root:/bin/sh' >"$work/busybox/etc/passwd"
    tar -C "$work/busybox" -c . | docker import - paddock-test/busybox >/dev/null
}

make_shell() {
    program=$(package_file bash-static /bin/bash-static)
    mkdir -p "$work/shell/bin" "$work/shell/tmp"
    chmod 1777 "$work/shell/tmp"
    cp "$program" "$work/shell/bin/sh"
    tar -C "$work/shell" -c . | docker import - paddock-test/shell >/dev/null
}

make_debian() {
    if [ ! -e "$cache/debian.tar" ]; then
        # shellcheck source=/dev/null
        suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
        # The mirror from which this machine downloads its packages.
        mirror=$(apt-get --print-uris download base-files | sed -n "s|^'\(.*\)/pool/.*|\1|p" | head -n 1)
        [ -n "$mirror" ] || fail "apt-get prints no mirror for the package base-files"
        mkdir -p "$cache"
        debootstrap --variant=minbase --include=git "$suite" "$work/debian" "$mirror" >"$work/debootstrap.log" 2>&1 || {
            tail -n 20 "$work/debootstrap.log" >&2
            fail "debootstrap failed"
        }
        rm -rf "$work/debian/var/cache/apt/archives" "$work/debian/var/lib/apt/lists"
        mkdir -p "$work/debian/var/cache/apt/archives/partial" "$work/debian/var/lib/apt/lists/partial"
        tar -C "$work/debian" -c . >"$cache/debian.tar.part"
        mv "$cache/debian.tar.part" "$cache/debian.tar"
    fi
    docker import - paddock-test/debian <"$cache/debian.tar" >/dev/null
}

build() {
    mkdir -p "$cache"
    work=$(mktemp -d "${TMPDIR:-/tmp}/paddock-images.XXXXXX")
    for name in busybox shell debian; do
        if ! docker image inspect "paddock-test/$name" >/dev/null 2>&1; then
            echo "test-images: creating paddock-test/$name"
            "make_$name"
            echo "paddock-test/$name" >>"$made"
        fi
    done
}

remove() {
    [ -e "$made" ] || return 0
    mv "$made" "$made.removing"
    while read -r image; do
        docker image rm "$image" >/dev/null 2>&1 || {
            echo "test-images: cannot remove $image" >&2
            echo "$image" >>"$made"
        }
    done <"$made.removing"
    rm -f "$made.removing"
}

case ${1-} in
    build) build ;;
    remove) remove ;;
    *)
        echo "usage: build/test-images.sh build|remove" >&2
        exit 2
        ;;
esac
