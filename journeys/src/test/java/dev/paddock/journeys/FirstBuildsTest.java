package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.tck.jvm.OrdinaryUser;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A stranger's first build in each ecosystem takes one option at most. */
@EnabledOnOs(OS.LINUX)
@Tag("full")
class FirstBuildsTest {
    @TempDir
    private Path root;

    /**
     * What a sandbox shows to programs depends on its kind, not on the user, who builds twice with the network open,
     * and once with it off.
     */
    static Stream<Arguments> builds() {
        return OrdinaryUser.isAgain()
                ? in("bwrap", FirstProject.MAVEN, FirstProject.NPM, FirstProject.PYTHON)
                : Stream.concat(in("bwrap", FirstProject.values()), in("landlock", FirstProject.values()));
    }

    private static Stream<Arguments> in(String sandbox, FirstProject... projects) {
        return Stream.of(projects).map(project -> Arguments.of(sandbox, project));
    }

    @ParameterizedTest
    @MethodSource("builds")
    void oneOptionIsEnough(String sandbox, FirstProject project) throws Exception {
        Paddock paddock = project.create(root.toRealPath());
        Paddock.Result result = paddock.script(sandbox, project.build() + " && echo built", project.options());
        assertThat(result.exitCode()).as("%s", result).isZero();
        assertThat(result.stdout()).endsWith("built\n");
    }
}
