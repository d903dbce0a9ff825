package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Packages of npm's registry pass their own suites of tests, which they bring. */
@EnabledOnOs(OS.LINUX)
@Tag("full")
class PackageSuitesTest {
    private static final List<String> PACKAGES =
            List.of("minimist@1.2.8", "shell-quote@1.8.1", "json-stable-stringify-without-jsonify@1.0.1");

    private static final String SUITES = PACKAGES.stream()
            .map(each -> "node_modules/.bin/tape 'node_modules/" + each.replaceFirst("@.*", "") + "/test/*.js'")
            .collect(Collectors.joining(" && "));

    @TempDir
    private static Path root;

    private static Paddock paddock = Paddock.in(Path.of(""), Path.of(""));

    @BeforeAll
    static void install() throws Exception {
        Programs.require("npm");
        Path real = root.toRealPath();
        Path project = Files.createDirectory(real.resolve("project"));
        paddock = Paddock.in(project, Files.createDirectory(real.resolve("home")));
        paddock.host("npm install --silent --no-audit --no-fund tape@5.9.0 " + String.join(" ", PACKAGES));
        String passed = paddock.host(SUITES);
        assertThat(passed.lines().filter(line -> line.equals("# ok")))
                .as("the control, on the host: %s", passed)
                .hasSize(PACKAGES.size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock", "docker"})
    void suitesPass(String sandbox) throws Exception {
        Paddock.Result result =
                paddock.script(sandbox, SUITES, sandbox.equals("docker") ? Engine.withPrograms() : new String[0]);
        assertThat(result.exitCode()).as("%s", result).isZero();
        assertThat(result.stdout().lines().filter(line -> line.equals("# ok"))).hasSize(PACKAGES.size());
    }
}
