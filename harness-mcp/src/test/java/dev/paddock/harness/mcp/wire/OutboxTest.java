package dev.paddock.harness.mcp.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.modelcontextprotocol.spec.McpSchema;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests what the outbox keeps for a reader that does not read: a few messages, and of progress only
 * the latest.
 */
@Tag("full")
class OutboxTest {
    /** Longer than a pipe's buffer, so that the writer blocks in the middle of it. */
    private static final Map<String, String> LONG = Map.of("long", "x".repeat(1 << 20));

    private final CompletableFuture<Void> broken = new CompletableFuture<>();

    @Test
    void progressThatIsNotTakenIsReplacedByLatest() throws Exception {
        Pipe pipe = Pipe.open();
        ProgressStream progress = new ProgressStream("token");
        ProgressStream ended = new ProgressStream("ended");
        try (Outbox outbox = new Outbox("test", Channels.newOutputStream(pipe.sink()), () -> broken.complete(null));
                BufferedReader reader = new BufferedReader(Channels.newReader(pipe.source(), StandardCharsets.UTF_8))) {
            outbox.put(LONG);
            for (int i = 0; i < 100_000; i++) {
                progress.show("line " + i + "\n");
                outbox.offer(progress);
            }
            ended.show("of a call that is over");
            outbox.offer(ended);
            ended.end();
            assertThat(reader.readLine()).hasSizeGreaterThan(1 << 20);
            assertThat(reader.readLine()).contains("\"token\"").contains("line 99999\\n");
            outbox.put(Map.of("last", true));
            assertThat(reader.readLine()).isEqualTo("{\"last\":true}");
        }
    }

    @Test
    void fullQueueBlocksPut() throws Exception {
        Pipe pipe = Pipe.open();
        Outbox outbox = new Outbox("test", Channels.newOutputStream(pipe.sink()), () -> broken.complete(null));
        long taken = IntStream.range(0, 1_000).filter(i -> outbox.tryPut(LONG)).count();
        assertThat(taken)
                .as("those that wait, and the one in the writer's hands")
                .isBetween(64L, 65L);
        CompletableFuture<Void> put = CompletableFuture.runAsync(() -> outbox.put(Map.of()));
        assertThat(put).isNotDone();
        pipe.source().close();
        await("the broken writer is reported").until(broken::isDone);
        await("the put returns").until(put::isDone);
        assertThat(outbox.tryPut(Map.of())).isFalse();
        outbox.close();
    }

    @Test
    void moreMessagesOfReadingThreadMayWait() throws Exception {
        Pipe pipe = Pipe.open();
        Outbox outbox = new Outbox("test", Channels.newOutputStream(pipe.sink()), () -> broken.complete(null));
        CompletableFuture<Void> added = new CompletableFuture<>();
        Thread reader = Threads.daemon("test-reader", () -> {
            for (int i = 0; i < 60; i++) {
                outbox.put(Map.of());
            }
            added.complete(null);
        });
        outbox.readBy(reader);
        long taken = IntStream.range(0, 1_000).filter(i -> outbox.tryPut(LONG)).count();
        assertThat(taken).isBetween(64L, 65L);
        reader.start();
        await("the reader's messages are added").until(added::isDone);
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> outbox.put(Map.of()));
        assertThat(other).isNotDone();
        pipe.source().close();
        await("the put of the other thread returns").until(other::isDone);
        outbox.close();
    }

    @Test
    void longProgressIsReportedByItsEnd() {
        ProgressStream progress = new ProgressStream(7);
        progress.show("a");
        assertThat(message(progress)).isEqualTo("a");
        progress.show("ab");
        assertThat(message(progress)).isEqualTo("b");
        progress.show("x".repeat(20_000) + "end");
        assertThat(message(progress)).hasSize(ProgressStream.MAX_CHARACTERS + 1).endsWith("end");
        assertThat(progress.take()).isEmpty();
    }

    private static String message(ProgressStream progress) {
        McpSchema.ProgressNotification news =
                (McpSchema.ProgressNotification) progress.take().orElseThrow().params();
        return news.message();
    }

    @Test
    void lineThatIsTooLongIsPassedOver() throws IOException {
        byte[] lines = ("x".repeat(MessageReader.MAX_BYTES + 100_000) + "\nnext\n" + "y".repeat(MessageReader.MAX_BYTES)
                        + "\ncut")
                .getBytes(StandardCharsets.UTF_8);
        MessageReader reader = new MessageReader(new ByteArrayInputStream(lines));
        assertThat(reader.next()).contains(new MessageReader.TooLong());
        assertThat(reader.next()).contains(new MessageReader.Text("next"));
        assertThat(reader.next().orElseThrow())
                .isInstanceOfSatisfying(
                        MessageReader.Text.class,
                        line -> assertThat(line.text()).hasSize(MessageReader.MAX_BYTES));
        assertThat(reader.next()).isEmpty();
    }
}
