package dev.paddock.harness;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.approval.Approval;
import dev.paddock.harness.events.RunOutcome;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.workspace.directory.DirectoryWorkspaceProvider;
import dev.paddock.harness.workspace.directory.WorkspaceEntry;
import dev.paddock.harness.workspace.provider.Capability;
import dev.paddock.harness.workspace.provider.Workspace;
import dev.paddock.harness.workspace.provider.WorkspaceConfig;
import dev.paddock.harness.workspace.provider.WorkspaceEvictedException;
import dev.paddock.harness.workspace.provider.WorkspaceFailedException;
import dev.paddock.harness.workspace.provider.WorkspaceRef;
import dev.paddock.harness.workspace.provider.WorkspaceRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Sessions whose tools work in a workspace, with the real ones. */
@EnabledOnOs(OS.LINUX)
class WorkspaceSessionTest extends SessionTest {
    private static final String WRITE =
            "{'calls': [{'tool': 'write', 'arguments': {'path': 'notes', 'content': 'kept'}}]}";
    private static final String READ = "{'calls': [{'tool': 'bash', 'arguments': {'command': 'cat notes; pwd'}}]}";
    private static final String DONE = "{'text': 'Done.'}";

    private Path root;
    private DirectoryWorkspaceProvider provider;
    private WorkspaceRegistry registry;

    @BeforeEach
    void createRegistry() throws Exception {
        root = home.toRealPath().resolve("workspaces");
        provider = DirectoryWorkspaceProvider.localSandbox(root).anyCommand().build();
        registry = registry(provider);
    }

    private static WorkspaceRegistry registry(DirectoryWorkspaceProvider provider) {
        return WorkspaceRegistry.builder()
                .provider(provider)
                .retryWaits(List.of())
                .build();
    }

    private static WorkspaceConfig config() {
        return WorkspaceConfig.of("local-sandbox")
                .capabilities(Capability.values())
                .build();
    }

    private AgentSessionBuilder session(String turns) {
        return AgentSession.builder()
                .model(script(turns))
                .workspace(registry.source(config()))
                .sessionDirectory(home.resolve("session"))
                .listener(events::add);
    }

    @Test
    void workspaceIsOpenedAtFirstUseOfTool() {
        AgentSession session = open(session(DONE + "," + WRITE + "," + READ + "," + DONE));
        assertThat(session.prompt("Say something.").completed()).isTrue();
        assertThat(root).doesNotExist();
        assertThat(session.workspace()).isEmpty();
        assertThat(events(SessionEvent.SessionStarted.class).getFirst().worktree())
                .isEmpty();
        assertThat(events(SessionEvent.WorkspaceOpened.class)).isEmpty();

        assertThat(session.prompt("Work.").completed()).isTrue();
        WorkspaceEntry entry = provider.list().getFirst();
        assertThat(provider.list()).hasSize(1);
        assertThat(results(session)).extracting(result -> result.isError()).containsExactly(false, false);
        assertThat(results(session).getLast().text())
                .contains("kept", entry.files().toString());
        assertThat(WorkspaceRef.parse(session.workspace().orElseThrow()).payload())
                .isEqualTo(entry.ref().payload());
        SessionEvent.WorkspaceOpened opened =
                events(SessionEvent.WorkspaceOpened.class).getFirst();
        assertThat(opened.worktree().hostPath()).isEqualTo(entry.files());
        assertThat(opened.guarantees()).isNotEmpty();
        assertThat(session.worktree()).isEqualTo(opened.worktree());
    }

    @Test
    void resumedSessionFindsItsWorkspaceAgain() {
        AgentSession first = open(session(WRITE + "," + DONE));
        first.prompt("Write.");
        first.close();
        assertThat(AgentSession.workspaceOf(home.resolve("session"))).isEqualTo(first.workspace());

        AgentSession second = open(session(READ + "," + DONE).resume(home.resolve("session")));
        assertThat(second.workspace()).isEqualTo(first.workspace());
        assertThat(second.prompt("Read.").completed()).isTrue();
        assertThat(results(second).getLast().text()).contains("kept");
        assertThat(provider.list()).hasSize(1);
        second.close();

        assertThatThrownBy(() ->
                        builder(script(DONE)).resume(home.resolve("session")).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("worked in a workspace");
        Workspace other = provider.open(config());
        AgentSessionBuilder another =
                session(DONE).workspace(registry.source(other.ref())).resume(home.resolve("session"));
        AgentSession third = open(another);
        assertThatThrownBy(third::worktree)
                .isInstanceOf(WorkspaceFailedException.class)
                .hasMessageContaining("worked in another workspace");
        other.close();
    }

    @Test
    void workspaceThatIsGoneEndsRunAndIsNamedByType() {
        AgentSession first = open(session(WRITE + "," + DONE));
        first.prompt("Write.");
        first.close();
        provider.remove(provider.list().getFirst().ref());

        AgentSession second = open(session(READ + "," + DONE).resume(home.resolve("session")));
        RunOutcome outcome = second.prompt("Read.");
        assertThat(outcome.end()).isEqualTo(RunOutcome.End.FAILED);
        assertThat(outcome.failure().orElseThrow()).isInstanceOf(WorkspaceEvictedException.class);
        assertThat(results(second).getLast().text()).startsWith("Nothing was done: the workspace no longer exists");
    }

    @Test
    void workspaceThatCannotBeOpenedEndsRunAndIsTriedAgain() {
        provider = DirectoryWorkspaceProvider.localSandbox(root)
                .anyCommand()
                .executors(List.of())
                .build();
        registry = registry(provider);
        AgentSession session = open(session(READ + "," + READ + "," + DONE));
        for (int attempt = 0; attempt < 2; attempt++) {
            RunOutcome outcome = session.prompt("Read.");
            assertThat(outcome.end()).isEqualTo(RunOutcome.End.FAILED);
            assertThat(outcome.failure().orElseThrow())
                    .isInstanceOf(WorkspaceFailedException.class)
                    .hasMessageContaining("none of its backends is installed");
        }
        assertThat(session.workspace()).isEmpty();
        assertThat(session.call(bash("direct", "true"), AbortSignal.never(), text -> {})
                        .text())
                .startsWith("Nothing was done: no sandbox");
    }

    @Test
    void suspendedWorkspaceIsRolledBackAndUsedAgain() throws Exception {
        List<String> leaving = new ArrayList<>();
        AgentSession session = open(session(WRITE + "," + DONE + ","
                        + "{'calls': [{'tool': 'bash', 'arguments': {'command': 'echo new > notes; touch more'}}]},"
                        + DONE + "," + READ + "," + DONE)
                .approver(call -> {
                    leaving.add(call.call().name() + " " + call.leavesSandbox());
                    return Approval.allow();
                }));
        session.prompt("Write.");
        WorkspaceEntry entry = provider.list().getFirst();
        Workspace beside = provider.resolve(new WorkspaceRef(
                entry.ref().kind(), 1, Set.of(Capability.SNAPSHOTS), entry.ref().payload()));
        String checkpoint =
                beside.snapshots().orElseThrow().snapshot("checkpoint").id();
        beside.suspend();
        session.prompt("Change.");
        assertThat(entry.files().resolve("notes")).hasContent("new");
        assertThatThrownBy(() -> provider.rollBack(entry.ref(), checkpoint))
                .isInstanceOf(WorkspaceFailedException.class)
                .hasMessageContaining("open elsewhere");

        session.suspendWorkspace();
        provider.rollBack(entry.ref(), checkpoint);
        assertThat(session.prompt("Read.").completed()).isTrue();
        assertThat(results(session).getLast().text())
                .contains("kept")
                .contains(entry.files().toString());
        assertThat(entry.files().resolve("more")).doesNotExist();
        assertThat(events(SessionEvent.WorkspaceOpened.class)).hasSize(2);
        assertThat(leaving).containsExactly("write false", "bash false", "bash false");
    }

    @Test
    void workspaceExcludesDirectory() throws Exception {
        assertThatThrownBy(() -> session(DONE).cwd(worktree).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("give workspace(…), or cwd(…)");
        assertThatThrownBy(() -> registry.source(WorkspaceConfig.of("local-sandbox")
                        .capabilities(Capability.FILES)
                        .build()))
                .hasMessageContaining("'shell'");
        AgentSession unopened = open(session(DONE));
        unopened.suspendWorkspace();
        assertThat(root).as("nothing was opened by that").doesNotExist();
    }

    @Test
    void toolboxWithoutMessagesKeepsReference() throws Exception {
        try (Toolbox toolbox = Toolbox.builder()
                .workspace(registry.source(config()))
                .sessionDirectory(home.resolve("session"))
                .build()) {
            assertThat(toolbox.call("write", "{\"path\": \"a\", \"content\": \"b\"}", AbortSignal.never())
                            .isError())
                    .isFalse();
        }
        assertThat(Files.readString(home.resolve("session/workspace.json"), UTF_8))
                .contains(provider.list().getFirst().id());
    }
}
