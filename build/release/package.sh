# Makes the Debian package. Sourced by build/dist.
# shellcheck shell=bash
# shellcheck disable=SC2154  # build/dist sets the variables

# install_program DIR: lays the program out below DIR as Debian has it. The image has the same layout.
install_program() {
    local home=$1/usr/lib/paddock share=$1/usr/share
    mkdir -p "$1/usr/bin" "$1/usr/lib" "$share/bash-completion/completions" "$share/zsh/vendor-completions" \
        "$share/fish/vendor_completions.d" "$share/man/man1" "$share/doc"
    cp -a "$program" "$home"
    ln -s ../lib/paddock/bin/paddock "$1/usr/bin/paddock"
    mv "$home/share/bash-completion/completions/paddock" "$share/bash-completion/completions/"
    mv "$home/share/zsh/site-functions/_paddock" "$share/zsh/vendor-completions/"
    mv "$home/share/fish/vendor_completions.d/paddock.fish" "$share/fish/vendor_completions.d/"
    gzip -9n "$home/share/man/man1/paddock.1"
    mv "$home/share/man/man1/paddock.1.gz" "$share/man/man1/"
    mv "$home/share/doc/paddock" "$share/doc/"
    gzip -9n "$share/doc/paddock/CHANGELOG.md"
    mv "$share/doc/paddock/CHANGELOG.md.gz" "$share/doc/paddock/changelog.gz"
    mv "$share/doc/paddock/LICENSE" "$share/doc/paddock/copyright"
    rm -r "$home/share"
    settle_times "$1"
}

make_package() {
    # A snapshot comes before its release.
    local debian_version=${version/-/\~} package=$work/package
    local file=paddock_${debian_version}_$debian_arch.deb
    say "packing $file"
    cp -a "$installed" "$package"
    mkdir "$package/DEBIAN"
    cat >"$package/DEBIAN/control" <<CONTROL
Package: paddock
Version: $debian_version
Architecture: $debian_arch
Maintainer: The developers of Paddock
Installed-Size: $(du -sk --apparent-size "$installed" | cut -f 1)
Depends: libc6 (>= 2.17)
Recommends: bubblewrap
Suggests: git, docker.io | docker-ce
Section: devel
Priority: optional
Description: gives a model a shell without giving it the machine
 Runs the commands of an agent in a container or in a kernel sandbox
 (bubblewrap, Landlock), while its file tools work on the host's worktree:
 as a command, and as a server of the Model Context Protocol.
 .
 The package has a Java of its own.
CONTROL
    (cd "$package" && find . -path ./DEBIAN -prune -o -type f -printf '%P\n' | sort | tr '\n' '\0' | xargs -0 md5sum) >"$work/md5sums"
    mv "$work/md5sums" "$package/DEBIAN/"
    settle_times "$package"
    # -z9 takes five times as long, for a hundredth of the size.
    dpkg-deb --root-owner-group -Zgzip -z6 --build "$package" "$work/$file" >/dev/null
    rm -rf "$package"
}
