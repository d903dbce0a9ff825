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

    static Stream<Arguments> builds() {
        // What a sandbox shows to programs depends on its kind, not on the user.
        Stream<String> sandboxes = OrdinaryUser.isAgain() ? Stream.of("bwrap") : Stream.of("bwrap", "landlock");
        return sandboxes.flatMap(
                sandbox -> Stream.of(FirstProject.values()).map(project -> Arguments.of(sandbox, project)));
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
