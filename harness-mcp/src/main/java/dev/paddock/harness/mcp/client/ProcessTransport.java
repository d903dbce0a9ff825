package dev.paddock.harness.mcp.client;

import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.Signal;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.harness.mcp.wire.MessageReader;
import dev.paddock.harness.mcp.wire.Outbox;
import dev.paddock.harness.mcp.wire.Threads;
import dev.paddock.harness.mcp.wire.WireJson;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * Connects to a server that runs as a child process, over its standard streams. Its output cannot
 * exhaust the heap: lines that are not messages are skipped, up to a bound; of its standard error
 * only the end is kept, to report when it dies.
 *
 * <p>Replaces the SDK's own transport, which starts processes itself, on the host, and kills them
 * without their process trees.
 */
final class ProcessTransport implements McpClientTransport {
    private static final Logger LOG = LateLogger.of(ProcessTransport.class);

    /**
     * How many characters of lines that are not messages a server may write before it is abandoned.
     */
    private static final long MAX_GARBAGE = 16 << 20;

    private static final int MAX_ERROR_CHARACTERS = 1024;

    /**
     * How long a server may take to exit after its input is closed, and again after it is signaled.
     */
    private static final Duration FAREWELL = Duration.ofSeconds(2);

    private final String name;
    private final ProcessLike process;
    private final Outbox outbox;
    private final Thread listener;
    private final Consumer<String> onEnd;
    private final StringBuilder errorEnd = new StringBuilder();
    private volatile boolean closing;

    /**
     * Takes ownership of a process.
     *
     * @param onEnd called once, with the reason, when the server will send nothing more
     */
    ProcessTransport(String name, ProcessLike process, Consumer<String> onEnd) {
        this.name = name;
        this.process = process;
        this.onEnd = onEnd;
        // A server that stops reading is detected by the end of its output, which gives a better
        // reason.
        this.outbox = new Outbox("mcp-to-" + name, process.stdin(), () -> {});
        this.listener = Threads.daemon("mcp-stderr-" + name, this::listen);
        listener.start();
    }

    @Override
    public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
        return Mono.fromRunnable(
                () -> Threads.daemon("mcp-from-" + name, () -> read(handler)).start());
    }

    private void read(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
        String reason;
        try {
            reason = readUntilItEnds(handler);
        } catch (IOException lost) {
            reason = "its output was lost: " + lost.getMessage();
        }
        onEnd.accept(reason);
        // An abandoned server must not block on a full pipe that nobody reads.
        process.kill(Signal.KILL);
    }

    private String readUntilItEnds(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) throws IOException {
        MessageReader reader = new MessageReader(process.stdout());
        long garbage = 0;
        for (Optional<MessageReader.Line> line = reader.next(); line.isPresent(); line = reader.next()) {
            if (!(line.get() instanceof MessageReader.Text(String text))) {
                return "it wrote a line of more than " + MessageReader.MAX_BYTES + " bytes";
            }
            Optional<JSONRPCMessage> message = parse(text);
            if (message.isPresent()) {
                handler.apply(Mono.just(message.get()))
                        .subscribe(
                                ignored -> {},
                                fault -> LOG.log(Level.DEBUG, "A message of " + name + " could not be used", fault));
            } else {
                garbage += text.length() + 1;
                if (garbage > MAX_GARBAGE) {
                    return "it wrote more than " + MAX_GARBAGE + " characters that are no messages";
                }
            }
        }
        return howItEnded();
    }

    private Optional<JSONRPCMessage> parse(String text) {
        if (!text.startsWith("{")) {
            return Optional.empty(); // usually a log line; skipped cheaply since there may be many
        }
        try {
            return Optional.of(McpSchema.deserializeJsonRpcMessage(WireJson.MAPPER, text));
        } catch (IOException | RuntimeException noMessage) {
            LOG.log(Level.DEBUG, name + " wrote what is no message");
            return Optional.empty();
        }
    }

    private String howItEnded() {
        String how = awaitExit(FAREWELL) ? "it ended" : "it closed its output";
        if (process.onExit().toCompletableFuture().isDone()
                && !process.onExit().toCompletableFuture().isCompletedExceptionally()) {
            how += " with exit code "
                    + process.onExit().toCompletableFuture().join().code();
        }
        String output = endOfErrors();
        return output.isEmpty() ? how : how + ", and wrote: " + output;
    }

    private void listen() {
        byte[] block = new byte[8192];
        try (InputStream stderr = process.stderr()) {
            for (int read = stderr.read(block); read >= 0; read = stderr.read(block)) {
                keep(new String(block, 0, read, StandardCharsets.UTF_8));
            }
        } catch (IOException lost) {
            LOG.log(Level.DEBUG, "The errors of " + name + " were lost", lost);
        }
    }

    private void keep(String output) {
        synchronized (errorEnd) {
            errorEnd.append(output);
            errorEnd.delete(0, Math.max(0, errorEnd.length() - MAX_ERROR_CHARACTERS));
        }
    }

    /** Returns the end of its standard error output, on one line. */
    private String endOfErrors() {
        try {
            listener.join(FAREWELL);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        synchronized (errorEnd) {
            return errorEnd.toString().strip().replaceAll("\\s*\\R\\s*", " / ");
        }
    }

    @Override
    public Mono<Void> sendMessage(JSONRPCMessage message) {
        return Mono.fromRunnable(() -> {
            if (!outbox.tryPut(message)) {
                throw new IllegalStateException("it takes no more messages");
            }
        });
    }

    @Override
    public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
        return WireJson.MAPPER.convertValue(data, type);
    }

    @Override
    public Mono<Void> closeGracefully() {
        return Mono.fromRunnable(this::end);
    }

    /**
     * Closes the server's input, on which it should exit, then terminates its process tree. Returns
     * within seconds.
     */
    void end() {
        if (closing) {
            return;
        }
        closing = true;
        outbox.close();
        // Closing may block behind a write to a full pipe.
        Threads.daemon("mcp-close-" + name, this::closeInput).start();
        if (!awaitExit(FAREWELL)) {
            process.kill(Signal.TERM);
            if (!awaitExit(FAREWELL)) {
                process.kill(Signal.KILL);
            }
        }
    }

    private void closeInput() {
        try {
            process.stdin().close();
        } catch (IOException gone) {
            LOG.log(Level.DEBUG, name + " has closed its input already", gone);
        }
    }

    private boolean awaitExit(Duration longest) {
        CompletableFuture<?> exit = process.onExit().toCompletableFuture();
        try {
            exit.get(longest.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException lost) {
            return true;
        } catch (TimeoutException late) {
            return false;
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
