package dev.paddock.harness.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.mcp.server.Elicitation;
import dev.paddock.harness.mcp.server.ServerConnection;
import dev.paddock.harness.mcp.wire.ProgressStream;
import dev.paddock.harness.tools.ToolResult;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests calls that run beside each other, are cancelled, or lose their client. */
class McpToolServerCallsTest extends ServedSession {

    @Test
    void callsRunBesideEachOtherAndOneTooManyIsRefused() throws Exception {
        RawClient client = initialized();
        Path go = worktree.resolve("go");
        assertThat(new ProcessBuilder("mkfifo", go.toString()).start().waitFor())
                .isZero();
        for (int call = 1; call <= 64; call++) {
            // Blocks until the pipe has a writer: so many commands that look for a file again and again take all
            // processors.
            client.bash(call, "touch runs" + call + "; : <go; echo " + call);
        }
        await("all commands run")
                .atMost(PATIENCE)
                .until(() ->
                        IntStream.rangeClosed(1, 64).allMatch(call -> Files.exists(worktree.resolve("runs" + call))));
        client.bash(65, "echo too many");
        JsonNode refused = client.next();
        assertThat(refused.path("id").asInt()).isEqualTo(65);
        assertThat(refused.path("error").path("message").asText()).contains("64 calls");
        List<Integer> answered = new ArrayList<>();
        try (OutputStream writer = Files.newOutputStream(go)) {
            writer.flush(); // a pipe without a byte
            for (int call = 1; call <= 64; call++) {
                answered.add(client.next().path("id").asInt());
            }
        }
        assertThat(answered).doesNotHaveDuplicates().hasSize(64);
    }

    @Test
    void cancelledCallIsEndedAndNotAnswered() throws Exception {
        RawClient client = initialized();
        client.bash("a", "trap 'touch received; exit' TERM; touch runs1; while :; do sleep 0.05; done");
        awaitFile("runs1");
        client.notification("notifications/cancelled", Map.of("requestId", "a", "reason", "not wanted"));
        awaitFile("received");
        await("the end of the call is reported")
                .atMost(PATIENCE)
                .until(() -> events.stream().anyMatch(SessionEvent.ToolEnded.class::isInstance));
        // Calls that have ended, or never existed, are unknown.
        client.notification("notifications/cancelled", Map.of("requestId", "a"));
        client.notification("notifications/cancelled", Map.of("requestId", List.of()));
        client.notification("notifications/cancelled", Map.of());
        // The id is free a moment after the end is reported; until then it is refused.
        JsonNode next = await("a call with the same id is answered")
                .atMost(PATIENCE)
                .until(
                        () -> {
                            client.bash("a", "echo again");
                            return client.next();
                        },
                        answer -> code(answer) != -32600);
        assertThat(next.path("id").asText()).isEqualTo("a");
        assertThat(RawClient.text(next)).startsWith("again\n");
    }

    @Test
    void idThatIsInUseIsRefused() throws Exception {
        RawClient client = initialized();
        client.bash(7, gated(1));
        awaitFile("runs1");
        client.bash(7, "touch ran");
        assertThat(code(client.next())).isEqualTo(-32600);
        Files.createFile(worktree.resolve("go"));
        assertThat(RawClient.text(client.next())).startsWith("1\n");
        assertThat(worktree.resolve("ran")).doesNotExist();
    }

    @Test
    void outputIsStreamedToCallerThatAskedForIt() throws Exception {
        RawClient client = initialized();
        client.bash(1, "echo one; until [ -e go ]; do sleep 0.05; done; echo two", "token");
        JsonNode progress = client.next();
        assertThat(progress.path("method").asText()).isEqualTo("notifications/progress");
        assertThat(progress.path("params").path("progressToken").asText()).isEqualTo("token");
        assertThat(progress.path("params").path("progress").asInt()).isEqualTo(1);
        assertThat(progress.path("params").path("message").asText()).isEqualTo("one\n");
        Files.createFile(worktree.resolve("go"));
        JsonNode next = client.next();
        while (next.path("method").asText().equals("notifications/progress")) {
            next = client.next();
        }
        assertThat(RawClient.text(next)).startsWith("one\ntwo\n");
    }

    @Test
    void clientThatDoesNotReadHoldsNoCommand() throws Exception {
        RawClient client = initialized();
        client.bash(1, "yes 0123456789abcdef | head -c 20000000; touch wrote", "token");
        awaitFile("wrote");
        JsonNode next = client.next();
        while (!next.has("id")) {
            assertThat(next.path("params").path("message").asText().length())
                    .isLessThanOrEqualTo(ProgressStream.MAX_CHARACTERS + 1);
            next = client.next();
        }
        assertThat(RawClient.text(next)).contains("0123456789abcdef");
    }

    @Test
    void clientThatGoesEndsServerAndItsCalls() throws Exception {
        RawClient client = initialized();
        client.bash(1, "trap 'touch received; exit' TERM; touch runs1; while :; do sleep 0.05; done");
        awaitFile("runs1");
        client.close();
        client.awaitEnd();
        awaitFile("received");
    }

    @Test
    void errorInToolIsAnswered() throws Exception {
        RawClient client = initialized(new OwnTool(context -> {
            throw new NoClassDefFoundError("a/part/that/is/missing");
        }));
        client.request(1, "tools/call", Map.of("name", "own", "arguments", Map.of()));
        JsonNode answer = client.next();
        assertThat(answer.path("id").asInt()).isEqualTo(1);
        assertThat(answer.path("result").path("isError").asBoolean()).isTrue();
        assertThat(RawClient.text(answer)).contains("own failed unexpectedly", "a/part/that/is/missing");
    }

    /** Each call's abort waits until the other is being aborted too. */
    @Test
    void callsOfClientThatGoesAreAbortedTogether() throws Exception {
        CyclicBarrier bothAborted = new CyclicBarrier(2);
        CountDownLatch running = new CountDownLatch(2);
        CountDownLatch met = new CountDownLatch(2);
        RawClient client = initialized(new OwnTool(context -> {
            CompletableFuture<Void> aborted = new CompletableFuture<>();
            AbortSignal.Registration unused = context.signal().onAbort(() -> {
                aborted.complete(null);
                try {
                    bothAborted.await(PATIENCE.toSeconds() / 2, TimeUnit.SECONDS);
                    met.countDown();
                } catch (InterruptedException | BrokenBarrierException | TimeoutException alone) {
                    throw new IllegalStateException(alone);
                }
            });
            running.countDown();
            aborted.join();
            return ToolResult.ok("");
        }));
        client.request(1, "tools/call", Map.of("name", "own", "arguments", Map.of()));
        client.request(2, "tools/call", Map.of("name", "own", "arguments", Map.of()));
        assertThat(running.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        client.close();
        assertThat(met.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        client.awaitEnd();
    }

    /**
     * The cancellation may arrive while the connection is being closed, and its workers accept no
     * more tasks.
     */
    @Test
    void cancellationThatComesLateIsHeard() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CompletableFuture<Void> aborted = new CompletableFuture<>();
        AgentSession session = session(new OwnTool(context -> {
            AbortSignal.Registration unused = context.signal().onAbort(() -> aborted.complete(null));
            running.countDown();
            aborted.join();
            return ToolResult.ok("");
        }));
        CompletableFuture<ServerConnection> made = new CompletableFuture<>();
        RawClient client = new RawClient((input, output) -> {
            ServerConnection connection = new ServerConnection(Set.of("own"), output, new CompletableFuture<>());
            McpToolServer.of(session, "test", "1").offerTools(connection, new Elicitation(question -> {}));
            made.complete(connection);
            connection.run(input);
        });
        opened.add(client);
        client.initialize();
        client.request(1, "tools/call", Map.of("name", "own", "arguments", Map.of()));
        assertThat(running.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        made.join().workers().shutdown();
        client.notification("notifications/cancelled", Map.of("requestId", 1));
        aborted.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        client.request(2, "ping", Map.of());
        assertThat(client.next().path("id").asInt()).isEqualTo(2);
    }

    @Test
    void secondClientIsRefusedAndNotListenedTo() throws IOException {
        McpToolServer server = McpToolServer.of(session(), "test", "1");
        server.serve(InputStream.nullInputStream(), OutputStream.nullOutputStream());
        InputStream second = new ByteArrayInputStream(new byte[] {'{', '}', '\n'});
        assertThatThrownBy(() -> server.serve(second, OutputStream.nullOutputStream()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("make another");
        assertThat(second.available()).isEqualTo(3);
    }

    @Test
    void serverThatIsStoppedEnds() throws Exception {
        McpToolServer server = McpToolServer.of(session(), "test", "1");
        RawClient client = new RawClient(server::serve);
        opened.add(client);
        client.initialize();
        server.stop();
        client.awaitEnd();
    }
}
