# Makes the program's directory. Sourced by build/dist.
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154  # build/dist sets the variables, and uses some of these

program_module=dev.paddock.release

# make_program: fills $program:
#   bin/paddock             the launcher
#   libexec/launcher.sh     its part that a checkout has in common
#   native/                 the unpacked native library
#   runtime/                Java, reduced to the modules that the program uses, and with the program, which is
#                           the module $program_module
#   cache/                  loaded and linked classes: paddock.aot; paddock-all.aot, also with the libraries for
#                           containers and the MCP server, which would slow the other starts; and
#                           paddock-guest.aot for the processes of guest code
#   share/                  completions, the manual page, documents
make_program() {
    copy_sources "$work/source"
    set_version "$work/source"
    build_jars
    make_runtime
    make_launcher
    settle_times "$program" # a class cache is valid for a runtime of this size and time
    if [ -n "$caches" ]; then
        make_cache paddock plain config
        make_cache paddock-all containers mcp
        make_cache paddock-guest guest
    fi
    make_documents # the program, which starts faster with the caches, writes some
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
    local profiles=unchecked
    [ -n "$archive_only" ] || profiles=$profiles,sbom
    (cd "$work/source" && LC_ALL=C.UTF-8 mvn -q -B -ntp -T 2 "-P$profiles" -pl harness-cli -am package "-Dpaddock.commit=$commit" \
        -Dmaven.test.skip=true -Dmaven.source.skip=true) </dev/null >"$work/build.log" 2>&1 || {
        tail -n 30 "$work/build.log" >&2
        fail "the build failed"
    }
    app=$work/jars apps=$work
    mkdir -p "$app/lib" "$program"
    cp "$work"/source/harness-cli/target/paddock-harness-cli-*.jar "$work"/source/harness-cli/target/lib/*.jar "$app/lib"
    [ -n "$archive_only" ] || mv "$work/source/harness-cli/target/bom.json" "$work/$name.cdx.json"
    unpack_native
    [ -d "$app/native" ] || fail "jffi has no native library for this platform"
    mv "$app/native" "$program/native"
    # The program's own jar comes first: its manifest states the version.
    local libraries
    mapfile -t libraries < <(find "$app/lib" -name '*.jar' ! -name 'paddock-harness-cli-*' | sort)
    "$JAVA_HOME/bin/java" -cp "$(echo "$app"/lib/asm-*.jar)" harness-cli/src/test/java/dev/paddock/cli/release/JarMerge.java \
        "$work/paddock.jar" "$epoch" "$program_module" "$version" "$modules" dev.paddock.cli.Main \
        "$(unused_entries)" "$general_libraries" "$divisible_libraries" "$indexes" "$app"/lib/paddock-harness-cli-*.jar "${libraries[@]}" >"$work/merge.log" 2>&1 || {
        tail -n 5 "$work/merge.log" >&2
        fail "the jars could not be merged"
    }
}

# unused_entries: prints a regular expression for the jars' entries that a release leaves out: native
# libraries and constants of other platforms, and indexes of classes that no library here reads.
unused_entries() {
    local sqlite jffi quickjs constants
    # Constants of x86-64 are in linux/ itself, those in which AArch64 differs below it.
    case $arch in
        x64) sqlite=Linux/x86_64 jffi=x86_64-Linux quickjs=linux_x64 constants=x86_64 ;;
        arm64) sqlite=Linux/aarch64 jffi=aarch64-Linux quickjs=linux_aarch64 constants=aarch64 ;;
    esac
    printf '%s|' "org/sqlite/native/(?!$sqlite/).*" "jni/(?!$jffi/|$quickjs/).*" \
        'jnr/constants/platform/(?!linux/|fake/)[^/]*/.*' "jnr/constants/platform/linux/(?!$constants/)[^/]*/.*"
    echo 'META-INF/jandex\.idx'
}

# What the program does not mention of these libraries is left out: see UnusedCode. All lose classes, and the
# divisible ones methods: they have no reflection but Jackson's and that by whole names.
general_libraries='(com/google/common|org/apache/commons|kotlinx?|dev/langchain4j|org/yaml/snakeyaml|io/fabric8|reactor)/.*'
divisible_libraries='(com/google/common|org/apache/commons|kotlinx?|io/fabric8|reactor)/.*'
# Lists of all kinds of resources of Kubernetes, of which the program knows a few.
indexes='META-INF/services/io\.fabric8\.kubernetes\.api\.model\.KubernetesResource'

# The modules of Java that the program's classes refer to. Jackson and others refer to java.desktop and
# java.compiler in classes that load only where those exist.
modules=java.logging,java.management,java.naming,java.net.http,java.sql,java.xml,jdk.unsupported

# make_runtime: links a Java of these modules and the program. Web pages may be in any character set. What is
# not compressed here takes less room in the archive, and more on the disk: best are classes that resemble each other.
make_runtime() {
    unused_java >"$work/unused-java"
    echo "regex:^(?!/java\.base/(java|jdk)/|/${program_module//./\\.}/(jnr|com/github/dockerjava|com/google|org/snakeyaml)/).*" >"$work/compressed"
    "$JAVA_HOME/bin/jlink" --output "$program/runtime" --module-path "$work/paddock.jar" \
        --add-modules "$program_module,jdk.charsets" \
        --strip-java-debug-attributes \
        --no-header-files --no-man-pages "--compress=zip-9:filter=@$work/compressed" "--exclude-resources=@$work/unused-java" >"$work/jlink.log" 2>&1 || {
        tail -n 20 "$work/jlink.log" >&2
        fail "jlink failed with the JDK in $JAVA_HOME"
    }
    rm "$program/runtime/lib/jrt-fs.jar" # for programs of another Java that read this one's classes
    rm "$program/runtime/bin/keytool"    # without its classes
    rm -f "$program/runtime/lib/libsimdsort.so" # for code of the compiler that no start here uses
    # A sixth of libjvm.so is names of its own functions, which only the report of a crash of the JVM would show.
    find "$program/runtime" "$program/native" -name '*.so' -exec objcopy --strip-unneeded {} \;
}

# unused_java: prints the resources of Java that a release leaves out: the readers and writers of XML, which
# java.sql requires and nothing here calls, and those of the program keytool. The smallest class of each
# package stays, since jlink demands the packages.
unused_java() {
    "$JAVA_HOME/bin/jimage" list --verbose \
        --include 'regex:/(java\.xml/(com/sun|jdk/xml)|java\.base/sun/security/tools/keytool)/.*' "$JAVA_HOME/lib/modules" | awk '
        /^Module: / { module = $2 }
        $1 ~ /^[0-9]+$/ {
            name = "/" module "/" $4
            package = name
            sub(/\/[^\/]*$/, "", package)
            size[name] = $2
            if (!(package in kept) || $2 < size[kept[package]]) kept[package] = name
        }
        END {
            for (package in kept) delete size[kept[package]]
            for (name in size) print name
        }' | sort
}

make_launcher() {
    mkdir -p "$program/bin" "$program/libexec"
    cp build/launcher.sh "$program/libexec/launcher.sh"
    sed "s|@MAJOR@|$jdk_major|; s|@MODULE@|$program_module|" build/release/paddock >"$program/bin/paddock"
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

# make_cache NAME RUN...: makes cache/NAME.aot, loaded and linked classes, from cache/NAME.classes, the list of
# the classes and of the links in them. Which links a run resolves depends on its timing, so the list is
# recorded once for a release; all that is made from it is the same each time, wherever it is made.
make_cache() {
    local name=$1 list=$program/cache/$1.classes run recorded=()
    shift
    mkdir -p "$program/cache" "$work/state"
    sources=$root/harness-cli/src/test/java/dev/paddock/cli
    training_options "$1"
    if [ -n "$like" ]; then
        tar -xzOf "$like" --wildcards "*/cache/$name.classes" >"$list" || fail "$like has no cache/$name.classes: is it a release?"
    else
        for run; do
            record_classes "$run" >"$work/$run.log" 2>&1 </dev/null || {
                tail -n 20 "$work/$run.log" >&2
                fail "the run '$run' that records the classes of the cache $name failed"
            }
            # The host refuses the caches of the run "config".
            ! grep 'trained on .*, exit code [1-9]' "$work/$run.log" | grep -v '^trained on host,' >&2 ||
                fail "a release is built where every sandbox for Linux works, since its caches have their classes; paddock doctor says what one lacks"
            recorded+=("$work/$run.recorded")
        done
        list_classes "${recorded[@]}" >"$list"
    fi
    # shellcheck disable=SC2086  # a list of options
    (cd "$program" && "$JAVA_HOME/bin/java" "$sources/release/ClassCacheDump.java" "cache/$name.aot" runtime/bin/java \
        -Xshare:dump "-XX:SharedClassListFile=$list" -XX:+AOTClassLinking $java_options -m "$program_module/dev.paddock.cli.Main") >"$work/$name.log" 2>&1 || {
        tail -n 20 "$work/$name.log" >&2
        fail "the class cache $name could not be made"
    }
}

# training_options RUN: sets java_options. Those of guests are the options with which EngineFiles starts them.
# Hostile code must not learn where the JVM maps the classes, so that no option fixes the address.
training_options() {
    java_options "$jdk_major"
    [ "$1" != guest ] ||
        java_options="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData -Xmx96m --enable-native-access=$program_module"
}

# record_classes RUN: runs the program as the cache's users will, and records the classes in $work/RUN.recorded.
record_classes() {
    local training caches= recorded=$work/$1.recorded
    rm -rf "$work/training" "$work/training-home"
    make_home "$work/training-home"
    make_worktree "$work/training"
    [ "$1" != config ] || caches=$training_caches
    [ "$1" = plain ] || make_config "$work/training" "$work/training-home" "$caches"
    # shellcheck disable=SC2086  # a list of options
    set -- "$1" "$program/runtime/bin/java" "-XX:DumpLoadedClassList=$recorded" \
        "-Djffi.boot.library.path=$program/native" $java_options -m
    case $1 in
        plain | config) training=("${@:2}" "$program_module/dev.paddock.cli.CdsTraining") ;;
        containers)
            training=("$JAVA_HOME/bin/java" "$sources/EngineStub.java" "${@:2}" "$program_module/dev.paddock.cli.Main" exec --image training -n -- true)
            ;;
        guest)
            # shellcheck disable=SC2206  # a list of options
            training=("$JAVA_HOME/bin/java" -cp "$work/paddock.jar" "$sources/GuestTraining.java" "$work/guest" "$work/paddock.jar" "$program_module"
                "$program/runtime/bin/java" "-XX:DumpLoadedClassList=$recorded" $java_options)
            ;;
        mcp) training=("$JAVA_HOME/bin/java" "$sources/McpClientStub.java" "${@:2}" "$program_module/dev.paddock.cli.CdsTraining" mcp) ;;
    esac
    (cd "$work/training" && unset XDG_CONFIG_HOME XDG_CACHE_HOME && HOME=$work/training-home XDG_STATE_HOME=$work/state LC_ALL=C.UTF-8 "${training[@]}") && [ -s "$recorded" ]
}

# list_classes FILE...: prints the recorded classes, then the links, each sorted; without classes of other
# loaders than the program's, which a cache cannot hold.
list_classes() {
    cat "$@" | grep -v -e '^[@#]' -e ' source: ' | sed 's/ id: [0-9]*$//' | sort -u
    cat "$@" | grep '^@' | sort -u
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
