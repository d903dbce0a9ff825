package dev.paddock.executor.docker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SandboxUnavailableException;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that an image is fetched with the login that the docker command has stored, from a private
 * registry, by a JVM whose environment names a configuration and a directory of helpers of the tests' own.
 */
@Tag("full")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RegistryLoginTest {
    @TempDir
    static Path served;

    @TempDir
    static Path configuration;

    @TempDir
    static Path helpers;

    @AutoClose
    private static PrivateRegistry registry;

    @AutoClose
    private static Fetching fetching;

    @TempDir
    Path directory;

    /** The JVM. */
    private record Fetching(Process jvm) implements AutoCloseable {
        @Override
        public void close() {
            jvm.destroyForcibly().onExit().join();
        }
    }

    @BeforeAll
    static void serve() throws Exception {
        registry = PrivateRegistry.start(TestEngine.withImage(TestEngine.BUSYBOX), served);
        ProcessBuilder builder = new ProcessBuilder(ChildJvm.line(RegistryLoginTest.class, registry.image()))
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("DOCKER_CONFIG", configuration.toString());
        builder.environment().merge("PATH", helpers.toString(), (path, own) -> own + ":" + path);
        fetching = new Fetching(builder.start());
    }

    @BeforeEach
    void forget() throws Exception {
        registry.forget(); // the image that another test has fetched
        Files.deleteIfExists(configuration.resolve("config.json"));
        Files.deleteIfExists(helpers.resolve("docker-credential-test"));
    }

    /** Runs a command in a container of the private image, in the other JVM; returns its output, or why not. */
    private String run() throws Exception {
        BufferedWriter requests = fetching.jvm().outputWriter(UTF_8);
        requests.write(directory + "\n");
        requests.flush();
        return String.valueOf(fetching.jvm().inputReader(UTF_8).readLine());
    }

    /** Runs the command in each worktree that a line names, and answers with a line. */
    public static void main(String[] arguments) throws Exception {
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            System.out.println(answer(arguments[0], Path.of(line)).strip().replace('\n', ' '));
        }
    }

    private static String answer(String image, Path worktree) throws InterruptedException {
        try (DockerExecutor executor =
                DockerExecutor.builder().image(image).worktree(worktree).build()) {
            return executor.run("echo fetched", RunOptions.in("/work")).outText();
        } catch (SandboxUnavailableException unavailable) {
            return unavailable.reason() + " | " + unavailable.remedy();
        }
    }

    private void configure(String text) throws IOException {
        Files.writeString(configuration.resolve("config.json"), text);
    }

    private void helper(String script) throws IOException {
        Path program = Files.writeString(helpers.resolve("docker-credential-test"), "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void withoutLoginRemedyNamesCommandForThisRegistry() throws Exception {
        assertThat(run())
                .contains("the image '" + registry.image() + "' may not be fetched")
                .contains("docker login " + registry.host());
    }

    @Test
    void storedLoginIsUsed() throws Exception {
        configure(registry.login(PrivateRegistry.USER, PrivateRegistry.PASSWORD));
        assertThat(run()).isEqualTo("fetched");
    }

    @Test
    void refusedLoginIsNamedByItsUserAndNotItsPassword() throws Exception {
        configure(registry.login("grace", "wrong-password"));
        assertThat(run())
                .contains("the stored login of 'grace'")
                .contains("docker login " + registry.host())
                .doesNotContain("wrong-password");
    }

    @Test
    void credentialHelperIsAskedForRegistry() throws Exception {
        configure("{\"credsStore\": \"test\", \"auths\": {\"" + registry.host() + "\": {}}}");
        helper("read -r asked; [ \"$1 $asked\" = \"get " + registry.host() + "\" ] || exit 3\n"
                + "echo '{\"ServerURL\": \"x\", \"Username\": \"ada\", \"Secret\": \"secret\"}'\n");
        assertThat(run()).isEqualTo("fetched");
    }

    @Test
    void registrysOwnHelperCountsBeforeOneOfAllRegistries() throws Exception {
        configure("{\"credsStore\": \"none\", \"credHelpers\": {\"" + registry.host() + "\": \"test\"}}");
        helper("echo '{\"Username\": \"ada\", \"Secret\": \"secret\"}'\n");
        assertThat(run()).isEqualTo("fetched");
    }

    @Test
    void helperWithoutRegistryMeansThatThereIsNoLogin() throws Exception {
        configure("{\"credsStore\": \"test\"}");
        helper("echo 'credentials not found in native keychain'; exit 1\n");
        assertThat(run()).contains("if it is private, log in first: docker login " + registry.host());
    }

    @Test
    void helperThatFailsIsNamed() throws Exception {
        configure("{\"credsStore\": \"test\"}");
        helper("echo 'the key ring is locked'; exit 2\n");
        assertThat(run())
                .contains("the credential helper docker-credential-test failed with 2: the key ring is locked");
    }

    @Test
    void helperThatIsNoProgramsNameIsNotRun() throws Exception {
        configure("{\"credsStore\": \"x/../../bin/test\"}");
        helper("touch " + directory.resolve("ran") + "\n");
        assertThat(run()).contains("no program's name: 'x/../../bin/test'");
        assertThat(directory.resolve("ran")).doesNotExist();
    }
}
