package dev.paddock.harness.acp;

import com.agentclientprotocol.sdk.json.AcpJsonMapper;
import com.agentclientprotocol.sdk.json.TypeRef;
import com.agentclientprotocol.sdk.spec.AcpClientTransport;
import com.agentclientprotocol.sdk.spec.AcpSchema;
import com.agentclientprotocol.sdk.spec.AcpSchema.JSONRPCMessage;
import dev.paddock.harness.mcp.wire.Threads;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** Connects an editor of the tests to a server in this JVM, over a pair of operating system pipes. */
final class PipeTransport implements AcpClientTransport {
    private static final AcpJsonMapper JSON = AcpJsonMapper.createDefault();

    private final AcpServer server;
    private final OutputStream toServer;
    private final Pipe.SourceChannel answered;
    private final BufferedReader fromServer;
    /** In the order of the lines, which the client's own consumer does not keep. */
    private final List<AcpSchema.SessionNotification> updates;

    private final CompletableFuture<Void> served = new CompletableFuture<>();

    PipeTransport(AcpServer server, List<AcpSchema.SessionNotification> updates) throws IOException {
        this.server = server;
        this.updates = updates;
        Pipe requests = Pipe.open();
        Pipe answers = Pipe.open();
        toServer = Channels.newOutputStream(requests.sink());
        answered = answers.source();
        fromServer = new BufferedReader(Channels.newReader(answers.source(), StandardCharsets.UTF_8));
        InputStream input = Channels.newInputStream(requests.source());
        OutputStream output = Channels.newOutputStream(answers.sink());
        Threads.daemon("test-server", () -> {
                    try {
                        server.serve(input, output);
                        served.complete(null);
                    } catch (RuntimeException | Error fault) {
                        served.completeExceptionally(fault);
                    }
                })
                .start();
    }

    synchronized void line(String line) {
        try {
            toServer.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            toServer.flush();
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    String next() throws IOException {
        return String.valueOf(fromServer.readLine());
    }

    @Override
    public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
        return Mono.fromRunnable(
                () -> Threads.daemon("test-editor", () -> read(handler)).start());
    }

    private void read(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
        try {
            for (String line = fromServer.readLine(); line != null; line = fromServer.readLine()) {
                JSONRPCMessage message = AcpSchema.deserializeJsonRpcMessage(JSON, line);
                if (message instanceof AcpSchema.JSONRPCNotification update) {
                    updates.add(JSON.convertValue(update.params(), AcpSchema.SessionNotification.class));
                }
                handler.apply(Mono.just(message)).subscribe();
            }
        } catch (IOException closed) {
            return; // the test is over
        }
    }

    @Override
    public Mono<Void> sendMessage(JSONRPCMessage message) {
        return Mono.fromRunnable(() -> {
            try {
                line(JSON.writeValueAsString(message));
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        });
    }

    @Override
    public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
        return JSON.convertValue(data, type);
    }

    @Override
    public Mono<Void> closeGracefully() {
        return Mono.fromRunnable(this::die);
    }

    void awaitEnd() throws Exception {
        served.get(ServedEditor.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    /** Ends the server, which may still write. */
    void stop() {
        server.stop();
    }

    /** Closes the pipes without any message. */
    void die() {
        try {
            toServer.close();
            answered.close(); // the reader's own close would wait for its read
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }
}
