# Makes the program's directory. Sourced by build/dist.
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154  # build/dist sets the variables, and uses some of these

# make_program: fills $program:
#   bin/paddock             the launcher
#   libexec/launcher.sh     its part that a checkout has in common
#   lib/                    the jars
#   native/                 the unpacked native library
#   runtime/                Java, reduced to the modules that the jars use
#   cache/                  loaded and linked classes: paddock.aot, and paddock-containers.aot for containers
#   share/                  completions, the manual page, documents
make_program() {
    copy_sources "$work/source"
    build_jars
    make_runtime
    make_launcher
    make_documents
    settle_times "$program" # a class cache is valid for jars of this size and time
    make_cache paddock
    make_cache paddock-containers
    settle_times "$program"
}

# copy_sources DIR: copies the checkout's files, without those that git ignores.
copy_sources() {
    mkdir -p "$1"
    git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
        [ ! -e "$file" ] || printf '%s\0' "$file"
    done | tar --null --verbatim-files-from -T - -c | tar -C "$1" -x
}

build_jars() {
    quiet_maven
    (cd "$work/source" && LC_ALL=C.UTF-8 mvn -q -B -ntp -pl harness-cli -am package "-Dpaddock.commit=$commit" \
        -Dmaven.test.skip=true -Dmaven.source.skip=true -Dspotless.check.skip=true) </dev/null >"$work/build.log" 2>&1 || {
        tail -n 30 "$work/build.log" >&2
        fail "the build failed"
    }
    mkdir -p "$program/lib"
    cp "$work"/source/harness-cli/target/paddock-harness-cli-*.jar "$work"/source/harness-cli/target/lib/*.jar "$program/lib"
    app=$program apps=$work
    unpack_native
    [ -d "$program/native" ] || fail "jffi has no native library for this platform"
}

# make_runtime: links a Java of the modules that the jars use. Jackson and others refer to
# java.desktop and java.compiler in classes that load only where those exist. Web pages may be in any
# character set.
make_runtime() {
    "$JAVA_HOME/bin/jlink" --output "$program/runtime" \
        --add-modules java.base,java.logging,java.management,java.naming,java.net.http,java.sql,java.xml,jdk.charsets,jdk.unsupported \
        --strip-java-debug-attributes --no-header-files --no-man-pages --compress zip-0 >"$work/jlink.log" 2>&1 || {
        cat "$work/jlink.log" >&2
        fail "jlink failed with the JDK in $JAVA_HOME"
    }
}

make_launcher() {
    mkdir -p "$program/bin" "$program/libexec"
    cp build/launcher.sh "$program/libexec/launcher.sh"
    local jar jars
    jars=$(basename "$program"/lib/paddock-harness-cli-*.jar)
    for jar in "$program"/lib/*.jar; do
        jar=${jar##*/}
        [ "$jar" = "${jars%% *}" ] || jars="$jars $jar"
    done
    sed "s|@JARS@|$jars|; s|@MAJOR@|$jdk_major|" build/release/paddock >"$program/bin/paddock"
    chmod +x "$program/bin/paddock"
}

make_documents() {
    local share=$program/share
    mkdir -p "$share/bash-completion/completions" "$share/zsh/site-functions" "$share/fish/vendor_completions.d" \
        "$share/man/man1" "$share/doc/paddock"
    "$program/bin/paddock" completion bash >"$share/bash-completion/completions/paddock"
    "$program/bin/paddock" completion zsh >"$share/zsh/site-functions/_paddock"
    "$program/bin/paddock" completion fish >"$share/fish/vendor_completions.d/paddock.fish"
    "$program/bin/paddock" man >"$share/man/man1/paddock.1"
    cp LICENSE README.md CHANGELOG.md SECURITY.md "$share/doc/paddock/"
}

# make_cache NAME: makes cache/NAME.aot, loaded and linked classes, from cache/NAME.classes, the list of
# the classes and of the links in them. Which links a run resolves depends on its timing, so the list is
# recorded once for a release; all that is made from it is the same each time, wherever it is made.
make_cache() {
    local list=$program/cache/$1.classes jars sources=$root/harness-cli/src/test/java/dev/paddock/cli
    mkdir -p "$program/cache" "$work/training" "$work/state"
    jars=$(sed -n 's/^for jar in \(.*\); do$/lib\/\1/p' "$program/bin/paddock" | sed 's/ /:lib\//g')
    java_options "$jdk_major"
    if [ -n "$like" ]; then
        tar -xzOf "$like" --wildcards "*/cache/$1.classes" >"$list" || fail "$like has no cache/$1.classes: is it a release?"
    else
        record_classes "$1" >"$work/$1.log" 2>&1 </dev/null || {
            tail -n 20 "$work/$1.log" >&2
            fail "the run that records the classes of the cache $1 failed"
        }
        list_classes "$work/$1.recorded" >"$list"
    fi
    # A relative class path fits the jars wherever they are.
    # shellcheck disable=SC2086  # a list of options
    (cd "$program" && "$JAVA_HOME/bin/java" "$sources/release/ClassCacheDump.java" "cache/$1.aot" runtime/bin/java \
        -Xshare:dump "-XX:SharedClassListFile=$list" -XX:+AOTClassLinking $java_options -cp "$jars") >"$work/$1.log" 2>&1 || {
        tail -n 20 "$work/$1.log" >&2
        fail "the class cache $1 could not be made"
    }
}

# record_classes NAME: runs the program as the cache's users will.
record_classes() {
    local training
    # shellcheck disable=SC2086  # a list of options
    set -- "$1" "$program/runtime/bin/java" "-XX:DumpLoadedClassList=$work/$1.recorded" \
        "-Djffi.boot.library.path=$program/native" $java_options -cp "$program/${jars//:lib/:$program/lib}"
    training=("${@:2}" dev.paddock.cli.CdsTraining)
    [ "$1" = paddock ] || training=("$JAVA_HOME/bin/java" "$sources/EngineStub.java" "${@:2}" dev.paddock.cli.Main exec --image training -n -- true)
    (cd "$work/training" && XDG_STATE_HOME=$work/state LC_ALL=C.UTF-8 "${training[@]}") && [ -s "$work/$1.recorded" ]
}

# list_classes FILE: prints the recorded classes, then the links, each sorted; without classes of other
# loaders than the program's, which a cache cannot hold.
list_classes() {
    grep -v -e '^[@#]' -e ' source: ' "$1" | sed 's/ id: [0-9]*$//' | sort -u
    grep '^@' "$1" | sort -u
}

# settle_times DIR: gives every file the release's time, and the usual permissions.
settle_times() {
    chmod -R u=rwX,go=rX "$1"
    find "$1" -exec touch -h -d "@$epoch" {} +
}

# archive DIR NAME...: writes a tar of these entries of the directory, the same each time.
archive() {
    tar --sort=name --format=gnu --owner=0 --group=0 --numeric-owner "--mtime=@$epoch" -C "$1" -c "${@:2}"
}
