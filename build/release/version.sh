# Decides which version a release has. Sourced by build/dist.
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154  # build/dist sets release and root, and uses the others

# find_version: sets commit; project_version, which the POMs state; and version, which is the tag's with
# --release.
find_version() {
    local changes tag
    project_version=$(sed -n 's|^  <version>\(.*\)</version>$|\1|p' pom.xml)
    [ -n "$project_version" ] || fail "pom.xml states no version"
    commit=$(git rev-parse HEAD) || fail "not a git checkout: $root"
    changes=$(git status --porcelain) || fail "git cannot compare $root with its commit"
    version=$project_version
    if [ -n "$release" ]; then
        [ -z "$changes" ] || fail "a release is built from a commit, and these files differ from it: commit or remove them
$changes"
        tag=$(git describe --tags --exact-match --match 'v[0-9]*' HEAD 2>/dev/null) ||
            fail "a release is built from a tag, and $commit has none: build/release/tag makes it"
        version=${tag#v}
        [ "$version" = "${project_version%-SNAPSHOT}" ] ||
            fail "the tag $tag does not match the version $project_version of pom.xml"
    elif [ -n "$changes" ]; then
        commit=$commit-modified
    fi
}

# set_version DIR: states the version in the POMs of a copy of the sources.
set_version() {
    [ "$version" = "$project_version" ] ||
        find "$1" -name pom.xml -exec sed -i "s|version>$project_version</|version>$version</|" {} +
}
