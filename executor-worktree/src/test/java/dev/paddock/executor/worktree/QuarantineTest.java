package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QuarantineTest {

    @Test
    void isWhereUserKeepsState() {
        assertThat(Quarantine.standard(Map.of("XDG_STATE_HOME", "/state"), "/home/me"))
                .isEqualTo(Path.of("/state/paddock/quarantine"));
    }

    @Test
    void quarantineIsBelowHomeWithoutStateVariable() {
        Path inHome = Path.of("/home/me/.local/state/paddock/quarantine");
        assertThat(Quarantine.standard(Map.of(), "/home/me")).isEqualTo(inHome);
        assertThat(Quarantine.standard(Map.of("XDG_STATE_HOME", ""), "/home/me"))
                .isEqualTo(inHome);
        assertThat(Quarantine.standard(Map.of("XDG_STATE_HOME", "relative"), "/home/me"))
                .isEqualTo(inHome);
    }

    /** A JVM whose user has no passwd entry has "?" for the home. */
    @Test
    void isTemporaryWithoutHome() {
        Path one = Quarantine.standard(Map.of(), "?");
        assertThat(one).isAbsolute().isNotEqualTo(Quarantine.standard(Map.of(), "?"));
    }
}
