package dev.paddock.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@code paddock agent} as a process in a temporary directory, with a temporary state
 * directory.
 */
public abstract class AgentCommandCase {
    @TempDir
    public Path directory;

    @TempDir
    public Path state;

    Cli cli() {
        return Cli.in(directory)
                .env("XDG_STATE_HOME", state.toString())
                .withoutEnv("ANTHROPIC_API_KEY")
                .withoutEnv("ANTHROPIC_BASE_URL");
    }

    static String[] agent(String... options) {
        return Stream.concat(Stream.of("agent", "--executor", "host"), Stream.of(options))
                .toArray(String[]::new);
    }

    static String[] anthropic(String... options) {
        String[] model = {"agent", "--executor", "host", "--provider", "anthropic", "--model", "test-model"};
        return Stream.concat(Stream.of(model), Stream.of(options)).toArray(String[]::new);
    }

    String script(String... turns) throws IOException {
        return Turns.script(state, turns);
    }
}
