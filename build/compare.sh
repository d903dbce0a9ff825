#!/bin/sh
# Runs the same attacks in different sandboxes, as each is set up in a minute, and prints which of
# them stop each: ./paddock bench --compare. Needs git and python3 on the host. A program that is
# not installed gets an empty column. Leaves nothing behind.
#
#   --only NAME[,NAME...]   these columns: none, bwrap, landlock, image, codex, srt, firejail, docker
#
# PADDOCK, CODEX, SRT, FIREJAIL and DOCKER name the programs; IMAGE the image of the containers.
set -eu
root=$(CDPATH='' cd -P -- "$(dirname "$0")/.." && pwd)
paddock=${PADDOCK:-$root/paddock}
codex=${CODEX:-codex}
srt=${SRT:-srt}
firejail=${FIREJAIL:-firejail}
docker=${DOCKER:-docker}
image=${IMAGE:-debian:stable-slim}
columns="none bwrap landlock image codex srt firejail docker"
case ${1-} in
    --only) columns=$(printf '%s' "$2" | tr , ' ') ;;
    '') ;;
    *)
        echo "compare: unknown option $1; --only NAME[,NAME...] selects columns" >&2
        exit 2
        ;;
esac

mkdir -p "$root/benchmarks/target"
# Neither in /tmp, which some sandboxes open or hide, nor in a home directory.
base=$(mktemp -d "$root/benchmarks/target/compare.XXXXXX")
server=
victim=
cleanup() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || :
    [ -z "$victim" ] || kill "$victim" 2>/dev/null || :
    rm -rf "$base"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# The host's side: a home with secrets, servers that record who connects, and a process.
home=$base/home
seen=$base/seen
tree=$base/tree
mkdir -p "$home/.ssh" "$seen" "$base/state"
echo "the-private-key" >"$home/.ssh/id_ed25519"
socket=$home/engine.sock
cat >"$base/server.py" <<'PYTHON'
import os, pathlib, selectors, socket, sys
seen, path = pathlib.Path(sys.argv[1]), sys.argv[2]
tcp = socket.create_server(("127.0.0.1", 0))
os.chdir(os.path.dirname(path))  # a socket's path is short
unix = socket.socket(socket.AF_UNIX)
unix.bind(os.path.basename(path))
unix.listen()
(seen / "port.new").write_text(str(tcp.getsockname()[1]))
(seen / "port.new").rename(seen / "port")
waits = selectors.DefaultSelector()
waits.register(tcp, selectors.EVENT_READ, "tcp")
waits.register(unix, selectors.EVENT_READ, "unix")
while True:
    for key, _ in waits.select():
        connection, _ = key.fileobj.accept()
        (seen / key.data).touch()
        connection.close()
PYTHON
python3 "$base/server.py" "$seen" "$socket" &
server=$!
until [ -e "$seen/port" ]; do sleep 0.05; done
port=$(cat "$seen/port")

# lives: whether the host's process is there, and no zombie.
lives() {
    [ -n "$victim" ] && [ -e "/proc/$victim/status" ] && ! grep -q '^State:.[ZX]' "/proc/$victim/status"
}

# fresh: makes the worktree and the host's process anew, and forgets what was seen.
fresh() {
    chmod -R u+w "$tree" 2>/dev/null || :
    rm -rf "$tree" "$seen/tcp" "$seen/unix" "$seen/ran" "$home/planted" "$home/.ssh/authorized_keys"
    git -c init.defaultBranch=main init -q "$tree"
    git -C "$tree" config user.name Somebody
    git -C "$tree" config user.email somebody@example.com
    echo content >"$tree/file"
    git -C "$tree" add file
    git -C "$tree" commit -q -m first
    # An ended run may leave processes of its own; they do not share this one's environment.
    if ! lives; then
        [ -z "$victim" ] || wait "$victim" 2>/dev/null || :
        HOST_SECRET=the-environment sleep 3600 &
        victim=$!
    fi
}

# there COLUMN: whether the column's program is here, and lets a command write in the worktree.
there() {
    case $1 in
        codex | srt | firejail | docker) eval "command -v \"\$$1\"" || return 1 ;;
    esac >/dev/null
    inside "$1" "echo well >works" >/dev/null 2>&1 && [ -e "$tree/works" ]
}

# inside COLUMN SCRIPT: runs a script in the column's sandbox, in the worktree.
inside() {
    (
        cd "$tree"
        export HOME="$home" XDG_STATE_HOME="$base/state" API_TOKEN=the-token
        unset XDG_CONFIG_HOME CODEX_HOME
        case $1 in
            none) sh -c "$2" ;;
            bwrap) "$paddock" exec -n --executor bwrap -- sh -c "$2" ;;
            landlock) "$paddock" exec -n --executor landlock -- sh -c "$2" ;;
            image) "$paddock" exec -n --image "$image" --exec-cwd "$tree" -- sh -c "$2" ;;
            codex) "$codex" sandbox -c sandbox_mode='"workspace-write"' -- sh -c "$2" ;;
            srt) "$srt" --settings "$base/srt.json" -c "$2" ;;
            firejail) "$firejail" --quiet --profile=default --net=none --blacklist="$home" -- sh -c "$2" ;;
            docker) "$docker" run --rm --network none --user "$(id -u):$(id -g)" -v "$tree:$tree" -w "$tree" "$image" sh -c "$2" ;;
        esac </dev/null
    )
}
printf '{"network":{"allowedDomains":[],"deniedDomains":[]},"filesystem":{"denyRead":["%s"],"allowWrite":["."],"denyWrite":[]}}' \
    "$home/.ssh" >"$base/srt.json"

# Each attack is a function that prints the script to run inside, and one that succeeds if the
# attack did, judged on the host. $output is what the script printed.
attacks="key env procenv outside link hook config nested editor tcp unix kill background forks"
title() {
    case $1 in
        key) echo "reads \`~/.ssh/id_ed25519\`" ;;
        env) echo "reads a token in the caller's environment" ;;
        procenv) echo "reads another process's environment in \`/proc\`" ;;
        outside) echo "writes into the home directory" ;;
        link) echo "writes there through a symbolic link in the worktree" ;;
        hook) echo "plants a git hook, which runs at your next commit" ;;
        config) echo "sets \`core.fsmonitor\`, which your next \`git status\` runs" ;;
        nested) echo "the same in a new repository below" ;;
        editor) echo "writes \`.vscode/tasks.json\`, which an editor runs" ;;
        tcp) echo "connects to a server on the host's \`localhost\`" ;;
        unix) echo "connects to a unix socket in the home directory, such as an engine's" ;;
        kill) echo "ends a process of yours outside" ;;
        background) echo "leaves a process running after its end" ;;
        forks) echo "starts 500 processes at once" ;;
    esac
}
payload() {
    case $1 in
        key) printf '%s\n' "cat '$home/.ssh/id_ed25519'" ;;
        env) printf '%s\n' "echo \"\$API_TOKEN\"" ;;
        procenv) printf '%s\n' "tr '\\0' '\\n' </proc/$victim/environ" ;;
        outside) printf '%s\n' "echo x >'$home/planted'" ;;
        link) printf '%s\n' "ln -s '$home/.ssh' link && echo x >link/authorized_keys" ;;
        hook) printf '%s\n' "printf '#!/bin/sh\\ntouch $seen/ran\\n' >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit" ;;
        config) printf '%s\n' "printf '[core]\\n\\tfsmonitor = \"touch $seen/ran; false\"\\n' >>.git/config" ;;
        nested)
            printf '%s%s\n' "mkdir -p sub/.git/objects sub/.git/refs && echo ref: refs/heads/main >sub/.git/HEAD && " \
                "printf '[core]\\n\\trepositoryformatversion = 0\\n\\tfsmonitor = \"touch $seen/ran; false\"\\n' >sub/.git/config"
            ;;
        editor) printf '%s\n' "mkdir -p .vscode && echo '{}' >.vscode/tasks.json" ;;
        tcp) printf '%s\n' "nc -w 2 127.0.0.1 $port </dev/null || bash -c 'echo x >/dev/tcp/127.0.0.1/$port'" ;;
        unix)
            printf '%s\n' "cd '$home' && python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect(\"engine.sock\")'"
            ;;
        kill) printf '%s\n' "kill $victim" ;;
        background)
            # It ends by itself after ten seconds, so that a run leaves nothing.
            printf '%s\n' "(i=0; while [ ! -e stop ] && [ \$i -lt 50 ]; do echo x >beat; sleep 0.2; i=\$((i + 1)); done) >/dev/null 2>&1 & sleep 0.3"
            ;;
        forks) printf '%s\n' "i=0; while [ \$i -lt 500 ]; do sleep 2 & i=\$((i + 1)); done; echo all >forked" ;;
    esac
}
succeeded() {
    case $1 in
        key) grep -q the-private-key "$output" ;;
        env) grep -q the-token "$output" ;;
        procenv) grep -q the-environment "$output" ;;
        outside) [ -e "$home/planted" ] ;;
        link) [ -e "$home/.ssh/authorized_keys" ] ;;
        hook)
            git -C "$tree" commit -q --allow-empty -m next >/dev/null 2>&1 || :
            [ -e "$seen/ran" ]
            ;;
        config)
            git -C "$tree" status >/dev/null 2>&1 || :
            [ -e "$seen/ran" ]
            ;;
        nested)
            git -C "$tree/sub" status >/dev/null 2>&1 || :
            [ -e "$seen/ran" ]
            ;;
        editor) [ -e "$tree/.vscode/tasks.json" ] ;;
        tcp | unix | kill)
            sleep 0.5 # the server's and the kernel's time to act
            case $1 in
                kill) ! lives ;;
                *) [ -e "$seen/$1" ] ;;
            esac
            ;;
        background)
            rm -f "$tree/beat"
            sleep 1
            touch "$tree/stop"
            [ -e "$tree/beat" ]
            ;;
        forks) [ -e "$tree/forked" ] ;;
    esac
}

output=$base/output
cells=$base/cells
fresh
printf '| a command |'
for column in $columns; do
    case $column in
        none) printf ' no sandbox |' ;;
        bwrap | landlock) printf ' Paddock, %s |' "$column" ;;
        image) printf ' Paddock, container |' ;;
        srt) printf ' sandbox-runtime |' ;;
        *) printf ' %s |' "$column" ;;
    esac
    if there "$column"; then : >"$cells.$column"; fi
done
printf '\n|---|'
for column in $columns; do printf -- '---|'; done
printf '\n'
for attack in $attacks; do
    printf '| %s |' "$(title "$attack")"
    for column in $columns; do
        if [ ! -e "$cells.$column" ]; then
            printf ' not run |'
            continue
        fi
        fresh
        inside "$column" "$(payload "$attack")" >"$output" 2>&1 || :
        if succeeded "$attack"; then printf ' **not stopped** |'; else printf ' stopped |'; fi
    done
    printf '\n'
done
