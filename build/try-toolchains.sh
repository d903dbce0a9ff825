#!/bin/bash
# Builds small real projects with nothing but `./paddock exec` and at most one option each, and prints a
# row per project and executor: ok, failed, or skipped with what this machine lacks. The last table of
# docs/toolchains.md comes from here. Usage: build/try-toolchains.sh [EXECUTOR...], bwrap and landlock
# by default; docker:IMAGE is a container of an image that has the programs; srt and codex try those
# programs, which have to be on the PATH, with the worktree writable and the network off. ONLY="PROJECT..."
# tries those projects alone. Needs what it tries: node and npm, pyenv, cargo, Maven, Gradle, gcc and
# make, git, chromium, apt-get for the source of GNU hello; and the network, once, to fetch that and
# what Maven and Gradle need before it is cached.
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

# The JVM takes the user's home from the system's list of users, not from HOME.
maven="export MAVEN_OPTS=-Dmaven.repo.local=$HOME/.m2/repository;"

# run EXECUTOR OPTIONS COMMAND
# shellcheck disable=SC2086  # several options
run() {
    case $1 in
        srt)
            echo '{"network":{"allowedDomains":[],"deniedDomains":[]},"filesystem":{"denyRead":[],"allowWrite":[".","/tmp"],"denyWrite":[]}}' \
                >"$HOME/.srt-settings.json"
            mkdir -p /tmp/claude # its TMPDIR, which it does not make
            srt -c "$maven $3"
            ;;
        docker:*) "$root/paddock" exec --image "${1#docker:}" $2 -n -c "$3" ;;
        codex) codex sandbox -c 'sandbox_mode="workspace-write"' sh -c "$maven $3" ;;
        *) "$root/paddock" exec --executor "$1" $2 -n -c "$3" ;;
    esac
}

# try NAME NEEDED-PROGRAM OPTION COMMAND [OPTIONS]: runs a command in a worktree of its own for each
# executor, before that once with the second options, if there are any.
try() {
    set -- "$@" '' # no fifth
    [ -z "${ONLY-}" ] || [[ " $ONLY " == *" $1 "* ]] || return 0
    for executor in "${executors[@]}"; do
        if ! command -v "$2" >/dev/null && [[ $executor != docker:* ]]; then
            printf '%-15s %-12.12s skipped: there is no %s\n' "$1" "$executor" "$2"
            continue
        fi
        rm -rf "$base/work" && cp -a "$base/$1" "$base/work"
        if [ -n "$5" ]; then # fills the cache of this worktree
            (cd "$base/work" && run "$executor" "$5" "$4") >"$base/log" 2>&1 </dev/null
            rm -rf "$base/work" && cp -a "$base/$1" "$base/work"
        fi
        if (cd "$base/work" && run "$executor" "$3" "$4") >"$base/log" 2>&1 </dev/null &&
            tail -n 1 "$base/log" | grep -q 'done$'; then
            printf '%-15s %-12.12s ok %s\n' "$1" "$executor" "$3"
        else
            printf '%-15s %-12.12s FAILED %s: %s\n' "$1" "$executor" "$3" "$(tail -n 2 "$base/log" | tr '\n' ' ')"
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
mkdir greeting
echo '{"name":"greeting","version":"1.0.0"}' >greeting/package.json
echo 'module.exports = "hello"' >greeting/index.js
echo '{"name":"x","version":"1.0.0","scripts":{"test":"node test.js"},"dependencies":{"greeting":"file:greeting"}}' >package.json
echo 'require("assert").equal(require("greeting"), "hello"); console.log("done")' >test.js
# shellcheck disable=SC2016  # for the sandbox's shell
PATH=$HOME/.nvm/versions/node/v0/bin:$PATH try npm node '' \
    '{ [ -e /.dockerenv ] || node -p process.execPath | grep -q .nvm; } && npm install --offline --silent && npm test --silent'

project python # pyenv's, if there is one; a virtual environment, and pip with a wheel, without the network
mkdir wheels
python3 - <<'PY'
import zipfile

with zipfile.ZipFile("wheels/greeting-1.0-py3-none-any.whl", "w") as wheel:
    wheel.writestr("greeting/__init__.py", "")
    wheel.writestr("greeting/__main__.py", "print('done')\n")
    about = "greeting-1.0.dist-info/"
    wheel.writestr(about + "METADATA", "Metadata-Version: 2.1\nName: greeting\nVersion: 1.0\n")
    wheel.writestr(about + "WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
    wheel.writestr(about + "RECORD", "".join(name + ",,\n" for name in wheel.namelist() + [about + "RECORD"]))
PY
own=
case $(command -v python3) in *shims*) own='python3 -c "import sys; assert sys.prefix.count(\".pyenv\")" && ' ;; esac
try python python3 '' "{ [ -e /.dockerenv ] || ${own}true; } && python3 -m venv .venv && .venv/bin/pip install -q --no-index --find-links wheels greeting >&2 && .venv/bin/python -m greeting"

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

project cargo # with a dependency from a vendored directory
mkdir -p src vendor/greeting/src .cargo
printf '[source.crates-io]\nreplace-with = "vendored"\n[source.vendored]\ndirectory = "vendor"\n' >.cargo/config.toml
printf '[package]\nname = "greeting"\nversion = "1.0.0"\nedition = "2021"\n' >vendor/greeting/Cargo.toml
echo 'pub fn text() -> &'"'"'static str { "done" }' >vendor/greeting/src/lib.rs
echo '{"files":{},"package":null}' >vendor/greeting/.cargo-checksum.json
printf '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\ngreeting = "1.0"\n' >Cargo.toml
printf 'fn main() { println!("{}", greeting::text()); }\n#[test]\nfn adds() { assert_eq!(1 + 1, 2); }\n' >src/main.rs
try cargo cargo '' 'cargo test -q --offline >&2 && cargo run -q --offline'

project hello # GNU hello: configure, make, make check
source=$base/hello-source
if command -v apt-get >/dev/null && mkdir -p "$source/lists" &&
    archive=$(apt-get --print-uris download base-files | sed -n "s|^'\(.*\)/pool/.*|\1|p") &&
    echo "deb-src $archive $(. /etc/os-release && echo "$VERSION_CODENAME") main" >"$source/sources.list"; then
    options=(-q -o "Dir::Etc::SourceList=$source/sources.list" -o Dir::Etc::SourceParts=- -o "Dir::State::Lists=$source/lists")
    (cd "$source" && apt-get "${options[@]}" update && apt-get "${options[@]}" source --download-only hello) >"$base/log" 2>&1
    tar -xzf "$source"/hello_*.orig.tar.gz --strip-components=1
fi
[ -e configure ] || echo "hello: there is no source of it here: $(tail -n 1 "$base/log")"
try hello make '' './configure -q && make -s && make -s check >check.log && grep "^# FAIL:  0" check.log && ./hello | grep -q Hello && echo done'

project commit
git init -q . && printf '[user]\n\tname = A User\n\temail = user@example.org\n' >"$HOME/.gitconfig" && echo x >file
# shellcheck disable=SC2016  # for the sandbox's shell
try commit git '' 'git add file && git commit -qm x && [ "$(git log --format="%an %ae")" = "A User user@example.org" ] && echo done'

project maven
mkdir -p src/main/java src/test/java && echo 'public class A { @org.jspecify.annotations.Nullable String a; }' >src/main/java/A.java
cat >pom.xml <<'XML'
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>g</groupId><artifactId>a</artifactId><version>1</version>
<properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target></properties>
<dependencies><dependency><groupId>org.jspecify</groupId><artifactId>jspecify</artifactId><version>1.0.0</version></dependency></dependencies></project>
XML
# At the places where the two look by default.
export GRADLE_USER_HOME=$HOME/.gradle
command -v mvn >/dev/null && mvn -q -B -ntp -Dmaven.repo.local="$HOME/.m2/repository" package >/dev/null 2>&1 && rm -rf target
try maven mvn '--cache=maven --cache-from-home' 'mvn -q -B -o package >&2 && [ -s target/a-1.jar ] && echo done'

project gradle
mkdir -p src/main/java && cp ../maven/src/main/java/A.java src/main/java
printf "apply plugin: 'java'\nrepositories { mavenCentral() }\ndependencies { implementation 'org.jspecify:jspecify:1.0.0' }\n" >build.gradle
command -v gradle >/dev/null && gradle -q --no-daemon build >"$base/log" 2>&1 && rm -rf build .gradle
# Before version 6.1 its cache has absolute paths in it, so that a copy is of no use; the first build has the network.
# shellcheck disable=SC2016  # for the sandbox's shell
try gradle gradle '--cache=gradle' \
    'gradle -q --no-daemon ${FIRST:---offline} build >&2 && ls build/libs/*.jar >/dev/null && echo done' \
    '--cache=gradle --network=open --env=FIRST=--stacktrace'
unset GRADLE_USER_HOME

project browser # a page that a script completes, served on loopback and shown by a headless browser
cat >page.html <<'HTML'
<!doctype html><title>x</title><script>document.title = [1, 2, 3].map(n => n * n).join("-")</script>
HTML
cat >main.py <<'PY'
import functools, http.server, subprocess, sys, tempfile, threading

quiet = type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), quiet)
threading.Thread(target=server.serve_forever, daemon=True).start()
page = "http://127.0.0.1:%d/page.html" % server.server_address[1]
options = "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --dump-dom".split()
shown = subprocess.run(["chromium", "--user-data-dir=" + tempfile.mkdtemp(), *options, page], stdout=subprocess.PIPE)
sys.exit("no" if b"1-4-9" not in shown.stdout else print("done"))
PY
try browser chromium '' 'python3 main.py'

project browser-file # the same from a file, where there is no loopback
cp ../browser/page.html .
# shellcheck disable=SC2016  # for the sandbox's shell
try browser-file chromium '' \
    'chromium --user-data-dir="$(mktemp -d)" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --dump-dom "file://$PWD/page.html" | grep -q 1-4-9 && echo done'

# What Landlock lacks by default, with one option.
case " ${executors[*]} " in
    *" landlock "*)
        executors=(landlock)
        try multiprocessing python3 '--mount=/dev/shm:/dev/shm:rw' 'python3 main.py'
        try loopback python3 '--network=open' 'python3 main.py'
        try browser chromium '--network=open' 'python3 main.py'
        ;;
esac

[ "$failures" = 0 ]
