# Builds what ./paddock starts. Sourced by it when there is nothing to start or the sources have changed.
# shellcheck shell=sh
# shellcheck disable=SC2154  # root, apps, native, places, jdk_*, java_options and fail come from ./paddock

# Each build gets a directory of its own, so that a program that runs goes on with the jars it was started from. The
# last two stay.
#   lib/         the jars
#   class-path   the jars in order, by absolute path
#   native/      the library that calls C, unpacked; not there if the platform's is not known
#   stamp        older than any change that the build has not seen
#   cache-*      class data, one for each JDK that was used, and one more for containers; empty if none could be made
build_app() {
    command -v mvn >/dev/null ||
        fail "Maven is missing and needed to build: install it (Debian: apt-get install maven), or run ./verify, which does"
    echo "paddock: building; the first time takes a minute or two" >&2
    app=$apps/app-$$
    rm -rf "$app" "$root/harness-cli/target/lib" "$root"/harness-cli/target/*.jar
    mkdir -p "$app/lib"
    : >"$app/stamp"
    quiet_maven
    (cd "$root" && LC_ALL=$utf8 mvn -q -B -ntp -pl harness-cli -am package \
        -Dmaven.test.skip=true -Dmaven.source.skip=true -Dspotless.check.skip=true) </dev/null >"$apps/build.log" 2>&1 || {
        rm -rf "$app"
        # What follows the first empty line is Maven's advice on Maven.
        sed 's/ -> \[Help 1]$//; /^\[ERROR] *$/,$d' "$apps/build.log" | tail -n 30 >&2
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
    # shellcheck disable=SC2012  # names of our own making
    ls -dt "$apps"/app-*/ | tail -n +3 | while read -r old; do rm -rf "$old"; done
}

# unpack_native: puts the library that calls C beside the jars. Without it there, each start unpacks it anew.
unpack_native() {
    library=jni/$(uname -m)-$(uname)/libjffi-1.2.so
    mkdir "$app/native"
    (cd "$app/native" && "$JAVA_HOME/bin/jar" xf "$app"/lib/jffi-*-native.jar "$library" && mv "$library" . && rm -r jni) \
        >>"$apps/build.log" 2>&1 || rm -rf "$app/native"
}

# rename_link FROM TO: puts the link FROM in TO's place at once; mv alone would move it into the directory TO points at.
rename_link() {
    mv -fT "$1" "$2" 2>/dev/null || mv -fh "$1" "$2"
}

# train_app: short runs whose loaded and linked classes are kept for the next starts. Without a cache the program only
# starts more slowly, so that it cannot be made is no failure.
train_app() {
    new=$app/new-cache.$$
    if [ "$jdk_major" -ge 25 ]; then
        option=-XX:AOTCacheOutput=$new
    else
        option=-XX:ArchiveClassesAtExit=$new
    fi
    read -r class_path <"$app/class-path"
    # shellcheck disable=SC2086  # a list of options
    set -- "$JAVA_HOME/bin/java" "$option" ${native:+"-Djffi.boot.library.path=$native"} $java_options -cp "$class_path"
    if [ "$places" = containers ]; then
        # Against a stub, since the machine may have no engine, or none with an image that could be named.
        set -- "$JAVA_HOME/bin/java" "$root/harness-cli/src/test/java/dev/paddock/cli/EngineStub.java" "$@" \
            dev.paddock.cli.Main exec --image training -n -- true
    else
        set -- "$@" dev.paddock.cli.CdsTraining
    fi
    LC_ALL=$utf8 "$@" </dev/null >"$apps/train.log" 2>&1 || :
    [ -s "$new" ] || : >"$new"
    mv -f "$new" "$cache"
    rm -f "$new".*
}

# prepare: under a lock, makes what is missing; whoever waited finds it made.
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
