# Lists, sends, receives and removes files of one directory: VERB DIRECTORY STATE KNOWN INPUT.
#
# Uses find, stat, xargs, tar, gzip, cmp and basic system programs, GNU's or busybox's. Each verb but "prepare" and
# "fetch" finally writes the list of the tree: the clock, "whole" or "part", "same" or "new", and the compressed
# records.

verb=$1 root=$2 state=$3 known=$4 input=$5
export LC_ALL=C TZ=UTC0

# Started ahead: everything below runs when the line arrives, which is the value.
[ "$known" != later ] || IFS= read -r known || exit 0

# Identifies the run of the remote system: a restarted container has another root or another first process, and its
# directory may lack files of an earlier run.
run() {
    mounted= began=
    while read -r id parent device from at rest; do
        [ "$at" != / ] || mounted="$device $from ${rest##* - }"
    done </proc/self/mountinfo
    read -r began </proc/1/stat
    set -- ${began##*) }
    current="$mounted ${20}"
}
run 2>/dev/null

# Sets the options of tar. GNU's takes a backslash in a name for the start of an escape; from 1.31 on it sends no holes,
# and loses no data of a file system that counts no blocks.
choose() {
    options= sparse=
    version=$(tar --version 2>/dev/null)
    version=${version%%"$newline"*}
    case $version in *GNU*) options=--no-unquote ;; *) return ;; esac
    minor=${version##* 1.}
    minor=${minor%%[!0-9]*}
    [ "${minor:-0}" -lt 31 ] || sparse=sparse options="$options --format=gnu -S"
}
newline='
'

if [ "$verb" = prepare ]; then
    missing=
    [ "$input" != framed ] || frames=dd
    for tool in find stat xargs tar gzip cmp mkdir mv rm rmdir $frames; do
        command -v "$tool" >/dev/null || missing="$missing $tool"
    done
    [ -z "$missing" ] || { echo "missing$missing"; exit; }
    (umask 077; mkdir -p -- "$state") && mkdir -p -- "$root" && cd -- "$root" || exit 8
    printf '%s\n' "$current" >"$state/run" || exit 8
    choose
    [ -z "$sparse" ] || echo "$sparse"
    find . -prune -print0 | xargs -0 -r stat -c '%f %s %i %b %y %z %n//' || exit 8
    exit
fi

# The host's list is of another run, or the directory was removed.
other() { echo "paddock-sync: another run" >&2; exit 9; }
before=
IFS= read -r before 2>/dev/null <"$state/run" || other
[ "$before" = "$current" ] && [ -d "$root" ] || other
cd -- "$root" || exit 8

# Runs a program on the input: directly, or unpacked from frames, each a length in a line and as many bytes, up to an
# empty one, for a channel that cannot end it.
feed() {
    while IFS= read -r length && [ "$length" -gt 0 ]; do
        dd bs="$length" count=1 iflag=fullblock 2>/dev/null
    done
}
given() { if [ "$input" = framed ]; then feed | "$@"; else "$@"; fi; }

# The file system's clock, which dates a new file.
clock() { rm -f -- "$state/mark" && : >"$state/mark" && mark=$(stat -c '%y' -- "$state/mark") || exit 8; }

# A file that vanishes meanwhile makes xargs exit with 123.
list() {
    clock
    rm -f -- "$state/part"
    { find . -print0 || : >"$state/part"; } | xargs -0 -r stat -c '%f %s %i %b %y %z %n//' >"$state/new"
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
    # Omits missing and unreadable files: the list shows them.
    fetch)
        clock
        echo "${mark% *}" >"$state/begun"
        choose
        given xargs -0 -r tar -cf - $options --
        answer >"$state/list"
        cd -- "$state" && tar -cf - begun list
        ;;
    receive) given tar -xopf - && answer ;;
    remove) given xargs -0 -r rm -f -- && answer ;;
    # A directory that is not empty stays.
    rmdir) given xargs -0 -r rmdir -- 2>/dev/null; answer ;;
esac
