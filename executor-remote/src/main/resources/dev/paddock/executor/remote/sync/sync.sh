# Lists, sends, receives and removes files of one directory: VERB DIRECTORY STATE [KNOWN].
#
# Uses find, stat, xargs, tar, gzip, cmp and the simplest of a system's programs, GNU's or busybox's. Each verb but
# "prepare" and "fetch" writes the list of the tree when it is done: the clock, "whole" or "part", "same" or "new", and
# the compressed records.

verb=$1 root=$2 state=$3 known=$4
export LC_ALL=C TZ=UTC0

if [ "$verb" = prepare ]; then
    missing=
    for tool in find stat xargs tar gzip cmp mkdir mv rm rmdir; do
        command -v "$tool" >/dev/null || missing="$missing $tool"
    done
    [ -z "$missing" ] || { echo "missing$missing"; exit; }
    (umask 077; mkdir -p -- "$state") && mkdir -p -- "$root" && cd -- "$root" || exit 8
    find . -prune -print0 | xargs -0 -r stat -c '%f %s %i %h %y %z %n//' || exit 8
    exit
fi

cd -- "$root" || exit 8

# The clock of the file system, which a new file has.
clock() { rm -f -- "$state/mark" && : >"$state/mark" && mark=$(stat -c '%y' -- "$state/mark") || exit 8; }

# A file that vanishes meanwhile makes xargs end with 123.
list() {
    clock
    rm -f -- "$state/part"
    { find . -print0 || : >"$state/part"; } | xargs -0 -r stat -c '%f %s %i %h %y %z %n//' >"$state/new"
    code=$?
    [ $code = 0 ] || [ $code = 123 ] || exit 8
    if [ -e "$state/part" ]; then whole=part; else whole=whole; fi
}

header() { echo "${mark% *}"; echo $whole; echo "$1"; }

answer() {
    list
    if [ "$known" = known ] && cmp -s -- "$state/new" "$state/old"; then
        header same
    else
        mv -f -- "$state/new" "$state/old" || exit 8
        header new
        gzip -1 <"$state/old"
    fi
}

case $verb in
    list) answer ;;
    # Without what is missing or cannot be read: the list tells.
    fetch)
        clock
        echo "${mark% *}" >"$state/begun"
        # GNU's tar takes a backslash in a name for the beginning of an escape.
        case $(tar --version 2>/dev/null) in *GNU*) exact=--no-unquote ;; *) exact= ;; esac
        xargs -0 -r tar -cf - $exact --
        answer >"$state/list"
        cd -- "$state" && tar -cf - begun list
        ;;
    receive) tar -xopf - && answer ;;
    remove) xargs -0 -r rm -f -- && answer ;;
    # A directory that is not empty stays.
    rmdir) xargs -0 -r rmdir -- 2>/dev/null; answer ;;
esac
