package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.model.Model;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A machine whose preferred sandbox cannot be used. */
@EnabledOnOs(OS.LINUX)
class FallbackTest {
    @TempDir
    private Path root;

    /** The client of an MCP server receives these instructions, too, and its user sees no warning. */
    @Test
    void modelIsToldWhichSandboxItHas() throws Exception {
        Path project = Files.createDirectory(root.toRealPath().resolve("project"));
        SandboxPolicy policy = SandboxPolicy.builder(PathMapping.same(project)).build();
        Map<String, String> absent = Map.of("program", root.resolve("absent").toString());
        try (CommandExecutor executor = ExecutorProviders.open(
                        "bwrap,landlock", ExecutorOptions.of(policy).settings(absent));
                AgentSession session = session(policy, executor, "session")) {
            assertThat(executor.name()).isEqualTo("landlock");
            assertThat(session.instructions())
                    .contains("Commands run in landlock, since a preferred sandbox cannot be used here: bwrap: ");
        }
        try (CommandExecutor named = ExecutorProviders.open("landlock", ExecutorOptions.of(policy));
                AgentSession session = session(policy, named, "named")) {
            assertThat(session.instructions())
                    .as("of a later session whose user wants landlock")
                    .doesNotContain("preferred sandbox");
        }
    }

    private AgentSession session(SandboxPolicy policy, CommandExecutor executor, String directory) {
        return AgentSession.builder()
                .model(Model.none())
                .cwd(policy.worktree().hostPath())
                .policy(policy)
                .executor(executor)
                .sessionDirectory(root.resolve(directory))
                .build();
    }
}
