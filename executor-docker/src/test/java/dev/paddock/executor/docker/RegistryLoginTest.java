package dev.paddock.executor.docker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.CommandResult;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SandboxUnavailableException;
import java.io.IOException;
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
 * registry, each time by a JVM with a configuration of its own.
 */
@Tag("full")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RegistryLoginTest {
    @TempDir
    static Path served;

    @AutoClose
    private static PrivateRegistry registry;

    @TempDir
    Path directory;

    private Path configuration;

    @BeforeAll
    static void serve() throws Exception {
        registry = PrivateRegistry.start(TestEngine.withImage(TestEngine.BUSYBOX), served);
    }

    @BeforeEach
    void configure() throws Exception {
        registry.forget(); // the image that another test has fetched
        configuration = Files.createDirectory(directory.resolve("docker"));
        Files.createDirectory(directory.resolve("bin"));
    }

    /** Runs a command in a container of the private image, in a JVM of its own; returns its output. */
    private String run() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        ChildJvm.line(RegistryLoginTest.class, registry.image(), directory.toString()))
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("DOCKER_CONFIG", configuration.toString());
        builder.environment().merge("PATH", directory.resolve("bin").toString(), (path, own) -> own + ":" + path);
        Process program = builder.start();
        program.getOutputStream().close();
        String output = new String(program.getInputStream().readAllBytes(), UTF_8);
        program.waitFor();
        return output;
    }

    /** Runs the command. */
    public static void main(String[] arguments) throws Exception {
        try (DockerExecutor executor = DockerExecutor.builder()
                .image(arguments[0])
                .worktree(Path.of(arguments[1]))
                .build()) {
            CommandResult result = executor.run("echo fetched", RunOptions.in("/work"));
            System.out.println(result.outText().strip());
        } catch (SandboxUnavailableException unavailable) {
            System.out.println(unavailable.reason() + " | " + unavailable.remedy());
        }
    }

    private void configure(String text) throws IOException {
        Files.writeString(configuration.resolve("config.json"), text);
    }

    private void helper(String script) throws IOException {
        Path program = Files.writeString(directory.resolve("bin/docker-credential-test"), "#!/bin/sh\n" + script);
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
        assertThat(run()).isEqualTo("fetched\n");
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
        assertThat(run()).isEqualTo("fetched\n");
    }

    @Test
    void registrysOwnHelperCountsBeforeOneOfAllRegistries() throws Exception {
        configure("{\"credsStore\": \"none\", \"credHelpers\": {\"" + registry.host() + "\": \"test\"}}");
        helper("echo '{\"Username\": \"ada\", \"Secret\": \"secret\"}'\n");
        assertThat(run()).isEqualTo("fetched\n");
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
