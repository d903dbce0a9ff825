# shellcheck shell=bash
# Checks that the tests leave the machine unchanged. Sourced by ./verify, which defines say.
#
# machine_remember records the machine's state; machine_check compares the state then with the
# recorded one, and prints one line for each difference. Other programs change a machine in use
# meanwhile, so only a difference that carries a mark of Paddock (see "ours") fails the check; any
# other is a note. With CI=true every difference fails. The packages and images in ~/.cache are kept
# on purpose.
#
# A line of the state is: kind, name, value, separated by tabs.

machine_before=
machine_docker_host=
machine_tries=10 # a second apart

machine_remember() {
    [ "$(uname)" = Linux ] || return 0
    export PADDOCK_VERIFY=$$ # all later processes inherit it, unless their environment is replaced
    machine_docker_host=${DOCKER_HOST-}
    machine_before=$(machine_state)
}

# machine_check: compares for up to ten seconds, since the kernel and the engine remove some objects
# only after a process exits.
machine_check() {
    [ -n "$machine_before" ] || return 0
    local differences line try=0
    while differences=$(machine_differences) && [[ $differences == *ours$'\t'* ]] && ((++try < machine_tries)); do
        sleep 1
    done
    awk -F '\t' '
        $1 == "ours" { print $2 }
        $1 == "note" && ++notes <= 20 { print "changed meanwhile, perhaps by another program: " $2 }
        END { if (notes > 20) print "and " (notes - 20) " more" }' <<<"$differences" |
        while IFS= read -r line; do say "$line"; done
    [[ $differences != *ours$'\t'* ]] || {
        say "the tests changed the machine"
        return 1
    }
}

# machine_differences: prints "ours" or "note", and the difference, separated by a tab; notes first.
machine_differences() {
    awk -F '\t' -v strict="${CI-}" '
        # Marks are names that begin with paddock, those that JUnit, jffi and the contracts give to
        # temporary files, and variables in the environments of processes.
        function ours(kind, name, value) {
            if (strict == "true") return 1
            if (kind == "process") return value ~ /(^| )(PADDOCK_VERIFY|PADDOCK_COMMAND|CONTRACT_TAG)=|\/paddock-engine/
            if (kind ~ /^(temporary|mount)$/ && name ~ /\/(junit-|jffi|contract-|conformance-|escape-)/) return 1
            return name " " value ~ /(^|[^A-Za-z0-9_-])paddock/
        }
        function differs(how, key, value,    part, whose) {
            split(key, part, FS)
            whose = ours(part[1], part[2], value) ? "ours" : "note"
            print whose FS how ": " part[1] " " part[2] value
        }
        { key = $1 FS $2 }
        NR == FNR { before[key] = before[key] " " $3; next }
        { after[key] = after[key] " " $3 }
        END {
            for (key in after)
                if (!(key in before)) {
                    if (key !~ /^sysctl\t/) differs("left over", key, after[key]) # a kernel module brings new ones
                } else if (before[key] != after[key])
                    differs("changed", key, " from" before[key] " to" after[key])
            for (key in before)
                if (!(key in after) && key !~ /^(sysctl|process|temporary|cgroup)\t/ && before[key] !~ /,(overlay|nsfs)$/)
                    differs("missing", key, before[key]) # overlays and namespaces belong to containers that ended
        }' <(echo "$machine_before") <(machine_state) | sort
}

machine_state() {
    machine_links
    machine_mounts
    machine_packet_filter
    machine_sysctls
    machine_processes
    machine_engine
    machine_files
}

# The index distinguishes a link from a later one of the same name. veth links are left out: the
# engine creates one for each container, and machine_engine compares the containers.
machine_links() {
    local link
    for link in /sys/class/net/*/ifindex; do
        [[ $link == */veth* ]] || printf 'link\t%s\t%s\n' "$(basename "${link%/ifindex}")" "$(<"$link")"
    done 2>/dev/null || :
}

# Without mounts below an engine's own directories, which belong to containers.
machine_mounts() {
    local root
    root=$(machine_docker info --format '{{.DockerRootDir}}') || :
    awk -v root="${root:-/var/lib/docker}" '
        index($2 "/", root "/") != 1 && $2 !~ "^(/var)?/run/docker/" { print "mount\t" $2 "\t" $1 "," $3 }' /proc/self/mounts
}

machine_packet_filter() {
    local tool
    for tool in iptables ip6tables; do
        command -v "$tool-save" >/dev/null || continue
        "$tool-save" 2>/dev/null | awk -v tool="$tool" '
            /^\*/ { table = substr($0, 2) }
            /^:/ && $2 != "ACCEPT" { print tool "\t" table " " $1 " " $2 }
            /^-/ { print tool "\t" table " " $0 }' || :
    done
}

# Without values that the kernel itself changes, or that differ at each read.
machine_sysctls() {
    { grep -rs '' /proc/sys/net /proc/sys/vm /proc/sys/kernel --exclude=stat_refresh || :; } |
        grep -vE '^/proc/sys/(kernel/(random/|ns_last_pid|pty/nr|perf_|tainted|hung_task_|sched_domain/)|net/netfilter/nf_conntrack_count)' |
        awk '{ colon = index($0, ":"); value = substr($0, colon + 1); gsub("\t", " ", value)
               print "sysctl\t" substr($0, 11, colon - 11) "\t" value }'
}

# Processes with this run's marker variable; and orphans without a terminal that have the marker of
# a Paddock command, or run in this checkout, or belong to an engine of the tests.
machine_processes() {
    local pid
    {
        grep -lszE "^(PADDOCK_VERIFY=$$\$|PADDOCK_COMMAND=|CONTRACT_TAG=)" /proc/[0-9]*/environ
        grep -lsz -e "$PWD/" -e /paddock-engine /proc/[0-9]*/cmdline
        find /proc/[0-9]*/cwd /proc/[0-9]*/exe -maxdepth 0 \( -lname "$PWD" -o -lname "$PWD/*" \) 2>/dev/null
    } | cut -d / -f 3 | sort -u | while read -r pid; do machine_process "$pid"; done
}

# machine_stat PID: prints the parent, terminal and start time, or fails if there is no such
# process.
machine_stat() {
    local stat
    { stat=$(<"/proc/$1/stat"); } 2>/dev/null || return 1
    # shellcheck disable=SC2086 # splits into words, after the program's name
    set -- ${stat##*) }
    [ "$1" != Z ] && echo "$2 $5 ${20}"
}

# machine_process PID: prints a process with its markers, unless it descends from this script, or has
# neither this run's marker nor lost its parent.
machine_process() {
    local parent started marks command above=$1
    while [ "$above" != 0 ] && [ "$above" != $$ ]; do
        read -r above _ < <(machine_stat "$above") || return 0
    done
    [ "$above" != $$ ] || return 0
    read -r parent _ started < <(machine_stat "$1") || return 0
    marks=$({ tr '\0\t\n' '\n  ' <"/proc/$1/environ"; } 2>/dev/null |
        awk '/^(PADDOCK_VERIFY|PADDOCK_COMMAND|CONTRACT_TAG)=/ { printf "%.60s ", $0 }') || :
    [[ $marks == *"PADDOCK_VERIFY=$$ "* ]] || machine_is_orphan "$1" || return 0
    command=$({ tr '\0\t\n' '   ' <"/proc/$1/cmdline"; } 2>/dev/null) || return 0
    printf 'process\t%s started at %s\t%s%s (parent %s)\n' "$1" "$started" "$marks" "${command:0:200}" "$parent"
}

# machine_is_orphan PID: succeeds if the parent is process 1, or an ancestor of this script that
# adopts orphans.
machine_is_orphan() {
    local parent terminal above=$$
    read -r parent terminal _ < <(machine_stat "$1") || return 1
    [ "$terminal" = 0 ] || return 1
    while [ "$above" -gt 1 ]; do
        read -r above _ < <(machine_stat "$above") || return 1
        [ "$above" != "$parent" ] || return 0
    done
    return 1
}

# Objects of the engine that the docker command reached before ./verify started one.
machine_engine() {
    local owner='{{with .Label "dev.paddock.owner"}} dev.paddock.owner={{.}}{{end}}'
    machine_docker ps -a --no-trunc --format "{{.ID}}\t{{.Names}} {{.Image}}$owner" | sed 's/^/container\t/' || :
    machine_docker images -a --no-trunc --format '{{.ID}} {{.Repository}}:{{.Tag}}' | sed 's/^/image\t/' || :
    machine_docker network ls --no-trunc --format '{{.ID}}\t{{.Name}}' | sed 's/^/network\t/' || :
    machine_docker volume ls -q | sed 's/^/volume\t/' || :
}

machine_docker() {
    command -v docker >/dev/null && env ${machine_docker_host:+"DOCKER_HOST=$machine_docker_host"} docker "$@" 2>/dev/null
}

# Cgroups, state, and this user's entries in temporary directories, without those of the JVM and of
# desktop programs, which appear and disappear by themselves.
machine_files() {
    local state=${XDG_STATE_HOME:-${HOME:-/nonexistent}/.local/state}/paddock
    {
        find /sys/fs/cgroup -type d \( -name 'paddock*' -o -name docker \) -printf 'cgroup\t%p\n'
        find "$state" "${HOME:-/nonexistent}/.local/state/paddock" -printf 'state\t%p\n' |
            { grep -vE '/paddock(|/run|/run/journals|/sessions)$' || :; } # the first use creates and keeps these directories
        find "${XDG_RUNTIME_DIR:-/nonexistent}" -path '*/paddock*' -printf 'state\t%p\n'
        find "${TMPDIR:-/tmp}" /tmp /dev/shm -mindepth 1 -maxdepth 1 -user "$(id -u)" \
            ! -name 'hsperfdata_*' ! -name '.java_pid*' ! -name '.attach_pid*' ! -name 'ssh-*' ! -name 'tmux-*' \
            ! -name 'systemd-private-*' ! -name '.X*' ! -name '.*-unix' -printf 'temporary\t%p\n'
    } 2>/dev/null | sort -u
}
