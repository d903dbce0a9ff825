# Builds the program that ./paddock starts. Sourced by ./paddock if there is no build or the sources
# have changed.
# shellcheck shell=sh
# shellcheck disable=SC2154  # root, apps, native, places, jdk_*, java_options and fail come from ./paddock

# Each build has a directory of its own, so that a running program keeps the jars from which it was
# started. The last two builds are kept.
#   lib/         the jars
#   class-path   the jars in order, by absolute path
#   native/      the unpacked native library; missing if the jar has none for this platform
#   stamp        a file that is older than every source change that the build does not contain
#   cache-*      class data, a file for each JDK, and those for containers, the MCP server and starts
#                with a configuration file; empty if creation failed
build_app() {
    command -v mvn >/dev/null ||
        fail "Maven is missing and needed to build: install it (Debian: apt-get install maven), or run ./verify, which does"
    began=$(date +%s)
    echo "paddock: building; takes a minute, and two to five where Maven has to download the libraries" >&2
    app=$apps/app-$$
    rm -rf "$app" "$root/harness-cli/target/lib" "$root"/harness-cli/target/*.jar
    mkdir -p "$app/lib"
    : >"$app/stamp"
    quiet_maven
    # Maven leaves its last line open.
    {
        (cd "$root" && LC_ALL=$utf8 mvn -B -ntp -Punchecked -pl harness-cli -am package -Dmaven.test.skip=true \
            -Dmaven.source.skip=true -Dstyle.color=never) </dev/null 2>&1 ||
            printf '\n%s\n' "$failed_build"
    } | show_modules
    ! grep -qxF "$failed_build" "$apps/build.log" || {
        rm -rf "$app"
        # After the first empty line Maven prints general advice.
        sed -n '/^\[ERROR] *$/,$d; /^\[ERROR]/ { s/ -> \[Help 1]$//; p; }' "$apps/build.log" | tail -n 30 >&2
        fail "the build failed; the whole log is $apps/build.log"
    }
    class_path=
    for jar in "$root"/harness-cli/target/paddock-harness-cli-*.jar "$root"/harness-cli/target/lib/*.jar; do
        cp "$jar" "$app/lib/"
        class_path=$class_path${class_path:+:}$app/lib/${jar##*/}
    done
    unpack_native
    printf '%s\n' "$class_path" >"$app/class-path"
    ln -s "app-$$" "$apps/current-$$"
    mv -f "$apps/current-$$" "$apps/new"
    rename_link "$apps/new" "$apps/current"
    echo "paddock: built in $(($(date +%s) - began)) s" >&2
    # shellcheck disable=SC2012  # names of our own making
    ls -dt "$apps"/app-*/ | tail -n +3 | while read -r old; do rm -rf "$old"; done
}

# In the log after a build that has failed: the exit status of Maven is lost in the pipe.
failed_build="paddock: Maven has failed"

# show_modules: copies Maven's output to the log, and shows each module that it begins to build, with the
# share of the modules that are built, and the time so far.
show_modules() {
    while IFS= read -r line; do
        printf '%s\n' "$line" >&3
        case $line in
            *" Building Paddock"*"["*/*"]"*)
                count=${line##*"["}
                count=${count%%"]"*}
                module=${line#*" Building "}
                printf 'paddock: %3d %%, %d s, building %s\n' "$(((${count%/*} - 1) * 100 / ${count#*/}))" \
                    "$(($(date +%s) - began))" "${module%% [0-9]*}" >&2
                ;;
        esac
    done 3>"$apps/build.log"
}

# unpack_native: unpacks the native library beside the jars. Otherwise each start of the program
# would unpack it.
unpack_native() {
    library=jni/$(uname -m)-$(uname)/libjffi-1.2.so
    mkdir "$app/native"
    (cd "$app/native" && "$JAVA_HOME/bin/jar" xf "$app"/lib/jffi-*-native.jar "$library" && mv "$library" . && rm -r jni) \
        >>"$apps/build.log" 2>&1 || rm -rf "$app/native"
}

# rename_link FROM TO: replaces the link TO by the link FROM atomically; plain mv would move FROM
# into the directory.
rename_link() {
    mv -fT "$1" "$2" 2>/dev/null || mv -fh "$1" "$2"
}

# train_app: runs the program briefly and stores its loaded and linked classes in the cache. Without
# a cache the program only starts more slowly, so failing to create it is not an error. Reports on descriptor 3.
train_app() {
    { echo "paddock: preparing faster starts of this kind, once; takes some seconds" >&3; } 2>/dev/null || :
    new=$app/new-cache.$$
    if [ "$jdk_major" -ge 25 ]; then
        option=-XX:AOTCacheOutput=$new
    else
        option=-XX:ArchiveClassesAtExit=$new
    fi
    read -r class_path <"$app/class-path"
    # shellcheck disable=SC2086  # a list of options
    set -- "$JAVA_HOME/bin/java" "$option" ${native:+"-Djffi.boot.library.path=$native"} $java_options -cp "$class_path"
    sources=$root/harness-cli/src/test/java/dev/paddock/cli
    case $places in
        containers)
            # The training runs against a stub of the engine, since the machine may have no engine or
            # no image.
            set -- "$JAVA_HOME/bin/java" "$sources/EngineStub.java" "$@" dev.paddock.cli.Main exec --image training -n -- true
            ;;
        mcp) set -- "$JAVA_HOME/bin/java" "$sources/McpClientStub.java" "$@" dev.paddock.cli.CdsTraining mcp ;;
        *) set -- "$@" dev.paddock.cli.CdsTraining ;;
    esac
    # In a directory of its own: the caller's may be one that is refused as a worktree.
    make_worktree "$app/training"
    make_home "$app/training-home"
    caches=
    [ "$places" != config ] || caches=$training_caches
    [ -z "$places" ] || make_config "$app/training" "$app/training-home" "$caches"
    (cd "$app/training" && unset XDG_CONFIG_HOME XDG_CACHE_HOME && HOME=$app/training-home XDG_STATE_HOME=$app/training-state LC_ALL=$utf8 "$@") </dev/null >"$apps/train.log" 2>&1 || :
    rm -rf "$app/training" "$app/training-home" "$app/training-state"
    [ -s "$new" ] || : >"$new"
    mv -f "$new" "$cache"
    rm -f "$new".*
}

# make_worktree DIR: makes a directory that is an empty repository of git, for the training: people's
# worktrees are, and its protection takes classes of its own.
make_worktree() {
    mkdir -p "$1/.git/hooks" "$1/.git/objects" "$1/.git/refs/heads"
    echo 'ref: refs/heads/main' >"$1/.git/HEAD"
    printf '[core]\n\trepositoryformatversion = 0\n' >"$1/.git/config"
}

# For the cache "config" alone: Paddock mounts a cache at its own path, which in a container may lie in the worktree.
training_caches='caches: [maven, npm]'

# make_home DIR: makes a home directory whose user has an identity for git, as people have.
make_home() {
    mkdir -p "$1"
    printf '[user]\n\tname = Training\n\temail = training@example.org\n' >"$1/.gitconfig"
}

# make_config WORKTREE DIR [LINE]: makes the worktree's configuration file, and one in DIR for a user whose
# home directory that is, for the training: with what people configure, since the JVM links what the
# training did not meet at each start, and with the line. Every executor accepts both without it.
make_config() {
    mkdir -p "$2/.config/paddock"
    cat >"$2/.config/paddock/paddock.yaml" <<YAML
# for the training
limits: { file-size: 1g }
toolchains: path
identity: user
environment: { pass: [TERM, CI], set: { LANG: "C.UTF-8" } }
audit: on
${3-}
YAML
    printf 'environment:\n  pass: [TERM]\n' >"$1/paddock.yaml"
}

# prepare: builds the program and creates the cache if they are missing, under a lock; a process
# that waited reuses them.
prepare() {
    mkdir -p "$apps"
    if command -v flock >/dev/null; then
        # The descriptor must not stay open in the program that is started.
        (
            flock 9
            prepare_locked 9>&-
        ) 9>"$apps/lock"
    else
        until mkdir "$apps/lock.d" 2>/dev/null; do
            read -r owner 2>/dev/null <"$apps/lock.d/owner" || owner=
            if [ -n "$owner" ] && ! kill -0 "$owner" 2>/dev/null; then
                fail "an interrupted build left $apps/lock.d behind: remove it"
            fi
            sleep 1
        done
        echo $$ >"$apps/lock.d/owner"
        trap 'rm -rf "$apps/lock.d"' EXIT
        (prepare_locked)
        rm -rf "$apps/lock.d"
        trap - EXIT
    fi
}

prepare_locked() {
    is_current || build_app
    locate_app
    [ -e "$cache" ] || train_app
}
