# The start of the program, for ./paddock in a checkout and for the launcher of a release. Sourced
# first of all: it checks that the JVM can start here, and defines start_program. Works in any POSIX
# shell, and starts no other program.
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154  # places is for the launchers; utf8, the name of a UTF-8 locale, comes from them

# A closed standard descriptor would be reused for the first file that the JVM opens, and the command
# would read or write that file.
if [ -e /dev/fd ]; then
    [ -e /dev/fd/0 ] || exec </dev/null
    [ -e /dev/fd/1 ] || exec >/dev/null
    [ -e /dev/fd/2 ] || exec 2>/dev/null
fi

fail() {
    echo "paddock: $*" >&2
    exit 125
}

# The JVM cannot start in a directory that has been deleted, and says so in a stack trace.
# shellcheck disable=SC3013  # where test lacks -ef, pwd decides
[ . -ef "${PWD-}" ] || [ -n "$(pwd -P 2>/dev/null)" ] ||
    fail "the current directory '${PWD-}' has been deleted, or is unknown to the system; change to another one"

# The JVM raises its own limit on open files up to the hard one. Below this number it cannot load the
# program's libraries, or has none left for a command's pipes.
least_files=256
# shellcheck disable=SC3045  # a shell without -H reports an unknown limit
files=$(ulimit -Hn 2>/dev/null) || files=
case $files in
    '' | *[!0-9]*) ;; # unlimited, or unknown
    *)
        [ "$files" -ge "$least_files" ] ||
            fail "the limit on open files is $files, and paddock needs $least_files; raise it (ulimit -n) in the shell that starts paddock, or in limits.conf"
        ;;
esac

# The module that the program is in a release, whose Java contains it; empty in a checkout, where it
# comes from the class path.
program_module=

# java_options MAJOR: sets java_options for a Java of this release. They favor a quick start over peak
# speed, and send the JVM's warnings to stderr, since stdout belongs to the command. Native
# reflection: the JVM would otherwise generate accessor classes at each start. No file with the JVM's
# counters: the program ends without the JVM's own end, which would remove it.
java_options() {
    java_options="-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Djdk.reflect.useNativeAccessorOnly=true -Xlog:disable -Xlog:all=error:stderr
        --enable-native-access=${program_module:-ALL-UNNAMED}"
    # Most runs end before compiled code has paid for its compilation. The class cache is mapped at the
    # address for which it was written: elsewhere the JVM would rewrite every pointer in it.
    java_options="$java_options -XX:CompileThresholdScaling=5 -XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0"
    # The profile of the training run would have the JVM compile a thousand methods at once.
    [ "$1" -lt 25 ] || java_options="$java_options -XX:-AOTRecordTraining -XX:-AOTReplayTraining"
    [ "$1" -lt 24 ] || java_options="$java_options --sun-misc-unsafe-memory-access=allow"
}

# places WORD...: selects the class cache for these arguments. Containers have their own, and so has the MCP
# server, since their libraries would slow every other start; a release has one for both. Starts with a
# configuration file have their own in a checkout, whose caches are made from one run each. A word that is
# mistaken for an option only costs speed.
places() {
    places=
    tree=.
    config=${XDG_CONFIG_HOME:-${HOME-}/.config}/paddock/paddock.yaml
    [ "${1-}" != mcp ] || places=mcp
    previous=
    for word; do
        case $previous$word in
            --) break ;;
            --image | --image=* | --container | --container=* | --executor=docker | --executor--docker) places=containers ;;
            --config=*) config=${word#*=} ;;
            --config--*) config=$word ;;
            --worktree=*) tree=${word#*=} ;;
            --worktree--*) tree=$word ;;
        esac
        previous=
        case $word in
            --executor | --config | --worktree) previous=$word-- ;;
        esac
    done
    [ -n "$places" ] || { [ ! -e "$tree/paddock.yaml" ] && [ ! -e "$config" ]; } || places=config
}

# start_program JAVA CACHE-OPTION NATIVE CLASS-PATH WORD...: replaces this shell by the program. The
# cache option, and the directory of the unpacked native library, may be empty, and so is the class path
# where the program is a module of this Java. The program receives this script's path, as it was called,
# for clients that are to start it.
#
# The JVM runs in a UTF-8 locale, whatever the caller's locale, because the locale decodes arguments
# and file names. Commands run in the caller's locale: PADDOCK_CALLER_LC_ALL carries the caller's
# LC_ALL, empty if that is empty or unset (the program then removes LC_ALL from the commands'
# environment). LANG and the other LC_ variables stay unchanged. If PADDOCK_CALLER_LC_ALL is not
# set, no launcher started the program, and LC_ALL is the caller's.
start_program() {
    java=$1 cache_option=$2 native=$3 class_path=$4
    shift 4
    if [ -n "$class_path" ]; then
        set -- -cp "$class_path" dev.paddock.cli.Main "$@"
    else
        set -- -m "$program_module/dev.paddock.cli.Main" "$@"
    fi
    case $0 in
        /*) launcher=$0 ;;
        *) launcher=${PWD-}/$0 ;;
    esac
    export PADDOCK_CALLER_LC_ALL="${LC_ALL-}"
    export LC_ALL="$utf8"
    # shellcheck disable=SC2086  # a list of options
    exec "$java" ${cache_option:+"$cache_option"} ${native:+"-Djffi.boot.library.path=$native"} $java_options \
        "-Dpaddock.launcher=$launcher" "$@"
}
