package dev.paddock.harness.acp;

import com.agentclientprotocol.sdk.spec.AcpAgentSession;
import com.agentclientprotocol.sdk.spec.AcpSchema;
import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.mcp.wire.Threads;
import dev.paddock.harness.tools.EditorBuffers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Asks the editor for the texts of files by the protocol's {@code fs/read_text_file}. An editor that has left a question
 * unanswered gets less time for the next ones until it answers, and no more than {@value #MAX_OVERDUE} at a time.
 */
final class BufferRequests implements EditorBuffers {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int TIMES_SHORTER = 10;
    private static final int MAX_OVERDUE = 8;
    private static final Answer MALFORMED = new Refusal("its answer is malformed");

    private final Duration patience;
    private final AtomicInteger overdue = new AtomicInteger();
    private volatile Optional<EditorClient> client = Optional.empty();

    /**
     * Creates the requests of one session.
     *
     * @param most the longest time that an answer may take
     */
    BufferRequests(Duration most) {
        patience = most.compareTo(PATIENCE) < 0 ? most : PATIENCE;
    }

    /** Connects the requests to the session's editor, which is known only after the session was built. */
    void connect(EditorClient value) {
        client = Optional.of(value);
    }

    @Override
    public Answer text(Path file, AbortSignal signal) {
        if (client.isEmpty()) {
            return new Silence("the session is not open yet");
        }
        int late = overdue.get();
        if (late >= MAX_OVERDUE) {
            return new Silence("it has left " + late + " questions unanswered");
        }
        CompletableFuture<AcpSchema.ReadTextFileResponse> answer = new CompletableFuture<>();
        EditorClient editor = client.get();
        // Sending blocks while the editor does not read.
        Threads.daemon("acp-buffer", () -> editor.readText(file, answer)).start();
        return await(answer, late == 0 ? patience : patience.dividedBy(TIMES_SHORTER), signal);
    }

    private Answer await(CompletableFuture<AcpSchema.ReadTextFileResponse> answer, Duration wait, AbortSignal signal) {
        CompletableFuture<Void> aborted = new CompletableFuture<>();
        AbortSignal.Registration registration = signal.onAbort(() -> aborted.complete(null));
        try {
            Object unused = CompletableFuture.anyOf(answer, aborted).get(wait.toMillis(), TimeUnit.MILLISECONDS);
            signal.throwIfAborted();
            return Optional.ofNullable(answer.join().content())
                    .<Answer>map(Text::new)
                    .orElse(MALFORMED);
        } catch (TimeoutException late) {
            overdue.incrementAndGet();
            var unused = answer.whenComplete((text, fault) -> overdue.decrementAndGet());
            return new Silence("it has not answered within " + wait.toMillis() / 1000.0 + " s");
        } catch (ExecutionException failed) {
            return failure(failed.getCause());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new Silence("the question was interrupted");
        } finally {
            registration.close();
        }
    }

    private static Answer failure(@Nullable Throwable fault) {
        if (fault instanceof AcpAgentSession.AcpError error) {
            return new Refusal(
                    "it answers '" + Shown.line(String.valueOf(error.getError().message())) + "'");
        }
        return fault instanceof IllegalArgumentException ? MALFORMED : new Silence("the question failed");
    }
}
