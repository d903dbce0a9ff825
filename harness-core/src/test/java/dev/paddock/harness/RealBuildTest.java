package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.EnvironmentPolicy;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.subject.Prerequisite;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests a common use of a sandbox: a build with its tests, without network, its dependencies
 * granted read-only. The image of the Docker tests contains neither Maven nor Node.
 */
@Tag("full")
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RealBuildTest {
    private static final String POM = """
            <project xmlns="http://maven.apache.org/POM/4.0.0">
              <modelVersion>4.0.0</modelVersion>
              <groupId>org.example</groupId>
              <artifactId>leap</artifactId>
              <version>1</version>
              @PROPERTIES@
              <dependencies>
                <dependency>
                  <groupId>org.junit.jupiter</groupId>
                  <artifactId>junit-jupiter</artifactId>
                  <version>${junit.version}</version>
                  <scope>test</scope>
                </dependency>
              </dependencies>
              <build>
                <plugins>
                  <plugin>
                    <artifactId>maven-resources-plugin</artifactId>
                    <version>${resources-plugin.version}</version>
                  </plugin>
                  <plugin>
                    <artifactId>maven-compiler-plugin</artifactId>
                    <version>${compiler-plugin.version}</version>
                  </plugin>
                  <plugin>
                    <artifactId>maven-surefire-plugin</artifactId>
                    <version>${surefire-plugin.version}</version>
                  </plugin>
                </plugins>
              </build>
            </project>
            """;

    private static final String TEST = """
            package org.example;

            import static org.junit.jupiter.api.Assertions.assertTrue;

            import org.junit.jupiter.api.Test;

            class LeapTest {
                @Test
                void leaps() {
                    assertTrue(Leap.isLeap(2024));
                }
            }
            """;

    @TempDir
    Path directory;

    private Path worktree = Path.of("");

    @BeforeEach
    void makeWorktree() throws IOException {
        directory = directory.toRealPath();
        worktree = Files.createDirectory(directory.resolve("worktree"));
    }

    private record Ended(ExitStatus status, String output) {}

    private Ended run(Backend backend, String command, UnaryOperator<SandboxPolicy.Builder> policy) throws IOException {
        try (CommandExecutor executor = backend.executor(worktree, policy)) {
            ProcessLike process = executor.spawn(
                    command,
                    SpawnOptions.builder(backend.mapping(worktree).commandPath())
                            .stderr(SpawnOptions.Stderr.MERGED)
                            .build());
            String output = new String(process.stdout().readAllBytes(), StandardCharsets.UTF_8);
            return new Ended(process.onExit().toCompletableFuture().join(), output);
        }
    }

    private void write(String file, String content) throws IOException {
        Path path = worktree.resolve(file);
        Files.createDirectories(path.resolveSibling(""));
        Files.writeString(path, content);
    }

    /** In bubblewrap the suite of worktrees has such a build. */
    @Test
    void maven() throws IOException {
        Path repository = Path.of(System.getProperty(
                "maven.repo.local",
                Path.of(System.getProperty("user.home"), ".m2", "repository").toString()));
        Prerequisite.require(onPath("mvn") && Files.isDirectory(repository), "this machine has no Maven");
        write("pom.xml", POM.replace("@PROPERTIES@", versionsOfThisBuild()));
        write("settings.xml", "<settings/>");
        write("src/main/java/org/example/Leap.java", """
                package org.example;

                class Leap {
                    static boolean isLeap(int year) {
                        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
                    }
                }
                """);
        write("src/test/java/org/example/LeapTest.java", TEST);
        // The legacy local repository accepts all artifacts, wherever they were downloaded from.
        String build =
                "mvn -o -q -B -s settings.xml --legacy-local-repository -Dmaven.repo.local='" + repository + "' test";
        Ended without = run(Backend.LANDLOCK, build, RealBuildTest::withThisJava);
        assertThat(without.status().isSuccess())
                .as("without the grant: " + without.output())
                .isFalse();
        Ended ended = run(
                Backend.LANDLOCK,
                build,
                policy -> withThisJava(policy)
                        .mount(new Mount(repository, repository.toString(), Mount.Access.READ_ONLY)));
        assertThat(ended.status().isSuccess()).as(ended.output()).isTrue();
        assertThat(worktree.resolve("target/surefire-reports/org.example.LeapTest.txt"))
                .content()
                .contains("Tests run: 1, Failures: 0, Errors: 0");
    }

    /**
     * Returns the properties of this build, with the versions of its plugins, which it has just put
     * into the repository.
     */
    private static String versionsOfThisBuild() throws IOException {
        Matcher properties = Pattern.compile("<properties>.*?</properties>", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("..", "pom.xml")));
        assertThat(properties.find()).isTrue();
        return properties.group();
    }

    private static SandboxPolicy.Builder withThisJava(SandboxPolicy.Builder policy) {
        Path java = Path.of(System.getProperty("java.home"));
        SandboxPolicy.Builder with = policy.environment(EnvironmentPolicy.empty()
                .with("JAVA_HOME", java.toString())
                .with("MAVEN_OPTS", "-XX:TieredStopAtLevel=1"));
        return java.startsWith("/usr") ? with : with.mount(new Mount(java, java.toString(), Mount.Access.READ_ONLY));
    }

    @Test
    void npm() throws IOException {
        Prerequisite.require(onPath("npm"), "this machine has no npm");
        Path packages = Files.createDirectory(directory.resolve("packages"));
        Path source = Files.createDirectory(directory.resolve("leap"));
        Files.writeString(source.resolve("package.json"), "{\"name\": \"leap\", \"version\": \"1.0.0\"}");
        Files.writeString(source.resolve("index.js"), "module.exports = year => year % 4 === 0;\n");
        Ended packed = onHost("npm pack --silent --cache '" + directory.resolve("cache") + "' --pack-destination '"
                + packages + "' '" + source + "'");
        assertThat(packed.status().isSuccess()).as(packed.output()).isTrue();
        write("package.json", """
                {
                  "name": "calendar",
                  "version": "1.0.0",
                  "scripts": {"test": "node --test"},
                  "dependencies": {"leap": "file:%s/leap-1.0.0.tgz"}
                }
                """.formatted(packages));
        write("calendar.test.js", """
                const test = require('node:test');
                const assert = require('node:assert');
                test('leaps', () => assert.ok(require('leap')(2024)));
                """);
        String build = "npm install --offline --package-lock-only --silent && npm ci --offline --silent && npm test";
        Ended without = run(Backend.BWRAP, build, policy -> policy);
        assertThat(without.status().isSuccess())
                .as("without the grant: " + without.output())
                .isFalse();
        Ended ended = run(
                Backend.BWRAP,
                build,
                policy -> policy.mount(new Mount(packages, packages.toString(), Mount.Access.READ_ONLY)));
        assertThat(ended.status().isSuccess()).as(ended.output()).isTrue();
        assertThat(ended.output()).contains("pass 1").contains("fail 0");
    }

    private Ended onHost(String command) throws IOException {
        return run(Backend.HOST, command, policy -> policy);
    }

    private boolean onPath(String program) throws IOException {
        return onHost("command -v " + program).status().isSuccess();
    }
}
