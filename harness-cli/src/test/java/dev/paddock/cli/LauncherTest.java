package dev.paddock.cli;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code ./paddock}, the script, in a checkout that is built, with a {@code java} that records its
 * arguments.
 */
class LauncherTest {
    @TempDir
    private Path directory;

    private Path root;
    private Path app;

    @BeforeEach
    void makeCheckout() throws IOException {
        root = directory.toRealPath();
        app = root.resolve("build/app/app-1");
        for (String made : List.of("build/app/app-1/lib", "jdk/bin", "module/src/main", ".mvn")) {
            Files.createDirectories(root.resolve(made));
        }
        for (String copied : List.of("paddock", "build/launcher.sh", "build/find-jdk.sh", "build/app.sh", "pom.xml")) {
            Files.copy(Path.of("..").resolve(copied), root.resolve(copied), StandardCopyOption.COPY_ATTRIBUTES);
        }
        Files.createFile(root.resolve("module/pom.xml"));
        Files.writeString(app.resolve("class-path"), app + "/lib/paddock.jar\n");
        Files.createSymbolicLink(root.resolve("build/app/current"), Path.of("app-1"));
        Files.writeString(root.resolve("jdk/release"), "JAVA_VERSION=\"25.0.1\"\n");
        program("javac", "");
        program("java", """
                echo "$*" >>"%s"
                for word; do
                    case $word in -XX:AOTCacheOutput=*) echo classes >"${word#*=}" ;; esac
                done
                """.formatted(calls()));
        Files.createFile(app.resolve("stamp"));
        Files.setLastModifiedTime(
                app.resolve("stamp"), FileTime.from(Instant.now().plus(Duration.ofHours(1))));
    }

    private void program(String name, String body) throws IOException {
        Path file = root.resolve("jdk/bin").resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + body);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Path calls() {
        return root.resolve("calls");
    }

    /** Runs the launcher and returns its calls of java; the program itself comes last. */
    private List<String> launch(String words) throws Exception {
        Files.deleteIfExists(calls());
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", root.resolve("paddock") + " " + words);
        builder.environment().put("JAVA_HOME", root.resolve("jdk").toString());
        Cli.Result result = Cli.finish(builder.start());
        List<String> calls = Files.readAllLines(calls());
        String said =
                calls.size() == 1 ? "" : "paddock: preparing faster starts of this kind, once; takes some seconds\n";
        assertThat(result).as("it says what takes time").isEqualTo(new Cli.Result(0, "", said));
        assertThat(calls.getLast()).endsWith(" -cp " + app + "/lib/paddock.jar dev.paddock.cli.Main " + words);
        return calls;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "exec --image busybox -- true",
                "exec --memory 1g --image=busybox true",
                "agent --container 1a2b",
                "mcp --container=1a2b",
                "demo --executor docker",
                "demo --executor=docker"
            })
    void commandsInContainersStartFromCacheOfTheirOwnThatIsMadeOnce(String words) throws Exception {
        assertThat(launch("exec --executor host true")).hasSize(2);
        List<String> first = launch(words);
        assertThat(first).hasSize(2);
        assertThat(first.getFirst())
                .startsWith(
                        root + "/harness-cli/src/test/java/dev/paddock/cli/EngineStub.java " + root + "/jdk/bin/java ")
                .endsWith("dev.paddock.cli.Main exec --image training -n -- true");
        assertThat(first.getLast()).startsWith("-XX:AOTCache=" + app + "/cache-25.0.1-containers ");
        assertThat(launch(words)).containsExactly(first.getLast());
    }

    @ParameterizedTest
    @ValueSource(strings = {"mcp", "mcp --executor bwrap --network open"})
    void mcpServerStartsFromCacheOfItsOwnThatIsMadeOnce(String words) throws Exception {
        assertThat(launch("exec --executor host mcp")).hasSize(2);
        List<String> first = launch(words);
        assertThat(first).hasSize(2);
        assertThat(first.getFirst())
                .startsWith(root + "/harness-cli/src/test/java/dev/paddock/cli/McpClientStub.java " + root
                        + "/jdk/bin/java ")
                .endsWith("dev.paddock.cli.CdsTraining mcp");
        assertThat(first.getLast()).startsWith("-XX:AOTCache=" + app + "/cache-25.0.1-mcp ");
        assertThat(launch(words)).containsExactly(first.getLast());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "exec --executor host docker --version",
                "exec -- run --image busybox",
                "--version",
                "exec docker"
            })
    void otherCommandsStartFromCacheWithoutContainers(String words) throws Exception {
        List<String> first = launch(words);
        assertThat(first).hasSize(2);
        assertThat(first.getFirst()).endsWith("dev.paddock.cli.CdsTraining");
        assertThat(first.getLast()).startsWith("-XX:AOTCache=" + app + "/cache-25.0.1 ");
        assertThat(launch(words)).containsExactly(first.getLast());
    }

    @Test
    void startWithConfigurationFileHasCacheOfItsOwnThatIsMadeOnce() throws Exception {
        Files.createFile(Files.createDirectory(root.resolve("tree")).resolve("paddock.yaml"));
        String words = "exec --worktree " + root + "/tree true";
        List<String> first = launch(words);
        assertThat(first).hasSize(2);
        assertThat(first.getFirst()).endsWith("dev.paddock.cli.CdsTraining");
        assertThat(first.getLast()).startsWith("-XX:AOTCache=" + app + "/cache-25.0.1-config ");
        assertThat(launch(words)).containsExactly(first.getLast());
    }

    @Test
    void anotherJdkGetsCachesOfItsOwn() throws Exception {
        launch("exec --image busybox");
        Files.writeString(root.resolve("jdk/release"), "JAVA_VERSION=\"26\"\n");
        assertThat(launch("exec --image busybox")).hasSize(2).last().asString().contains("/cache-26-containers ");
    }

    @Test
    void cacheThatCannotBeMadeIsDoneWithoutAndNotTriedAgain() throws Exception {
        program(
                "java",
                "echo \"$*\" >>\"" + calls()
                        + "\"; case $* in *AOTCacheOutput*) echo no; echo no >&2; exit 1 ;; esac\n");
        assertThat(launch("exec --image busybox")).hasSize(2).last().asString().startsWith("-XX:+UseSerialGC ");
        assertThat(launch("exec --image busybox")).hasSize(1);
    }

    @Test
    void whoMayNotMakeCacheStartsWithout() throws Exception {
        Files.createDirectory(root.resolve("build/app/lock"));
        // The lock where there is no flock: its owner has exited.
        Path withoutFlock = Files.createDirectory(root.resolve("build/app/lock.d"));
        Files.writeString(withoutFlock.resolve("owner"), "999999999\n");
        assertThat(launch("exec --image busybox")).hasSize(1).last().asString().startsWith("-XX:+UseSerialGC ");
    }

    /** The real Maven, which finds none of the modules that the copied pom.xml names. */
    @Test
    void buildThatFailsIsReportedWithMavensErrors() throws Exception {
        Files.delete(root.resolve("build/app/current"));
        ProcessBuilder builder = new ProcessBuilder(root.resolve("paddock").toString(), "--version");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Cli.Result result = Cli.finish(builder.start());
        assertThat(result.stdout()).isEmpty();
        assertThat(result.stderr())
                .startsWith(
                        "paddock: building; takes a minute, and two to five where Maven has to download the libraries\n[ERROR] ")
                .contains("Child module ")
                .endsWith("paddock: the build failed; the whole log is " + root + "/build/app/build.log\n");
        assertThat(result.exitCode()).isEqualTo(125);
    }

    /** In place of Maven a script that prints what Maven does for two modules. */
    @Test
    void buildShowsItsShareAndItsTime() throws Exception {
        Files.delete(root.resolve("build/app/current"));
        Path maven = Files.createDirectory(root.resolve("maven")).resolve("mvn");
        Files.writeString(maven, """
                #!/bin/sh
                echo '[INFO] Building Paddock: Files 0.1.0-SNAPSHOT     [1/2]'
                echo '[INFO] Building Paddock: Command line 0.1.0-SNAPSHOT     [2/2]'
                mkdir -p harness-cli/target/lib
                touch harness-cli/target/paddock-harness-cli-1.jar harness-cli/target/lib/jffi-1-native.jar
                """);
        Files.setPosixFilePermissions(maven, PosixFilePermissions.fromString("rwxr-xr-x"));
        ProcessBuilder builder = new ProcessBuilder(root.resolve("paddock").toString(), "--version");
        builder.environment().put("JAVA_HOME", root.resolve("jdk").toString());
        builder.environment().compute("PATH", (name, path) -> maven.getParent() + ":" + path);
        Cli.Result result = Cli.finish(builder.start());
        assertThat(result.stderr()).matches("""
                        paddock: building; .*
                        paddock:   0 %, \\d+ s, building Paddock: Files
                        paddock:  50 %, \\d+ s, building Paddock: Command line
                        paddock: built in \\d+ s
                        paddock: preparing faster starts of this kind, once; takes some seconds
                        """);
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void closedDescriptorIsNotLeftForFileOfJvm() throws Exception {
        Path seen = root.resolve("descriptors");
        // First read, then written: the shell redirects its own descriptors for some commands.
        program("java", """
                seen=$(readlink /proc/$$/fd/0 /proc/$$/fd/1 /proc/$$/fd/2)
                echo "$seen" >'%s'
                """.formatted(seen));
        launchWithDescriptors("");
        assertThat(Files.readAllLines(seen))
                .as("the control: descriptors that are open stay as they are")
                .hasSize(3)
                .doesNotContain("/dev/null");
        launchWithDescriptors("<&- >&- 2>&-");
        assertThat(Files.readAllLines(seen)).containsExactly("/dev/null", "/dev/null", "/dev/null");
    }

    private void launchWithDescriptors(String redirections) throws Exception {
        Files.writeString(app.resolve("cache-25.0.1"), "");
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", root.resolve("paddock") + " --version " + redirections);
        builder.environment().put("JAVA_HOME", root.resolve("jdk").toString());
        assertThat(Cli.finish(builder.start()).exitCode()).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    mkdir gone && cd gone && rmdir ../gone | the current directory '[^']*' has been deleted, .*; change
                    ulimit -n 20                           | the limit on open files is 20, and paddock needs 256; raise it
                    ulimit -n 64                           | the limit on open files is 64, and paddock needs 256; raise it
                    """)
    void conditionsInWhichJvmCannotStartAreOneLine(String before, String message) throws Exception {
        Files.writeString(app.resolve("cache-25.0.1"), "");
        Cli.Result result = launchAfter(before);
        assertThat(result.exitCode()).isEqualTo(125);
        assertThat(result.stdout()).isEmpty();
        // Some shells complain of a deleted directory by themselves, before they run the script.
        assertThat(result.stderr().lines().filter(line -> !line.contains("getcwd")))
                .singleElement(as(InstanceOfAssertFactories.STRING))
                .matches("paddock: " + message + ".*");
        assertThat(calls()).as("calls of java").doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"mkdir there && cd there", "ulimit -n 256", "ulimit -Sn 64"})
    void conditionsInWhichJvmStartsAreNotRefused(String before) throws Exception {
        Files.writeString(app.resolve("cache-25.0.1"), "");
        assertThat(launchAfter(before)).isEqualTo(new Cli.Result(0, "", ""));
        assertThat(calls()).exists();
    }

    private Cli.Result launchAfter(String before) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", before + " && exec " + root.resolve("paddock") + " x");
        builder.directory(root.toFile())
                .environment()
                .put("JAVA_HOME", root.resolve("jdk").toString());
        return Cli.finish(builder.start());
    }
}
