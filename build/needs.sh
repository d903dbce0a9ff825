# shellcheck shell=bash
# Installs the programs that the build and its tests need, or names those that are missing. Sourced by
# ./verify, which defines say and fail and sets install, full and install_log.
# shellcheck disable=SC2154 # from ./verify and find-jdk.sh

may_install() {
    [ "$install" = yes ] && [ -e /etc/debian_version ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null
}

# apt_install PACKAGE...: prints the packages and installs them; prints the log of apt-get only if
# that fails. Waits ten minutes at most while another program, such as the system's own updates, installs.
apt_install() {
    say "installing $*"
    if [ -z "${apt_updated-}" ]; then
        apt-get update -q >"$install_log" 2>&1 || say "apt-get update failed; using the existing package lists"
        apt_updated=yes
    fi
    DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -q -y --no-install-recommends "$@" >>"$install_log" 2>&1 || {
        tail -n 20 "$install_log" >&2
        return 1
    }
}

ensure_jdk() {
    find_jdk && return
    may_install || fail "$no_jdk"
    say "looking for a JDK"
    apt-get update -q >/dev/null 2>&1 || :
    apt_updated=yes
    local major found=
    for major in $(apt-cache search --names-only '^openjdk-[0-9]+-jdk-headless$' | sed 's/openjdk-\([0-9]*\).*/\1/' | sort -n); do
        [ "$major" -ge "$oldest_jdk" ] || continue
        [ "$found" = "$preferred_jdk" ] || found=$major
    done
    if [ -z "$found" ] || ! apt_install "openjdk-$found-jdk-headless" || ! find_jdk; then
        fail "$no_jdk"
    fi
}

ensure_maven() {
    command -v mvn >/dev/null && return
    may_install || fail "Maven 3.8.7 or later is missing: install it (Debian: apt-get install maven)"
    apt_install maven || fail "Maven could not be installed"
}

# ensure_program PROGRAM PACKAGE WHAT-FOR
ensure_program() {
    command -v "$1" >/dev/null && return
    if may_install; then
        apt_install "$2" || fail "$2 could not be installed; it is needed for $3"
    else
        say "MISSING: $1, needed for $3, which are skipped (Debian: apt-get install $2)"
        return 1
    fi
}

# install_needs: finds or installs the programs that the tests need beyond a JDK and Maven, or
# prints which is missing. Tests whose program is missing are skipped, but fail with CI=true.
install_needs() {
    [ "$(uname)" = Linux ] || return 0
    ensure_program bwrap bubblewrap "the tests of the bubblewrap sandbox" || :
    ensure_program git git "the tests of git worktrees" || :
    ensure_program curl curl "the tests of hosts that are denied" || :
    ensure_program git-lfs git-lfs "the test of Git LFS in a sandbox" || :
    if [ -n "$full" ]; then
        ensure_program gradle gradle "the test of a Gradle build in a sandbox" || :
        ensure_program /usr/bin/go golang-go "the test of Go in a network of allowed hosts" || :
        ensure_program /usr/bin/cargo cargo "the test of cargo in a network of allowed hosts" || :
        ensure_program composer composer "the test of PHP in a sandbox" || :
        ensure_program bundle ruby-bundler "the test of Ruby's gems in a sandbox" || :
        ensure_program ccache ccache "the tests of compilers' caches" || :
        ensure_program sccache sccache "the tests of compilers' caches" || :
        ensure_program gdb gdb "the tests of debuggers in a sandbox" || :
        ensure_program strace strace "the tests of debuggers in a sandbox" || :
        ensure_program make make "the tests of what people type first" || :
        ensure_program cc gcc "the tests of what people type first" || :
        ensure_program cmake cmake "the tests of what people type first" || :
        ensure_program autoreconf autoconf "the tests of what people type first" || :
        ensure_program automake automake "the tests of what people type first" || :
        ensure_program sqlite3 sqlite3 "the tests of what people type first" || :
        ensure_program ninja ninja-build "the tests of what people type first" || :
        ensure_program ant ant "the tests of what people type first" || :
        ensure_program rake rake "the tests of what people type first" || :
        ensure_program /usr/bin/pytest python3-pytest "the tests of what people type first" || :
        ensure_program zsh zsh "the tests of the completion for zsh" || :
        ensure_program fish fish "the tests of the completion for fish" || :
        ensure_program groff groff-base "the tests of the manual page" || :
        ensure_program man man-db "the tests of the manual page" || :
        ensure_program redis-check-rdb redis-tools "the test of a server on localhost in a sandbox" || :
        ensure_program dpkg-deb dpkg "the test of a release" || :
        ensure_program libdeflate-gzip libdeflate-tools "the test of a release" || :
        ensure_program chromium chromium "the test of exported sessions in a browser" || :
        ensure_program docker-registry docker-registry "the tests with a private registry" || :
        ensure_program podman podman "the tests with an engine of Podman's" || :
        ensure_program catatonit catatonit "the tests with an engine of Podman's" || :
        ensure_program mkdocs mkdocs-material "the site of the pages" || :
        ensure_program lowntfs-3g ntfs-3g "the tests on a file system that ignores case" || :
    fi
    ensure_program ip iproute2 "the tests in a network namespace of their own" || :
    ensure_program sshd openssh-server "the tests of commands over ssh" || :
    ensure_program ssh openssh-client "the tests of commands over ssh" || :
    local people="the tests of programs at a terminal"
    ensure_program tmux tmux "$people" || :
    ensure_program vim vim "$people" || :
    ensure_program less less "$people" || :
    ensure_program python3 python3 "$people" || :
    ensure_program top procps "$people" || :
    ensure_program setpriv util-linux "the tests that run as an ordinary user" || :
    ensure_program nsenter util-linux "the tests with a Docker engine of their own" || :
    ensure_program perl perl "the tests that listen on sockets and make system calls" || :
    ensure_program busybox busybox-static "the tests of the shell scripts that run in containers" || :
    local stub="the tests of the native stub's assembler source"
    ensure_program x86_64-linux-gnu-as binutils-x86-64-linux-gnu "$stub" || :
    ensure_program aarch64-linux-gnu-as binutils-aarch64-linux-gnu "$stub" || :
    ensure_program qemu-aarch64 qemu-user "the tests that run the native stub for AArch64" || :
    prepare_node || : # has printed the reason
}

# prepare_node: installs third-party clients and servers with their dependencies, at the versions of the lock files.
prepare_node() {
    local module
    for module in harness-mcp harness-acp; do
        install_node_packages $module/src/test/node || return
    done
}

install_node_packages() {
    local packages=$1 what="the tests with third-party clients and servers"
    ensure_program node nodejs "$what" && ensure_program npm npm "$what" || return
    [ ! "$packages/node_modules/.package-lock.json" -nt "$packages/package-lock.json" ] || return 0
    if [ "$install" = no ]; then
        say "MISSING: the packages for $what, which are skipped (cd $packages && npm ci)"
        return 1
    fi
    say "installing the packages for $what"
    (cd "$packages" && npm ci) >"$install_log" 2>&1 || {
        tail -n 20 "$install_log" >&2
        fail "npm ci failed in $packages"
    }
}
