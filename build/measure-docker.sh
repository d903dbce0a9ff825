#!/bin/sh
# Measures a command in a container: warm, cold, and by the docker command, in turns. Arguments: image, samples.
# The engine is the docker command's; the images are those of build/test-images.sh.
set -eu
cd "$(dirname "$0")/.."
# shellcheck source=build/find-jdk.sh
. build/find-jdk.sh
find_jdk || {
    echo "measure-docker: $no_jdk" >&2
    exit 1
}
mvn -q -o -pl executor-docker -am -DskipTests -Dspotless.check.skip=true test-compile \
    dependency:build-classpath -Dmdep.outputFile=target/measure.classpath
exec "$JAVA_HOME/bin/java" \
    -cp "executor-docker/target/test-classes:executor-docker/target/classes:$(cat executor-docker/target/measure.classpath)" \
    dev.paddock.executor.docker.DockerLatency "$@"
