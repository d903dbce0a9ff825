# A slot: a shell in the remote system, started beforehand, that runs one command and reports its end.
#
# Reads one command request from its input: a line of shell code; if that is a terminal, which takes no line of 4,096
# bytes, several lines that begin with "+" and an empty one. Writes to its output:
#   slot PID PARENT              waiting for a request
#   ready PID | refused WHY      the command is about to run, or cannot; everything after "ready" is the command's
#   MARK CODE OOM                on both streams, when the command and its leftovers have exited
# To the control shell's output, so that no stopped reader can block it:
#   exit ID CODE OOM             the command's main process has exited
#   left ID PIDS                 it left these running; to be ended, and this shell continued
#   done ID                      at a terminal, which may delay output: the command's leftovers have exited
#
# Uses only builtins: no process can be started when the system's process limit is reached. Names begin with __p to
# avoid variables of the environment.

# This shell's own messages ("Killed") belong to no command's output.
exec 4>&2 2>/dev/null
# A command gets the default action of a caught signal; an ignored signal would stay ignored.
trap : 1 2 3 4 5 6 7 8 10 11 12 13 14 15 16 20 21 22 24 25 26 27 29 30 31
__p_n='
'
# By its path: a busybox shell takes the bare name for its own applet, and the command may have another PATH.
__p_sh=sh
IFS=:
for __p_i in $PATH; do
    if [ -x "$__p_i/sh" ]; then
        __p_sh=$__p_i/sh
        break
    fi
done
unset IFS

# Evaluates a command that exceeds one argument, and so arrives in pieces, under an id that has been reported.
__p_begin='echo "ready $$"
__p_c=
for __p_i; do __p_c=$__p_c$__p_i; done
set --
eval "$__p_c"'

__p_refuse() {
    if [ ! -e "$1" ]; then echo "refused missing"
    elif [ ! -d "$1" ]; then echo "refused file"
    else echo "refused closed"; fi
}

__p_command() {
    (
        cd -- "$__p_dir" || { __p_refuse "$__p_dir"; exit 0; }
        [ "$__p_stdin" != empty ] || exec </dev/null
        if [ "$__p_stderr" = merged ]; then exec 2>&1; else exec 2>&4; fi
        exec 4>&- 5<&-
        # Here, $$ is the slot's.
        read -r __p_a __p_b </proc/self/stat
        __p_export
        # Quoted: the command's IFS may be a digit.
        if [ "$#" = 1 ]; then
            echo "ready $__p_a"
            exec "$__p_sh" -c -- "$1"
        fi
        exec "$__p_sh" -c "$__p_begin" "$__p_sh" "$@"
    )
}

# Unpacks the frames of the command's input, for a channel that cannot end it: the length in a line, then the bytes. The
# only program besides the command; it reads no byte more. Signals to the command's tree do not reach the input.
__p_feed() {
    trap '' 1 2 3 13 15
    exec 4>&- 5<&-
    while IFS= read -r __p_a && [ "$__p_a" -gt 0 ]; do
        dd bs="$__p_a" count=1 iflag=fullblock
    done
}

# Runs the command on the unpacked input, and ends the unpacker, which waits for the rest.
__p_fed() {
    trap : 1 2 3 4 5 6 7 8 10 11 12 13 14 15 16 20 21 22 24 25 26 27 29 30 31
    __p_command "$@"
    __p_code=$?
    read -r __p_own __p_b </proc/self/stat
    __p_children $$
    for __p_i in $__p_kids; do [ "$__p_i" = "$__p_own" ] || kill -KILL "$__p_i"; done
    exit "$__p_code"
}

# The kernel's count of processes that it killed here for lack of memory: cgroup v2, then v1.
__p_oomfile=/sys/fs/cgroup/memory.events
[ -r "$__p_oomfile" ] || __p_oomfile=/sys/fs/cgroup/memory/memory.oom_control
[ -r "$__p_oomfile" ] || __p_oomfile=/dev/null

__p_ooms() {
    __p_oom=0
    while read -r __p_a __p_b; do
        [ "$__p_a" != oom_kill ] || __p_oom=$__p_b
    done <"$__p_oomfile"
}

__p_children() {
    __p_kids=
    for __p_f in "/proc/$1/task/"*/children; do
        __p_a=
        read -r __p_a <"$__p_f"
        __p_kids="$__p_kids $__p_a"
    done
}

# Checks whether a process carries the command's marker. A shell's read drops NUL, so that the environment reads as one
# text. Empties the variable before each read: bash keeps its value when a read fails, as it does if the process exits
# meanwhile, and the loop would never end. An exited first thread has no environment, another thread does.
__p_marked() {
    for __p_f in "/proc/$1/environ" "/proc/$1/task/"*/environ; do
        __p_b=
        while __p_a=; IFS= read -r __p_a || [ -n "$__p_a" ]; do
            case $__p_a in *"PADDOCK_COMMAND=$__p_id"*) return 0 ;; esac
            __p_b=read
        done <"$__p_f"
        [ -z "$__p_b" ] || return 1
    done
    return 1
}

# Checks whether a process was a child of the system's first process before the command: by its id, and by its entry in
# /proc, since the id may have been reused. The kernel creates an entry at the first lookup after a process has started,
# and dates it then.
__p_older() {
    case "$__p_there " in *" $1 "*) [ "/proc/$1" -ot /proc/self/fd/5 ] ;; *) return 1 ;; esac
}

# The state letter follows the last parenthesis: a process's name may contain any character, even newlines.
__p_alive() {
    __p_b=
    while __p_a=; read -r __p_a || [ -n "$__p_a" ]; do __p_b="$__p_b $__p_a"; done <"/proc/$1/stat"
    __p_b=${__p_b##*) }
    case $__p_b in
        '') return 1 ;;
        Z* | X*) __p_threads $__p_b ;;
    esac
}

# A process whose first thread has exited reads as a zombie, but runs as long as another thread does: the 18th word is
# the number of threads.
__p_threads() { [ "${18}" -gt 1 ]; }

__p_keep() { ! __p_alive "$1" || __p_left="$__p_left $1"; }

# The processes that still run: below this shell, below its subreaper, or re-parented to the system's first process.
__p_look() {
    __p_left=
    __p_children $$
    for __p_i in $__p_kids; do __p_keep "$__p_i"; done
    if [ "$__p_parent" != 0 ]; then
        __p_children "$__p_parent"
        for __p_i in $__p_kids; do [ "$__p_i" = $$ ] || __p_keep "$__p_i"; done
    fi
    [ "$__p_orphans" != none ] || return 0
    __p_children 1
    for __p_i in $__p_kids; do
        case " $__p_keepalive $__p_control $__p_parent $$ " in *" $__p_i "*) continue ;; esac
        if [ "$__p_orphans" != all ]; then
            # Most are older, and reading an environment takes a shell a system call for each byte.
            if __p_older "$__p_i" || ! __p_marked "$__p_i"; then continue; fi
        fi
        __p_keep "$__p_i"
    done
}

__p_end() {
    if [ -t 1 ]; then
        # The command may have stopped the output of background processes, now including this one.
        trap '' 22
        echo "done $__p_id" >"/proc/$__p_control/fd/1"
    fi
    printf "$__p_mark%s\n" "$__p_code $__p_rose"
    printf "$__p_mark%s\n" "$__p_code $__p_rose" >&4
    # The engine closes a stream 2 s after its process has exited, read or not: this shell stays until all has been
    # read, and is then ended from outside.
    while :; do kill -STOP $$; done
}

# A parent that is not this slot's subreaper, but a server with other slots among its children, counts as none.
__p_parent=$PPID
[ -z "$__p_alone" ] || __p_parent=0
unset __p_alone

__p_children 1
__p_there=$__p_kids
# The open descriptor keeps this shell's entry in /proc, with its date, which precedes the command's start.
[ ! -d "/proc/$$" ] || exec 5<"/proc/$$"

echo "slot $$ $__p_parent"
__p_request=
while IFS= read -r __p_a || exit 0; do
    case $__p_a in
        +*) __p_request=$__p_request${__p_a#?} ;;
        *) break ;;
    esac
done
eval "$__p_request$__p_a"
# The engine's value for a terminal that it does not know; the request has the caller's, if any.
if [ -t 0 ] && [ "$TERM" = xterm ]; then unset TERM; fi
__p_ooms
__p_before=$__p_oom
if [ "$__p_stdin" = framed ] && ! command -v dd >/dev/null; then
    echo "refused start its input needs the program dd, which is not there"
elif [ "$__p_stdin" = framed ]; then
    __p_feed | __p_fed "$@"
else
    __p_command "$@"
fi
__p_code=$?
__p_rose=0
if [ "$__p_code" = 137 ]; then
    __p_ooms
    __p_rose=$((__p_oom - __p_before))
fi
echo "exit $__p_id $__p_code $__p_rose" >"/proc/$__p_control/fd/1" || __p_end
while :; do
    __p_look
    set -- $__p_left
    [ $# != 0 ] || break
    echo "left $__p_id $*" >"/proc/$__p_control/fd/1" || break
    kill -STOP $$
done
__p_end
