# Finds a JDK to build and run with. Sourced by ./paddock and ./verify. Works in any POSIX shell,
# and starts no program for each candidate, since ./paddock runs it at every start.
# shellcheck shell=sh

oldest_jdk=21
preferred_jdk=25 # the long-term-support release that the tests use

# jdk_version HOME: sets jdk_version (25.0.3) and jdk_major (25) if HOME is a JDK; fails otherwise.
jdk_version() {
    jdk_version='' jdk_major=0
    [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 1
    while IFS='=' read -r key value; do
        [ "$key" = JAVA_VERSION ] || continue
        value=${value#\"}
        jdk_version=${value%\"*}
        break
    done <"$1/release"
    jdk_major=${jdk_version%%[!0-9]*}
    [ -n "$jdk_major" ]
}

# find_jdk: exports JAVA_HOME and sets jdk_version and jdk_major, or fails. Keeps a suitable
# JAVA_HOME; otherwise selects the preferred release, and without it the newest.
find_jdk() {
    # For the commands, which have the caller's own. Paddock runs in the one that is found here.
    export PADDOCK_CALLER_JAVA_HOME="${JAVA_HOME-}"
    if [ -n "${JAVA_HOME-}" ] && jdk_version "$JAVA_HOME" && [ "$jdk_major" -ge "$oldest_jdk" ]; then
        export JAVA_HOME
        return 0
    fi
    on_path=$(command -v java) && on_path=$(readlink -f "$on_path") && on_path=${on_path%/bin/java} || on_path=
    best='' best_rank=0
    for home in "$on_path" /usr/lib/jvm/* /Library/Java/JavaVirtualMachines/*/Contents/Home \
        "${HOME:-/nonexistent}"/.sdkman/candidates/java/*; do
        jdk_version "$home" || continue
        [ "$jdk_major" -ge "$oldest_jdk" ] || continue
        rank=$jdk_major
        [ "$jdk_major" -eq "$preferred_jdk" ] && rank=9999
        if [ "$rank" -gt "$best_rank" ]; then
            best=$home best_rank=$rank
        fi
    done
    [ -n "$best" ] || return 1
    jdk_version "$best"
    JAVA_HOME=$best
    export JAVA_HOME
}

# shellcheck disable=SC2034  # used by the scripts that source this one
no_jdk="no JDK $oldest_jdk or later found (JAVA_HOME, PATH, /usr/lib/jvm, /Library/Java/JavaVirtualMachines, SDKMAN): \
install JDK $preferred_jdk and set JAVA_HOME to it"

# quiet_maven: suppresses the warnings of newer JDKs about memory access by Maven's libraries. Unless
# MAVEN_OPTS is set, selects the quick compiler: a build ends before the better one has paid for itself.
# Memory begins as large as it may become: a small one is collected all the time while Error Prone runs.
quiet_maven() {
    maven_options=${MAVEN_OPTS--XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:InitialRAMPercentage=25}
    [ "$jdk_major" -lt 24 ] || maven_options="--sun-misc-unsafe-memory-access=allow $maven_options"
    export MAVEN_OPTS="$maven_options"
}
