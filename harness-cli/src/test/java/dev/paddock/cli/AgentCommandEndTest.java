package dev.paddock.cli;

import static dev.paddock.cli.Turns.DONE;
import static dev.paddock.cli.Turns.bash;
import static dev.paddock.cli.Turns.event;
import static dev.paddock.cli.Turns.events;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.paddock.harness.model.AssistantTurn;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code paddock agent} whose reader or user leaves: readers that close or never read, and signals.
 */
@Tag("full")
class AgentCommandEndTest extends AgentCommandCase {
    /**
     * The argument of the test's sleeps. No other process has it, so that the test finds its own by
     * it.
     */
    final String seconds = "85" + ThreadLocalRandom.current().nextInt(100_000, 1_000_000);

    @Test
    void readerThatGoesAwayEndsSession() throws Exception {
        String writing = script(bash("sh -c 'while :; do echo x; sleep 0.1; done' " + seconds), DONE);
        String paddock = cli().shellWords(agent("--json", "--script", writing, "-p", "Go"));
        Process shell = new ProcessBuilder("bash", "-c", paddock + " | head -n 1 >/dev/null; echo \"${PIPESTATUS[0]}\"")
                .directory(directory.toFile())
                .start();
        assertThat(Cli.finish(shell).stdout()).isEqualTo("141\n");
        assertThat(Cli.processesWith(seconds)).isZero();
    }

    @Test
    void fullDeviceEndsSession() throws Exception {
        String writing = script(bash("sh -c 'while :; do echo x; sleep 0.1; done' " + seconds), DONE);
        Process process = cli().builder(agent("--json", "--script", writing, "-p", "Go"))
                .redirectOutput(Path.of("/dev/full").toFile())
                .start();
        assertThat(Cli.finish(process))
                .isEqualTo(
                        new Cli.Result(125, "", "paddock: cannot write to standard output: No space left on device\n"));
        assertThat(Cli.processesWith(seconds)).isZero();
    }

    /**
     * Starts a run that ends with more output than a pipe holds, for a reader that has not begun to
     * read.
     */
    private Process unread() throws Exception {
        String much = bash("head -c 200000 /dev/zero | tr '\\0' x");
        Process process = cli().withSignals().start(agent("--json", "--script", script(much, DONE), "-p", "Go"));
        process.getOutputStream().close();
        await("the answer is stored")
                .atMost(Cli.PATIENCE)
                .until(() -> storedMessages().contains("Done."));
        return process;
    }

    private String storedMessages() throws IOException {
        // Not a walk: beside these, the program makes files and removes them.
        Path sessions = state.resolve("paddock/sessions");
        if (!Files.isDirectory(sessions)) {
            return "";
        }
        try (Stream<Path> all = Files.list(sessions)) {
            Optional<Path> messages = all.map(session -> session.resolve("messages.jsonl"))
                    .filter(Files::exists)
                    .findFirst();
            return messages.isPresent() ? Files.readString(messages.get()) : "";
        }
    }

    @Test
    void readerWhoStartsLateReceivesEverything() throws Exception {
        Process process = unread();
        assertThat(process.waitFor(6, TimeUnit.SECONDS))
                .as("ended, though unread")
                .isFalse();
        Cli.Result result = Cli.finish(process);
        assertThat(result.exitCode()).isZero();
        List<JsonNode> events = events(result.stdout());
        assertThat(event(events, "tool_ended").path("text").asText()).hasSize(200_000);
        assertThat(events)
                .extracting(event -> event.path("event").asText())
                .endsWith("turn_ended", "run_ended", "session_ended");
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143"})
    void readerWhoNeverReadsDoesNotDelayExit(String signal, int code) throws Exception {
        Process process = unread();
        Cli.send(signal, process);
        assertThat(Cli.awaitExit(process)).isEqualTo(code);
    }

    /** Starts a run whose command outlives SIGTERM, to which it responds with {@code onTerm}. */
    private Process atWork(String onTerm, String... options) throws Exception {
        String script = script(bash("trap '" + onTerm + "' TERM; while :; do sleep " + seconds + "; done"), DONE);
        String[] whole = Stream.concat(Stream.of("--json", "--script", script, "-p", "Go"), Stream.of(options))
                .toArray(String[]::new);
        Process process = cli().withSignals().start(agent(whole));
        await("the command's process runs").atMost(Cli.PATIENCE).until(() -> Cli.processesWith(seconds) == 1);
        return process;
    }

    @Test
    void signalAbortsTurn() throws Exception {
        Process process = atWork("", "--kill-grace", "0.2");
        Cli.send("INT", process);
        Cli.Result result = Cli.finish(process);
        assertThat(result.exitCode()).isEqualTo(130);
        assertThat(event(events(result.stdout()), "run_ended").path("end").asText())
                .isEqualTo("aborted");
        assertThat(event(events(result.stdout()), "session_ended")).isNotNull();
        assertThat(Cli.processesWith(seconds)).isZero();
    }

    @Test
    void secondSignalEndsSessionAtOnce() throws Exception {
        Process process = atWork("echo >terminated", "--kill-grace", "3600");
        BufferedReader stdout = process.inputReader();
        Cli.send("INT", process);
        // The kernel merges a signal with an equal one that is still pending.
        await("the first signal has ended the turn, and so the command has received SIGTERM")
                .atMost(Cli.PATIENCE)
                .until(() -> Files.exists(directory.resolve("terminated")));
        Cli.send("INT", process);
        Thread reader = new Thread(() -> stdout.lines().forEach(line -> {}));
        reader.start();
        assertThat(Cli.awaitExit(process)).isEqualTo(130);
        await("the command's process has ended").atMost(Cli.PATIENCE).until(() -> Cli.processesWith(seconds) == 0);
    }

    @Test
    void TERM_endsWhileModelThinks() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        try (ModelServer server = ModelServer.of((request, listener) -> {
            asked.countDown();
            try {
                never.await();
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
            }
            return AssistantTurn.saying("Too late.");
        })) {
            Process process = server.knownTo(cli().withSignals()).start(anthropic("-p", "Go"));
            asked.await();
            Cli.send("TERM", process);
            Cli.Result result = Cli.finish(process);
            assertThat(result.exitCode()).isEqualTo(143);
            assertThat(result.stdout()).doesNotContain("Too late.");
        }
    }
}
