package dev.paddock.executor.tck.worktree;

import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Builds with the ordinary tools, without a network. */
final class HonestBuilds {
    private static final String MAIN = "class Main { public static void main(String[] a) { } }";
    private static final List<String> MAVEN_PLUGINS = List.of("resources", "compiler", "surefire", "jar");

    private HonestBuilds() {}

    static List<HonestWork> all() {
        return Stream.concat(Stream.of(npm(), java(), gradle()), maven().stream())
                .toList();
    }

    private static HonestWork npm() {
        return new HonestWork(
                "npm ci with a script after the installation",
                List.of("npm"),
                UnaryOperator.identity(),
                "mkdir -p package project && echo 'module.exports = 1' > package/index.js"
                        + " && echo '{\"name\":\"dep\",\"version\":\"1.0.0\",\"scripts\":{\"postinstall\":\"echo done > built\"}}' > package/package.json"
                        + " && tar -czf project/dep.tgz package && rm -r package"
                        + " && echo 'require(\"dep\")' > project/test.js"
                        + " && echo '{\"name\":\"project\",\"version\":\"1.0.0\",\"dependencies\":{\"dep\":\"file:dep.tgz\"},"
                        + "\"scripts\":{\"test\":\"node test.js\"}}' > project/package.json"
                        + " && cd project && npm install --package-lock-only --offline --ignore-scripts --cache \"$PWD/../npm-cache\" && rm -rf ../npm-cache",
                List.of("cd project && npm ci --offline", "cd project && npm test"),
                "test -e project/node_modules/dep/built && test -e project/node_modules/.package-lock.json");
    }

    private static HonestWork java() {
        return new HonestWork(
                "a Java build",
                List.of("javac"),
                UnaryOperator.identity(),
                "mkdir -p java/src && echo '" + MAIN + "' > java/src/Main.java",
                List.of(
                        "cd java && javac -d classes src/Main.java && jar -cfe main.jar Main -C classes . && java -jar main.jar"),
                "test -e java/main.jar");
    }

    private static HonestWork gradle() {
        String build = "cd gradle && export GRADLE_OPTS=-XX:TieredStopAtLevel=1"
                + " && gradle --offline --no-daemon -g \"$HOME/gradle\" build";
        return new HonestWork(
                "a Gradle build, twice",
                List.of("gradle", "javac"),
                policy -> policy.network(NetworkPolicy.open()), // Gradle listens on the loopback
                "mkdir -p gradle/src/main/java && echo '" + MAIN + "' > gradle/src/main/java/Main.java"
                        + " && echo \"apply plugin: 'java'\" > gradle/build.gradle",
                List.of(build, "cd gradle && rm -r build && cd .. && " + build),
                "test -e gradle/build/libs/gradle.jar && test -e gradle/.gradle");
    }

    /** Returns the Maven build; empty if the plugins in the local repository are not specified. */
    private static Optional<HonestWork> maven() {
        String versions = System.getProperty("paddock.worktree.maven", "");
        String repository = System.getProperty("localRepository", "");
        return versions.isEmpty() || repository.isEmpty()
                ? Optional.empty()
                : Optional.of(maven(List.of(versions.split(" ", -1)), Path.of(repository)));
    }

    private static HonestWork maven(List<String> versions, Path repository) {
        StringBuilder plugins = new StringBuilder();
        for (int number = 0; number < MAVEN_PLUGINS.size(); number++) {
            plugins.append("<plugin><artifactId>maven-")
                    .append(MAVEN_PLUGINS.get(number))
                    .append("-plugin</artifactId><version>")
                    .append(versions.get(number))
                    .append("</version></plugin>");
        }
        String project = "<project><modelVersion>4.0.0</modelVersion><groupId>t</groupId><artifactId>t</artifactId>"
                + "<version>1</version><properties><maven.compiler.release>17</maven.compiler.release>"
                + "<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>"
                + "<build><plugins>" + plugins + "</plugins></build></project>";
        // The second option makes Maven accept artifacts regardless of their original repository.
        String build = "cd maven && export MAVEN_OPTS=-XX:TieredStopAtLevel=1 && mvn -o -B -ntp -Dmaven.repo.local='"
                + repository + "' -Daether.enhancedLocalRepository.trackingFilename=none";
        return new HonestWork(
                "a Maven build",
                List.of("mvn", "javac"),
                policy -> policy.mount(new Mount(repository, repository.toString(), Mount.Access.READ_ONLY)),
                "mkdir -p maven/src/main/java && echo '" + MAIN + "' > maven/src/main/java/Main.java" + " && echo '"
                        + project + "' > maven/pom.xml",
                List.of(build + " package"),
                "test -e maven/target/t-1.jar");
    }
}
