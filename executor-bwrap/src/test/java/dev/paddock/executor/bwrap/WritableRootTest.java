package dev.paddock.executor.bwrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.launch.HelperCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A layer above the system, which later versions of bubblewrap have. */
@EnabledOnOs(OS.LINUX)
class WritableRootTest {
    /** The bubblewrap to try, if not the installed one. */
    private static final String PROGRAM = System.getProperty("paddock.bwrap", "");

    @TempDir
    private Path directory;

    private static boolean hasLayers() {
        String program = PROGRAM.isEmpty() ? "bwrap" : PROGRAM;
        return HelperCommand.run(List.of(program, "--help")).output().contains("--tmp-overlay");
    }

    private CommandExecutor open(String root) throws Exception {
        SandboxPolicy policy =
                SandboxPolicy.builder(PathMapping.same(directory.toRealPath())).build();
        return new BwrapProvider()
                .create(policy, PROGRAM.isEmpty() ? Map.of("root", root) : Map.of("root", root, "program", PROGRAM));
    }

    private String run(CommandExecutor executor, String script) throws Exception {
        return executor.run(script, RunOptions.in(directory.toRealPath().toString()))
                .outText();
    }

    @Test
    void writesToSystemAreDiscarded() throws Exception {
        assumeTrue(hasLayers(), "bubblewrap has no layers");
        assumeTrue(
                Integer.valueOf(0).equals(Files.getAttribute(directory, "unix:uid")), "the system's files are root's");
        String script =
                "mkdir /data && echo new >/usr/paddock-new && rm /usr/bin/wc && echo x >/etc/x && ls /usr/bin/wc"
                        + " 2>/dev/null || cat /usr/paddock-new";
        try (CommandExecutor executor = open("writable")) {
            assertThat(run(executor, script)).isEqualTo("new\n");
            assertThat(run(executor, "ls -d /data /usr/paddock-new /etc/x /usr/bin/wc 2>/dev/null"))
                    .as("for another command")
                    .isEqualTo("/usr/bin/wc\n");
            assertThat(run(executor, "echo x 2>/dev/null >/proc/sys/kernel/hostname || echo no"))
                    .isEqualTo("no\n");
        }
        assertThat(Path.of("/usr/paddock-new")).doesNotExist();
        try (CommandExecutor executor = open("read-only")) {
            assertThat(run(executor, script)).as("the control").isEmpty();
        }
    }

    @Test
    void bubblewrapWithoutLayersIsRefused() {
        assumeTrue(!hasLayers(), "bubblewrap has layers");
        assertThatExceptionOfType(UnsupportedPolicyException.class)
                .isThrownBy(() -> open("writable"))
                .withMessageContaining("root: writable")
                .withMessageContaining("puts no layer above the system, which bubblewrap 0.11 does");
    }
}
