package dev.paddock.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TerminalOptionsTest {

    @Test
    void terminalIsOneStreamEachWay() {
        SpawnOptions options = SpawnOptions.builder("/")
                .terminal(80, 24)
                .stdin(SpawnOptions.Stdin.EMPTY)
                .stderr(SpawnOptions.Stderr.SEPARATE)
                .build();
        assertThat(options.terminal()).contains(new TerminalSize(80, 24));
        assertThat(options.stdin()).isEqualTo(SpawnOptions.Stdin.PIPE);
        assertThat(options.stderr()).isEqualTo(SpawnOptions.Stderr.MERGED);
        assertThat(options).asString().contains("terminal=80x24");
        assertThat(options.toBuilder().build().terminal()).contains(new TerminalSize(80, 24));
        assertThat(SpawnOptions.in("/").terminal()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0, 24", "80, 0", "-1, 24", "65536, 24", "80, 65536"})
    void sizeThatNoTerminalHasIsRefused(int columns, int rows) {
        assertThatThrownBy(() -> SpawnOptions.builder("/").terminal(columns, rows))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining(columns + " columns and " + rows + " rows");
    }

    @Test
    void executorOverJdkRefusesTerminal() throws Exception {
        CommandExecutor plain =
                (command, options) -> ProcessLike.start(new ProcessBuilder("sh", "-c", "--", command), options);
        assertThatThrownBy(() -> plain.spawn(
                        ":", SpawnOptions.builder("/").terminal(80, 24).build()))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("no terminal");
        ProcessLike process = plain.spawn(":", SpawnOptions.in("/"));
        assertThat(process.resize(80, 24)).isFalse();
        assertThatThrownBy(() -> process.resize(0, 24)).isInstanceOf(IllegalArgumentException.class);
        process.onExit().toCompletableFuture().get();
    }
}
