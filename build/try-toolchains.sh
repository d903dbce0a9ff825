#!/bin/bash
# Builds small real projects with nothing but `./paddock exec` and at most one option each, and prints a
# row per project and executor: ok, failed, or skipped with what this machine lacks. The table of
# docs/toolchains.md comes from here. Usage: build/try-toolchains.sh [EXECUTOR...], bwrap and landlock
# by default; srt and codex try those programs, which have to be on the PATH, with the worktree
# writable and the network off. Needs what it tries: node and npm, pyenv, cargo, Maven, gcc and make, git; and the
# network, once, to fetch what Maven needs before it is cached.
set -u

root=$(CDPATH='' cd -P -- "${BASH_SOURCE[0]%/*}/.." && pwd)
executors=("$@")
[ $# -gt 0 ] || executors=(bwrap landlock)

# A home of its own: commands of this script change nothing of the user's. Not below /tmp, whose
# programs are never granted, and in no git repository.
base=$(mktemp -d "$HOME/.paddock-try-XXXXXX")
trap 'chmod -R u+w "$base"; rm -rf "$base"' EXIT
export PYENV_ROOT=${PYENV_ROOT:-$HOME/.pyenv} RUSTUP_HOME=${RUSTUP_HOME:-$HOME/.rustup} CARGO_HOME=${CARGO_HOME:-$HOME/.cargo}
export HOME=$base/home XDG_CACHE_HOME=$base/home/.cache XDG_STATE_HOME=$base/home/.state XDG_CONFIG_HOME=$base/home/.config
mkdir -p "$HOME"
failures=0

# run EXECUTOR OPTIONS COMMAND
# shellcheck disable=SC2086  # several options
run() {
    case $1 in
        srt)
            echo '{"network":{"allowedDomains":[],"deniedDomains":[]},"filesystem":{"denyRead":[],"allowWrite":["."],"denyWrite":[]}}' \
                >"$HOME/.srt-settings.json"
            srt -c "$3"
            ;;
        codex) codex sandbox -c 'sandbox_mode="workspace-write"' sh -c "$3" ;;
        *) "$root/paddock" exec --executor "$1" $2 -n -c "$3" ;;
    esac
}

# try NAME NEEDED-PROGRAM OPTION COMMAND: runs a command in a worktree of its own for each executor.
try() {
    for executor in "${executors[@]}"; do
        if ! command -v "$2" >/dev/null; then
            printf '%-22s %-9s skipped: there is no %s\n' "$1" "$executor" "$2"
            continue
        fi
        rm -rf "$base/work" && cp -a "$base/$1" "$base/work"
        if (cd "$base/work" && run "$executor" "$3" "$4") >"$base/log" 2>&1 </dev/null &&
            tail -n 1 "$base/log" | grep -q 'done$'; then
            printf '%-22s %-9s ok %s\n' "$1" "$executor" "$3"
        else
            printf '%-22s %-9s FAILED %s: %s\n' "$1" "$executor" "$3" "$(tail -n 2 "$base/log" | tr '\n' ' ')"
            failures=$((failures + 1))
        fi
    done
}

project() {
    mkdir -p "$base/$1" && cd "$base/$1" || exit 1
}

project npm # node in nvm's layout
if node=$(command -v node); then
    version=$HOME/.nvm/versions/node/v0
    mkdir -p "$version/bin" "$version/lib/node_modules"
    cp "$(readlink -f "$node")" "$version/bin/node"
    cp -a "$(dirname "$(readlink -f "$(command -v npm)")")/.." "$version/lib/node_modules/npm"
    ln -s ../lib/node_modules/npm/bin/npm-cli.js "$version/bin/npm"
fi
echo '{"name":"x","version":"1.0.0","scripts":{"test":"node test.js"}}' >package.json
echo 'require("assert").ok(process.execPath.includes(".nvm")); console.log("done")' >test.js
PATH=$HOME/.nvm/versions/node/v0/bin:$PATH try npm node '' 'npm install --offline --silent && npm test --silent'

project python # a virtual environment and pip, without the network
mkdir pkg && echo 'print("done")' >pkg/__main__.py && touch pkg/__init__.py
try python python3 '' 'python3 -m venv .venv && .venv/bin/python -m pip --version >&2 && .venv/bin/python -m pkg'

project multiprocessing
cat >main.py <<'PY'
import multiprocessing as m

def square(n):
    return n * n

if __name__ == "__main__":
    with m.Pool(2) as pool:
        assert pool.map(square, range(4)) == [0, 1, 4, 9]
    print("done")
PY
try multiprocessing python3 '' 'python3 main.py'

project manager # multiprocessing's manager, which serves on a unix socket
cat >main.py <<'PY'
import multiprocessing as m

if __name__ == "__main__":
    with m.Manager() as manager:
        values = manager.list([1])
        values.append(2)
        assert list(values) == [1, 2]
    print("done")
PY
try manager python3 '' 'python3 main.py'

project unix-socket
cat >main.py <<'PY'
import os, socket, tempfile, threading

path = os.path.join(tempfile.mkdtemp(), "s")
server = socket.socket(socket.AF_UNIX)
server.bind(path)
server.listen()
threading.Thread(target=lambda: server.accept()[0].sendall(b"done\n")).start()
client = socket.socket(socket.AF_UNIX)
client.connect(path)
print(client.recv(9).decode(), end="")
PY
try unix-socket python3 '' 'python3 main.py'

project loopback
sed -e 's/AF_UNIX/AF_INET/; s/server.bind(path)/server.bind(("127.0.0.1", 0))/; s/AF_UNIX/AF_INET/' \
    -e 's/client.connect(path)/client.connect(server.getsockname())/' "$base/unix-socket/main.py" >main.py
try loopback python3 '' 'python3 main.py'

project cargo
mkdir src && printf '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n' >Cargo.toml
printf 'fn main() { println!("done"); }\n#[test]\nfn adds() { assert_eq!(1 + 1, 2); }\n' >src/main.rs
try cargo cargo '' 'cargo test -q --offline >&2 && cargo run -q --offline'

project configure # configure, make, make check
cat >configure <<'SH'
#!/bin/sh
printf 'int main(void) { return 0; }\n' >conftest.c && cc conftest.c -o conftest && ./conftest || exit 1
printf 'all: hello\nhello: hello.c\n\tcc -O2 hello.c -o hello\ncheck: all\n\t./hello | grep -q hello\n' >Makefile
SH
chmod +x configure
printf '#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n' >hello.c
try configure make '' './configure && make && make check && echo done'

project commit
git init -q . && printf '[user]\n\tname = A User\n\temail = user@example.org\n' >"$HOME/.gitconfig" && echo x >file
# shellcheck disable=SC2016  # for the sandbox's shell
try commit git '' 'git add file && git commit -qm x && [ "$(git log --format="%an %ae")" = "A User user@example.org" ] && echo done'

project maven
mkdir -p src/main/java src/test/java && echo 'public class A { }' >src/main/java/A.java
cat >pom.xml <<'XML'
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>g</groupId><artifactId>a</artifactId><version>1</version>
<properties><maven.compiler.release>17</maven.compiler.release></properties></project>
XML
command -v mvn >/dev/null && mvn -q -B -ntp -Dmaven.repo.local="$HOME/.m2/repository" package >/dev/null 2>&1 && rm -rf target
try maven mvn '--cache=maven --cache-from-home' 'mvn -q -B -o package >&2 && [ -s target/a-1.jar ] && echo done'

[ "$failures" = 0 ]
