package dev.paddock.executor.docker.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.docker.engine.Engine;
import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What an engine's events mean, in the forms of old and new ones, of which a machine has one. The engine is
 * a socket that answers with them.
 */
class ContainerWatchTest {
    private static final String HEAD = "HTTP/1.1 200 OK\r\n\r\n";

    @TempDir
    Path directory;

    private final BlockingQueue<String> losses = new LinkedBlockingQueue<>();
    private ServerSocketChannel server;
    private Engine engine;

    @BeforeEach
    void listen() throws IOException {
        Path socket = directory.resolve("engine");
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket));
        engine = Engine.at("unix://" + socket);
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    /** Answers one request, and keeps the connection. */
    private Thread answer(String text) {
        return Thread.startVirtualThread(() -> {
            try (SocketChannel client = server.accept()) {
                ByteBuffer request = ByteBuffer.allocate(4096);
                client.read(request);
                client.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
                while (client.read(request.clear()) >= 0) {
                    // the watch closes the connection at its end
                }
            } catch (IOException ended) {
                // the watch has closed the connection
            }
        });
    }

    private String loss() throws InterruptedException {
        String loss = losses.poll(30, TimeUnit.SECONDS);
        assertThat(loss).as("a loss was reported").isNotNull();
        return loss;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"status":"die","id":"c","Type":"container","Action":"die"} | has ended
            {"Type":"container","Action":"die"}                         | has ended
            {"status":"die","id":"c"}                                   | has ended
            {"status":"died","Type":"container","Action":"died"}        | has ended
            {"status":"remove","Type":"container","Action":"remove"}    | was removed
            {"Type":"container","Action":"pause"}                       | was paused
            {"Type":"container","Action":"destroy"}                     | was removed
            {"Action":"oom"}{"Action":"die"}                            | killed for lack of memory
            """)
    void anEventOfTheContainersEndIsALoss(String events, String reason) throws Exception {
        Thread answering = answer(HEAD + events);
        try (Closeable watch = ContainerWatch.over(engine, "c", losses::add)) {
            assertThat(watch).isNotNull();
            assertThat(loss()).contains("the container 'c'", reason);
        }
        answering.join();
    }

    @Test
    void eventThatIsNoneOfTheseIsNone() throws Exception {
        Thread answering = answer(HEAD + "{\"Action\":\"top\"}{\"Action\":\"die\"}");
        try (Closeable watch = ContainerWatch.over(engine, "c", losses::add)) {
            assertThat(watch).isNotNull();
            assertThat(loss()).isEqualTo("the container 'c' has ended");
        }
        answering.join();
    }

    @Test
    void answerThatIsNoJsonIsLoss() throws Exception {
        Thread answering = answer(HEAD + "{nonsense}");
        try (Closeable watch = ContainerWatch.over(engine, "c", losses::add)) {
            assertThat(watch).isNotNull();
            assertThat(loss()).contains("the connection to the engine ended");
        }
        answering.join();
    }

    @Test
    void refusalIsLossWithEnginesWords() throws Exception {
        Thread answering = answer("HTTP/1.1 500 no\r\nContent-Length: 18\r\n\r\n{\"message\":\"broken\"");
        assertThatThrownBy(() -> ContainerWatch.over(engine, "c", losses::add))
                .isInstanceOf(SandboxLostException.class)
                .hasMessageContaining("refuses to report its events")
                .hasMessageContaining("broken");
        answering.join();
    }
}
