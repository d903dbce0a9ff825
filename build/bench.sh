#!/bin/sh
# Builds the benchmarks and runs them: ./paddock bench. Called by ./paddock, with JAVA_HOME set.
set -eu
root=$(CDPATH='' cd -P -- "$(dirname "$0")/.." && pwd)
# shellcheck source=build/find-jdk.sh
. "$root/build/find-jdk.sh"
find_jdk || {
    echo "paddock bench: $no_jdk" >&2
    exit 125
}
quiet_maven
class_path=$root/benchmarks/target/bench.classpath
echo "paddock bench: building" >&2
mkdir -p "$root/benchmarks/target"
(cd "$root" && mvn -q -B -ntp -Pbenchmarks -pl benchmarks -am -Dmaven.test.skip=true \
    compile dependency:build-classpath "-Dmdep.outputFile=target/bench.classpath") </dev/null >"$root/benchmarks/target/build.log" 2>&1 || {
    tail -n 30 "$root/benchmarks/target/build.log" >&2
    echo "paddock bench: the build failed; the whole log is $root/benchmarks/target/build.log" >&2
    exit 125
}
# The JVM's defaults, as in a program that embeds Paddock.
java_options=--enable-native-access=ALL-UNNAMED
[ "$jdk_major" -lt 24 ] || java_options="$java_options --sun-misc-unsafe-memory-access=allow"
# shellcheck disable=SC2086  # a list of options
exec "$JAVA_HOME/bin/java" $java_options "-Dpaddock.launcher=$root/paddock" \
    -cp "$root/benchmarks/target/classes:$(cat "$class_path")" dev.paddock.benchmarks.Main "$@"
