# The control shell: delivers signals in a remote system whose engine has no call for that.
#
# Reads calls, one a line, and answers "re NUMBER RESULT". Slots write their notices to its output, too. When its input
# ends, its client has died: it ends every command that it knows, and itself. Uses only builtins: it must work when no
# process can be started.

trap '' 1 2 3 4 5 6 7 8 10 11 12 13 14 15 16 20 21 22 24 25 26 27 29 30 31
# The stream of messages stays open: a cluster's container runtime ends a process's input with either of its outputs.
exec 3>&2 2>/dev/null
slots=

children() {
    kids=
    for f in "/proc/$1/task/"*/children; do
        k=
        read -r k <"$f"
        kids="$kids $k"
    done
}

# The state letter of a process, after the last parenthesis: its name may contain any character, even newlines. Empties
# the variable before each read: bash keeps its value when a read fails, as it does if the process exits meanwhile, and
# the loop would never end.
alive() {
    s=
    while k=; read -r k || [ -n "$k" ]; do s="$s $k"; done <"/proc/$1/stat"
    s=${s##*) }
    case $s in
        '') return 1 ;;
        Z* | X*) threads $s ;;
    esac
}

# A process whose first thread has exited reads as a zombie, but runs as long as another thread does: the 18th word is
# the number of threads.
threads() { [ "${18}" -gt 1 ]; }

# The first readable environment: an exited first thread has none, another thread does.
marked() {
    for f in "/proc/$1/environ" "/proc/$1/task/"*/environ; do
        s=
        while k=; IFS= read -r k || [ -n "$k" ]; do
            case $k in *"PADDOCK_COMMAND=$2"*) return 0 ;; esac
            s=read
        done <"$f"
        [ -z "$s" ] || return 1
    done
    return 1
}

# older PID SLOT: whether a process was a child of the system's first process before a slot's command: by its id, and by
# its entry in /proc, which must be older than the slot's. The slot keeps its own entry open: see __p_older there.
older() {
    eval "k=\$there_$2"
    case "$k " in *" $1 "*) [ "/proc/$1" -ot "/proc/$2/fd/5" ] ;; *) return 1 ;; esac
}

# strays LEASE MODE ID SLOT: children of the system's first process that belong to no slot.
strays() {
    found=
    [ "$2" != none ] || return 0
    children 1
    for p in $kids; do
        case " $1 $$ $slots " in *" $p "*) continue ;; esac
        if [ "$2" != all ]; then
            # Most are older, and reading an environment takes a shell a system call for each byte.
            if older "$p" "$4" || ! marked "$p" "$3"; then continue; fi
        fi
        found="$found $p"
    done
}

# tree SLOT PARENT LEASE MODE ID: every process of the command.
tree() {
    own=" $1 $2 "
    members=
    children "$1"
    todo=$kids
    if [ "$2" != 0 ]; then
        children "$2"
        for p in $kids; do [ "$p" = "$1" ] || todo="$todo $p"; done
    fi
    strays "$3" "$4" "$5" "$1"
    set -- $todo $found
    while [ $# != 0 ]; do
        todo=
        for p; do
            case "$own$members " in *" $p "*) continue ;; esac
            members="$members $p"
            children "$p"
            todo="$todo $kids"
        done
        set -- $todo
    done
}

# sig NUMBER SIGNAL SLOT PARENT LEASE MODE ID
sig() {
    number=$1 signal=$2
    shift 2
    tree "$@"
    count=0
    for p in $members; do
        if alive "$p" && kill -"$signal" "$p"; then count=$((count + 1)); fi
    done
    echo "re $number $count"
}

# living: how many of the members live; the first poll after a kill finds many that are still exiting.
living() {
    count=0
    for p in $members; do if alive "$p"; then count=$((count + 1)); fi; done
}

# stop_main SLOT: stops the command's main process before its own: the kernel notifies it when one of those stops, and
# it would react, for instance exit with its own status. Below the slot, or below the feeder of its input.
stop_main() {
    children "$1"
    for p in $kids; do
        kill -STOP "$p"
        children "$p"
        for p in $kids; do kill -STOP "$p"; done
    done
}

# strike SLOT PARENT LEASE MODE ID: sends KILL once, and counts the survivors. Stops forking processes before walking
# them: the slot's group in one call, including the slot; the caller continues the slot, or kills it while it is
# stopped.
strike() {
    kill -STOP -- "-$1"
    tree "$@"
    for p in $members; do kill -STOP "$p"; done
    for p in $members; do kill -KILL "$p"; done
    living
}

# destroy SLOT PARENT LEASE MODE ID: KILL until nothing is left.
destroy() {
    round=0
    stop_main "$1"
    while strike "$@" && [ $count != 0 ] && [ $round != 100 ]; do round=$((round + 1)); done
}

# destroy_all: every command, in common rounds, since a round reads the environments of strays, and processes that the
# kernel is still ending have exited by the next.
destroy_all() {
    for slot in $slots; do stop_main "$slot"; done
    round=0
    left=1
    while [ $left != 0 ] && [ $round != 100 ]; do
        round=$((round + 1))
        left=0
        for slot in $slots; do
            eval "strike \$slot_$slot"
            left=$((left + count))
        done
    done
    for slot in $slots; do kill -KILL "$slot"; done
}

# end NUMBER SLOT PARENT LEASE MODE ID: ends the command; its slot reports it.
end() {
    number=$1
    shift
    destroy "$@"
    kill -CONT "$1"
    echo "re $number $count"
}

# kill_survivors NUMBER SLOT PARENT LEASE MODE ID: the command and its slot, which may not have read its order yet.
kill_survivors() {
    number=$1
    shift
    destroy "$@"
    free "$1"
    echo "re $number $count"
}

# answer NUMBER: the remote system answers.
answer() { echo "re $1 0"; }

# own SLOT PARENT LEASE MODE ID: a command whose slot is about to receive it, or just has, over another connection. So
# these may include the command's first children, and older() compares their dates, too.
own() {
    slots="$slots $1"
    eval "slot_$1=\"\$*\""
    case $4 in none | all) return ;; esac
    children 1
    eval "there_$1=\$kids"
}

# free SLOT: a slot that has written its last output.
free() {
    kill -KILL "$1"
    forget "$1"
}

forget() {
    rest=
    for p in $slots; do [ "$p" = "$1" ] || rest="$rest $p"; done
    slots=$rest
    unset "slot_$1" "there_$1"
}

# resume SLOT: it scans again for leftovers.
resume() { kill -CONT "$1"; }

echo "control $$"
while IFS= read -r line; do eval "$line"; done
destroy_all
