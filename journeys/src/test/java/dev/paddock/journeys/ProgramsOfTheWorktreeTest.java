package dev.paddock.journeys;

import static dev.paddock.journeys.Programs.SYSTEM;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs of the worktree that the user has on the {@code PATH}. */
@EnabledOnOs(OS.LINUX)
class ProgramsOfTheWorktreeTest {
    @TempDir
    private Path root;

    private Path project = Path.of("project");
    private Paddock paddock = Paddock.in(project, project);

    @BeforeEach
    void create() throws Exception {
        Path real = root.toRealPath();
        project = Files.createDirectory(real.resolve("project"));
        paddock = Paddock.in(project, Files.createDirectory(real.resolve("home")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void activeVirtualEnvironmentIsActive(String sandbox) throws Exception {
        Programs.require("/usr/bin/python3");
        paddock.env("PATH", SYSTEM).host("/usr/bin/python3 -m venv --without-pip .venv");
        Paddock.Result result = paddock.env("PATH", project + "/.venv/bin:" + SYSTEM)
                .env("VIRTUAL_ENV", project + "/.venv")
                .script(sandbox, "python3 -c 'import os, sys; print(sys.prefix, os.environ[\"VIRTUAL_ENV\"])'");
        assertThat(result.stdout()).as(result.stderr()).isEqualTo(project + "/.venv " + project + "/.venv\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void programsOfPackagesAreFound(String sandbox) throws Exception {
        for (String directory : new String[] {"node_modules/.bin", "vendor/bin", "bin"}) {
            Path program = Files.createDirectories(project.resolve(directory)).resolve("tool-" + directory.length());
            Files.writeString(program, "#!/bin/sh\necho " + directory + "\n");
            paddock.host("chmod +x " + program);
        }
        Paddock.Result result = paddock.env(
                        "PATH", project + "/node_modules/.bin:" + project + "/vendor/bin:" + project + "/bin:" + SYSTEM)
                .script(sandbox, "tool-17; tool-10; tool-3");
        assertThat(result.stdout()).as(result.stderr()).isEqualTo("node_modules/.bin\nvendor/bin\nbin\n");
    }
}
