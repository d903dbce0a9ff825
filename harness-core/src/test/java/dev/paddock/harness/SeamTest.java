package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the published verification of the executor seam covers, on every backend. */
class SeamTest extends BackendTest {

    @Test
    void aCommandRunsAndItsDirectoryIsTheCommandSideOne() {
        AgentSession session = scripted("{'calls': [{'tool': 'bash', 'arguments': {'command': 'pwd'}}]},"
                + "{'expect': '" + backend.mapping(worktree).commandPath() + "', 'text': 'Done.'}");
        assertThat(session.prompt("Go").failure()).isEmpty();
    }
}
