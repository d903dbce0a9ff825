package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.policy.EnvironmentPolicy;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.tools.CommandAudit;
import dev.paddock.harness.tools.CommandAudit.Outcome;
import dev.paddock.harness.tools.WorktreeMismatchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that allow lists, given variables, audits and the worktree check work the same on every
 * backend; {@link GuardTest}, {@link CommandAuditTest} and {@link CommandDirectoryTest} test them on
 * the host.
 */
@Tag("full")
class GuardsAndAuditOnEveryBackendTest extends BackendTest {

    private static String calling(String arguments) {
        return "{'calls': [{'tool': 'bash', 'arguments': " + arguments + "}]}";
    }

    @Test
    void audit_namesBackendAndOutcome() {
        AgentSession session = open(builder(script(calling("{'command': 'echo 12345'}") + ", "
                + calling("{'command': 'exit 3'}") + ", "
                + calling("{'command': 'sleep 300', 'timeout': 0.5}") + ", "
                + calling("{'command': 'echo', 'timeout': 0}")
                + ", {'text': 'Done.'}")));
        assertThat(session.prompt("Go").failure()).isEmpty();
        List<CommandAudit> audits = events(SessionEvent.CommandEnded.class).stream()
                .map(SessionEvent.CommandEnded::audit)
                .toList();
        assertThat(audits.stream().map(CommandAudit::executor)).containsOnly(backend.toString());
        assertThat(audits.stream().map(CommandAudit::outcome))
                .containsExactly(Outcome.OK, Outcome.FAILED, Outcome.TIMED_OUT, Outcome.DENIED);
        assertThat(audits.stream().map(CommandAudit::program)).containsExactly("echo", "exit", "sleep", "echo");
        assertThat(audits.get(0).outputBytes()).isEqualTo(6);
        assertThat(audits.get(1).status()).contains(new ExitStatus.Exited(3));
    }

    @Test
    void deniedCommandsAreNotRunAndAllowedOnesAre() {
        AgentSession session = open(builder(script(calling("{'command': 'touch denied'}") + ", "
                        + calling("{'command': 'echo x; touch denied'}") + ", "
                        + calling("{'command': 'echo allowed'}")
                        + ", {'text': 'Done.'}"))
                .allowedCommands(List.of("echo")));
        assertThat(session.prompt("Go").failure()).isEmpty();
        assertThat(results(session).stream().map(Message.ToolOutcome::isError)).containsExactly(true, true, false);
        assertThat(results(session).getLast().text()).isEqualTo("allowed\n");
        assertThat(worktree).isEmptyDirectory();
    }

    @Test
    void givenVariablesReachEveryCommand() {
        AgentSession session = open(builder(script(calling("{'command': 'echo $GIVEN'}") + ", {'text': 'Done.'}"))
                .environment(EnvironmentPolicy.empty().with("GIVEN", "a value")));
        session.prompt("Go");
        assertThat(results(session).getFirst().text()).isEqualTo("a value\n");
    }

    @Test
    void executorOverAnotherDirectoryIsRefusedAndNoCommandRuns() throws IOException {
        Path other = Files.createDirectory(home.resolve("other"));
        try (CommandExecutor elsewhere = backend.executor(other)) {
            AgentSession session = open(builder(script(calling("{'command': 'touch ran'}")))
                    .executor(elsewhere)
                    .execCwd(backend.mapping(other).commandPath()));
            assertThat(session.prompt("Go").failure().orElseThrow())
                    .isInstanceOf(WorktreeMismatchException.class)
                    .hasMessageContaining("not one directory");
        }
        assertThat(other).isEmptyDirectory();
        assertThat(worktree).isEmptyDirectory();
    }
}
