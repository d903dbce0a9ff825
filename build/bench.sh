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
(cd "$root" && mvn -q -B -ntp -pl benchmarks -am -Dmaven.test.skip=true -Dspotless.check.skip=true \
    compile dependency:build-classpath "-Dmdep.outputFile=target/bench.classpath") </dev/null >"$root/benchmarks/target/build.log" 2>&1 || {
    tail -n 30 "$root/benchmarks/target/build.log" >&2
    echo "paddock bench: the build failed; the whole log is $root/benchmarks/target/build.log" >&2
    exit 125
}
# JMH's annotation processor generates the code that JMH calls.
jmh=$root/benchmarks/target/jmh
rm -rf "$jmh" && mkdir -p "$jmh"
"$JAVA_HOME/bin/javac" -nowarn -processor org.openjdk.jmh.generators.BenchmarkProcessor -d "$jmh" \
    -cp "$root/benchmarks/target/classes:$(cat "$class_path")" \
    "$root/benchmarks/src/main/java/dev/paddock/benchmarks/family/JvmBenchmarks.java" >>"$root/benchmarks/target/build.log" 2>&1 || {
    echo "paddock bench: compiling the JMH benchmarks failed; see $root/benchmarks/target/build.log" >&2
    exit 125
}
# The JVM's defaults, as in a program that embeds Paddock.
java_options=--enable-native-access=ALL-UNNAMED
[ "$jdk_major" -lt 24 ] || java_options="$java_options --sun-misc-unsafe-memory-access=allow"
# shellcheck disable=SC2086  # a list of options
exec "$JAVA_HOME/bin/java" $java_options "-Dpaddock.launcher=$root/paddock" \
    -cp "$root/benchmarks/target/classes:$jmh:$(cat "$class_path")" dev.paddock.benchmarks.Main "$@"
