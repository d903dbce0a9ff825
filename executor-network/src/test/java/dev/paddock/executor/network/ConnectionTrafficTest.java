package dev.paddock.executor.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.paddock.executor.policy.HostRule;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the rules about idle connections, with a clock of its own, and about bytes. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("NullAway.Init") // set before each test
class ConnectionTrafficTest {
    private final AtomicLong now = new AtomicLong();
    private Duration step = Duration.ZERO;
    private boolean hostSpeaks;
    private SocketChannel command;
    private SocketChannel host;
    private SocketChannel commandsEnd;
    private SocketChannel hostsEnd;

    @BeforeEach
    void connect() throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            commandsEnd = SocketChannel.open(server.getLocalAddress());
            command = server.accept();
            host = SocketChannel.open(server.getLocalAddress());
            hostsEnd = server.accept();
        }
    }

    @AfterEach
    void close() throws IOException {
        for (SocketChannel channel : new SocketChannel[] {command, host, commandsEnd, hostsEnd}) {
            channel.close();
        }
    }

    /** Each look at the clock finds that a step has passed, in which the host may have sent a byte. */
    private long passing() {
        if (hostSpeaks && !step.isZero()) {
            try {
                hostsEnd.write(ByteBuffer.wrap(new byte[] {7}));
            } catch (IOException fault) {
                throw new IllegalStateException(fault);
            }
        }
        return now.addAndGet(step.toNanos());
    }

    private ConnectionTraffic traffic(String rule) throws IOException {
        ConnectionTraffic traffic = new ConnectionTraffic(
                new ConnectionTraffic.Timing(this::passing, 1), new ByteAllowance(HostRule.parse(rule)));
        traffic.opened(command, host);
        return traffic;
    }

    @Test
    void connectionIsIdleAfterHour() throws IOException {
        ConnectionTraffic traffic = traffic("example.org");
        InputStream in = traffic.fromHost(host);
        step = Duration.ofMinutes(31);
        assertThatThrownBy(in::read).isInstanceOf(IOException.class).hasMessage("it was idle for 60 minutes");
        assertThat(Duration.ofNanos(now.get())).as("noticed at the second look").isEqualTo(step.multipliedBy(2));
    }

    @Test
    void byteOfOtherSideKeepsConnection() throws IOException {
        ConnectionTraffic traffic = traffic("example.org");
        InputStream in = traffic.fromHost(host);
        step = Duration.ofMinutes(59);
        hostSpeaks = true;
        for (int hours = 0; hours < 5; hours++) {
            assertThat(in.read()).isEqualTo(7);
        }
    }

    @Test
    void halfClosedConnectionIsIdleAfterFiveMinutes() throws IOException {
        ConnectionTraffic traffic = traffic("example.org");
        traffic.halfClosed();
        InputStream in = traffic.fromHost(host);
        step = Duration.ofMinutes(6);
        assertThatThrownBy(in::read).hasMessage("it was idle for 5 minutes");
    }

    @Test
    void bytesOfRuleAreCountedInBothDirections() throws IOException {
        ConnectionTraffic traffic = traffic("example.org/100");
        OutputStream toHost = traffic.toHost(host);
        OutputStream toCommand = traffic.toCommand(command);
        toHost.write(new byte[60]);
        toCommand.write(new byte[40]);
        assertThatThrownBy(() -> toCommand.write(1))
                .isInstanceOf(ByteAllowance.UsedUpException.class)
                .hasMessage("the bytes that its rule 'example.org/100' allows are used up");
        assertThat(traffic.sent()).isEqualTo(60);
        assertThat(traffic.received()).isEqualTo(40);
        assertThatThrownBy(() -> toHost.write(1)).isInstanceOf(ByteAllowance.UsedUpException.class);
    }

    /** Sends many bytes and ends the output; returns the bytes. */
    private static byte[] sendMany(SocketChannel end) {
        byte[] sent = new byte[16 << 20];
        new Random(4711).nextBytes(sent);
        untilClosed(() -> {
            Channels.newOutputStream(end).write(sent);
            end.shutdownOutput();
        });
        return sent;
    }

    private static CompletableFuture<byte[]> receive(SocketChannel end, int length) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return Channels.newInputStream(end).readNBytes(length);
            } catch (IOException fault) {
                throw new UncheckedIOException(fault);
            }
        });
    }

    /** Returns as many buffers as are left. */
    private static List<BulkBuffer> borrowAll() {
        List<BulkBuffer> lent = new ArrayList<>();
        for (Optional<BulkBuffer> one = BulkBuffer.borrow(); one.isPresent(); one = BulkBuffer.borrow()) {
            lent.add(one.get());
        }
        return lent;
    }

    /** With all buffers lent, connections do without. */
    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void manyBytesArriveAsTheyWereSent(boolean isToHost, boolean areAllBuffersLent) throws Exception {
        ConnectionTraffic traffic = traffic("example.org");
        byte[] sent = sendMany(isToHost ? commandsEnd : hostsEnd);
        List<BulkBuffer> lent = areAllBuffersLent ? borrowAll() : List.of();
        try {
            CompletableFuture<byte[]> arrived = receive(isToHost ? hostsEnd : commandsEnd, sent.length);
            copy(traffic, isToHost);
            assertThat(Arrays.equals(arrived.get(1, TimeUnit.MINUTES), sent)).isTrue();
            assertThat(isToHost ? traffic.sent() : traffic.received()).isEqualTo(sent.length);
            assertThat(isToHost ? traffic.received() : traffic.sent()).isZero();
        } finally {
            lent.forEach(BulkBuffer::close);
        }
    }

    private void copy(ConnectionTraffic traffic, boolean isToHost) throws IOException {
        if (isToHost) {
            traffic.copyToHost(command, host);
        } else {
            traffic.copyToCommand(host, command);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void bytesThatNobodyReadsKeepOneBufferAtMost(boolean isToHost) throws Exception {
        ConnectionTraffic traffic = traffic("example.org");
        int left = BulkBuffer.left();
        untilClosed(() -> {
            OutputStream out = Channels.newOutputStream(isToHost ? commandsEnd : hostsEnd);
            while (true) {
                out.write(new byte[1 << 20]);
            }
        });
        Thread copying = untilClosed(() -> copy(traffic, isToHost));
        // It waits in the middle of a burst or, if the sender was slow, after one.
        await("a large part is passed on")
                .atMost(Duration.ofSeconds(30))
                .until(() -> (isToHost ? traffic.sent() : traffic.received()) > 1 << 20);
        assertThat(BulkBuffer.left()).isBetween(left - 1, left);
        (isToHost ? hostsEnd : commandsEnd).close();
        copying.join();
        assertThat(BulkBuffer.left()).isEqualTo(left);
    }

    /** Uses a channel. */
    private interface Use {
        void run() throws IOException;
    }

    private static Thread untilClosed(Use use) {
        return Thread.ofPlatform().daemon().start(() -> {
            try {
                use.run();
            } catch (IOException closed) {
                // the test's end
            }
        });
    }

    @Test
    void manyBytesEndWhereRulesAreUsedUp() throws IOException {
        ConnectionTraffic traffic = traffic("example.org/1m");
        sendMany(hostsEnd);
        CompletableFuture<byte[]> unused = receive(commandsEnd, Integer.MAX_VALUE);
        assertThatThrownBy(() -> traffic.copyToCommand(host, command))
                .isInstanceOf(ByteAllowance.UsedUpException.class);
        assertThat(traffic.received()).isPositive().isLessThanOrEqualTo(1 << 20);
    }
}
