# shellcheck shell=bash
# Removes what an earlier build left and this checkout no longer has. Maven would run the tests of a
# deleted source, and a deleted resource would stay in the jar. Sourced by ./verify.

# remove_stale_classes: removes the compiled classes of each module, main or test, in which a class
# has no source, or a resource no file of its name. Maven then compiles that module anew.
remove_stale_classes() {
    local sources classes
    sources=$(mktemp "${TMPDIR:-/tmp}/paddock-sources.XXXXXX")
    find . -path '*/src/*' -type f ! -path '*/target/*' ! -path '*/node_modules/*' | sed 's|^\./||' >"$sources"
    for classes in ./*/target/classes ./*/target/test-classes ./*/*/target/classes ./*/*/target/test-classes; do
        [ ! -d "$classes" ] || stale "$classes" <"$sources" || {
            say "compiling ${classes%/target/*} anew, since a source was removed"
            rm -rf "$classes" "${classes%/*}/maven-status"
        }
    done
    rm -f "$sources"
}

# stale CLASSES: fails if the directory has a class without a source, or a resource without a file of
# its name in any module. Reads the paths of all sources.
stale() {
    local kind='main'
    [[ $1 != */test-classes ]] || kind='test'
    awk -v java="${1#./}" -v kind="$kind" '
        BEGIN { sub(/target\/[a-z-]+$/, "src/" kind "/java/", java) }
        NR == FNR { paths[$0] = 1; sub(/.*\//, ""); names[$0] = 1; next }
        /\.class$/ { sub(/(\$.*)?\.class$/, ".java"); if (!(java $0 in paths)) exit bad = 1; next }
        { sub(/.*\//, ""); if (!($0 in names)) exit bad = 1 }
        END { exit bad }' - <(cd "$1" && find . -type f | sed 's|^\./||')
}
