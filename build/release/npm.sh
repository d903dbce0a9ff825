# Makes the package for npm. Sourced by build/dist.
# shellcheck shell=bash
# shellcheck disable=SC2154  # build/dist sets the variables

# make_npm_package: puts the archive into a package, with a command that unpacks it. npm would give the
# unpacked files other times, and then the class caches would not fit.
make_npm_package() {
    local package=$work/npm/package
    say "packing $name-npm.tgz"
    mkdir -p "$package/bin"
    cp "$work/$name.tar.gz" "$package/"
    cp LICENSE README.md "$package/"
    sed "s|@NAME@|$name|; s|@SUM@|$(sha256sum <"$work/$name.tar.gz" | cut -c 1-16)|" build/release/npx >"$package/bin/paddock"
    chmod +x "$package/bin/paddock"
    cat >"$package/package.json" <<JSON
{
  "name": "paddock-linux-$arch",
  "version": "$version",
  "description": "gives a model a shell without giving it the machine",
  "license": "Apache-2.0",
  "bin": { "paddock": "bin/paddock" },
  "files": ["bin/paddock", "$name.tar.gz"],
  "os": ["linux"],
  "cpu": ["$arch"],
  "libc": ["glibc"]
}
JSON
    settle_times "$package"
    archive "$work/npm" package | gzip -1n >"$work/$name-npm.tgz"
}
