package dev.paddock.journeys;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** pnpm and Yarn, which npm installs from its registry: a workspace of two packages. */
@EnabledOnOs(OS.LINUX)
@Tag("full")
class NodeManagersTest {
    private static final String PACKAGES = "pnpm@9.15.9 yarn@1.22.22";

    @TempDir
    private static Path managers;

    @TempDir
    private Path root;

    private Path project = Path.of("");
    private Paddock paddock = Paddock.in(project, project);

    /** Returns whether a command is one of theirs. */
    static boolean runs(String command) {
        return command.startsWith("pnpm ") || command.startsWith("yarn ");
    }

    static Stream<Arguments> cells() throws Exception {
        return FirstCommandsTest.cells(NodeManagersTest::runs);
    }

    @BeforeAll
    static void install() throws Exception {
        Programs.require("npm");
        managers = managers.toRealPath();
        Paddock.in(managers, managers).host("npm install --silent --no-audit --no-fund " + PACKAGES);
    }

    @BeforeEach
    void create() throws Exception {
        Path real = root.toRealPath();
        project = Files.createDirectory(real.resolve("project"));
        paddock = Paddock.in(project, Files.createDirectory(real.resolve("home")));
        paddock.host("git init -q && mkdir -p packages/a packages/b && echo >packages/a/index.js");
        Files.writeString(project.resolve("pnpm-workspace.yaml"), "packages: [packages/*]\n");
        Files.writeString(project.resolve("package.json"), """
                {"name": "x", "private": true, "workspaces": ["packages/*"]}
                """);
        Files.writeString(project.resolve("packages/a/package.json"), """
                {"name": "a", "version": "1.0.0"}
                """);
    }

    /** The first version of Yarn finds packages of the workspace by their version, and pnpm by a word. */
    private void dependOnPackage(String version) throws Exception {
        Files.writeString(project.resolve("packages/b/package.json"), """
                {"name": "b", "version": "1.0.0", "dependencies": {"a": "%s"},
                 "scripts": {"test": "node -e 'require(\\"a\\")'"}}
                """.formatted(version));
    }

    private Paddock.Result type(String sandbox, String command, String... more) throws Exception {
        dependOnPackage(command.startsWith("pnpm ") ? "workspace:*" : "1.0.0");
        List<String> options = new ArrayList<>(List.of("--mount", managers + ":" + managers));
        if (sandbox.equals("docker")) {
            options.addAll(List.of(Engine.withPrograms()));
        }
        options.addAll(List.of(more));
        String path = "PATH=" + managers + "/node_modules/.bin:$PATH; ";
        return paddock.script(sandbox, path + command, options.toArray(String[]::new));
    }

    @ParameterizedTest
    @MethodSource("cells")
    void doesWhatPageSays(String sandbox, String command, String cell) throws Exception {
        FirstCommandsTest.assertHappened(cell, type(sandbox, command, "--timeout", "60"));
    }
}
