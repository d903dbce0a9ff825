package dev.paddock.cli.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paddock.cli.Cli;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The container image of a release in the engine of the tests. */
final class ReleaseImage {
    private ReleaseImage() {}

    /** What is done with the image. */
    interface Use {
        void with(String loaded) throws Exception;
    }

    /** Loads the image, has it used, and removes it; an image that had its name keeps that. */
    static void with(Path archive, Use use) throws Exception {
        String tag = ReleaseTest.run("sh", "-c", "tar -xzOf '" + archive + "' manifest.json")
                .stdout();
        String name = new ObjectMapper().readTree(tag).at("/0/RepoTags/0").asText();
        Optional<String> before = id(name);
        assertThat(ReleaseTest.run("docker", "load", "--input", archive.toString())
                        .exitCode())
                .isZero();
        try {
            use.with(id(name).orElseThrow());
        } finally {
            ReleaseTest.run("docker", "image", "rm", "--force", name);
            if (before.isPresent()) {
                ReleaseTest.run("docker", "tag", before.get(), name);
            }
        }
    }

    /** The lines load the image and start its server, which ends at once, with its input. */
    static void assertPagesLinesStartIt(Path image, String script, Path directory) throws Exception {
        Path project = Files.createDirectory(directory.resolve("image-project"));
        Files.createLink(project.resolve(image.getFileName()), image);
        Process lines = new ProcessBuilder("sh", "-ec", script)
                .directory(project.toFile())
                .start();
        lines.getOutputStream().close();
        Cli.Result result = Cli.finish(lines);
        assertThat(result.exitCode()).as("%s", result).isZero();
        assertThat(result.stdout()).startsWith("Loaded image: ").hasLineCount(1);
    }

    /** With the engine's defaults, and with a user that the image does not know. */
    static void assertServesTools(String loaded, Path directory) throws Exception {
        for (String user : List.of("0:0", "1234:1234")) {
            Path project = Files.createDirectory(directory.resolve("project-" + user.replace(':', '-')));
            assertThat(ReleaseTest.run("chmod", "777", project.toString()).exitCode())
                    .isZero();
            Process server = new ProcessBuilder(
                            "docker",
                            "run",
                            "--rm",
                            "-i",
                            "--network=none",
                            "--name=paddock-" + directory.getFileName() + "-" + project.getFileName(),
                            "--env=" + ReleaseTest.CACHED.strip(),
                            "--user=" + user,
                            "--volume=" + project + ":/work",
                            loaded)
                    .start();
            List<JsonNode> answers = converse(server);
            assertThat(answers.get(0).at("/result/serverInfo/name").asText()).isEqualTo("paddock");
            assertThat(answers.get(1).toString()).contains("made in the sandbox");
            assertThat(project.resolve("file")).hasContent("made in the sandbox");
            assertThat(ReleaseTest.run("rm", "-rf", project.toString()).exitCode())
                    .isZero();
        }
    }

    /**
     * Each option of the table in getting-started.md, as root and as another user.
     *
     * @param directory for the projects
     */
    static void assertEachSandboxWorks(String loaded, Path directory) throws Exception {
        List<String> bubblewrap = List.of(
                "--security-opt=seccomp=unconfined",
                "--security-opt=apparmor=unconfined",
                "--security-opt=systempaths=unconfined");
        for (String user : List.of("0:0", "1234:1234")) {
            assertThat(inImage(directory, loaded, user, List.of(), "landlock")).isEqualTo("git version");
            assertThat(inImage(directory, loaded, user, bubblewrap, "bwrap")).isEqualTo("git version");
            assertThat(inImage(directory, loaded, user, bubblewrap, "bwrap", "--allow", "example.org"))
                    .isEqualTo("git version");
        }
        assertThat(inImage(directory, loaded, "1234:1234", bubblewrap.subList(0, 2), "bwrap"))
                .as("without one of the options")
                .contains("--security-opt systempaths=unconfined");
        String socket = System.getenv().getOrDefault("DOCKER_HOST", "/var/run/docker.sock");
        List<String> engine = List.of("--volume=" + socket.replaceFirst("^unix://", "") + ":/var/run/docker.sock");
        assertThat(inImage(directory, loaded, "0:0", engine, "docker", "--image", ReleaseTest.DEBIAN))
                .isEqualTo("git version");
    }

    /** Returns what a command wrote in a container with the project at its own path, or why it failed. */
    private static String inImage(
            Path directory, String image, String user, List<String> options, String executor, String... paddockOptions)
            throws Exception {
        Path project = Files.createTempDirectory(directory, "project");
        assertThat(ReleaseTest.run("chmod", "777", project.toString()).exitCode())
                .isZero();
        List<String> words = new ArrayList<>(List.of("docker", "run", "--rm", "--network=none", "--user=" + user));
        words.addAll(options);
        words.addAll(List.of(
                "--name=paddock-" + directory.getFileName() + "-" + project.getFileName(),
                "--volume=" + project + ":" + project,
                "--workdir=" + project,
                "--entrypoint=paddock",
                image,
                "exec",
                "--no-audit",
                "--executor",
                executor));
        words.addAll(List.of(paddockOptions));
        words.addAll(List.of("-c", "git --version >file"));
        Cli.Result result = ReleaseTest.run(words.toArray(String[]::new));
        if (result.exitCode() != 0) {
            return result.stderr();
        }
        String written = Files.readString(project.resolve("file"));
        assertThat(ReleaseTest.run("rm", "-rf", project.toString()).exitCode()).isZero();
        return written.replaceFirst(" [0-9].*\n", "");
    }

    private static Optional<String> id(String image) throws Exception {
        Cli.Result result = ReleaseTest.run("docker", "image", "inspect", "--format", "{{.Id}}", image);
        return result.exitCode() == 0 ? Optional.of(result.stdout().strip()) : Optional.empty();
    }

    /** Initializes a server, has it run a command, and closes its input. */
    private static List<JsonNode> converse(Process server) throws Exception {
        List<JsonNode> answers = new ArrayList<>();
        try (BufferedReader reader = server.inputReader(StandardCharsets.UTF_8)) {
            for (String message : List.of("""
                    {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",\
                    "capabilities":{},"clientInfo":{"name":"test","version":"1"}}}""", """
                    {"jsonrpc":"2.0","method":"notifications/initialized"}
                    {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"bash",\
                    "arguments":{"command":"echo made in the sandbox | tee file"}}}""")) {
                server.getOutputStream().write((message + "\n").getBytes(StandardCharsets.UTF_8));
                server.getOutputStream().flush();
                String line = reader.readLine();
                assertThat(line)
                        .as("an answer; stderr: %s", line == null ? text(server) : "")
                        .isNotNull();
                answers.add(new ObjectMapper().readTree(line));
            }
            server.getOutputStream().close();
        }
        assertThat(server.waitFor()).isZero();
        return answers;
    }

    private static String text(Process server) throws IOException {
        return new String(server.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
