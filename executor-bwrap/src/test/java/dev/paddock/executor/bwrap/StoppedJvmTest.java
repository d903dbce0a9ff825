package dev.paddock.executor.bwrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.tck.subject.HostSignals;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Stops the JVM that relays a command's connection, and continues it. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StoppedJvmTest {
    private static final int BLOCK = 1 << 16;
    private static final int BLOCKS = 1 << 9;

    @TempDir
    Path directory;

    @Test
    void connectionGoesOnWithoutLossWhenItsJvmContinues() throws Exception {
        Path worktree = Files.createDirectory(directory.toRealPath().resolve("tree"));
        byte[] block = new byte[BLOCK];
        new Random(1).nextBytes(block);
        long sum = 0;
        for (byte one : block) {
            sum += one & 0xff;
        }
        AtomicLong written = new AtomicLong();
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            Process jvm = start(server.getLocalPort(), worktree);
            try (Socket client = server.accept()) {
                client.getOutputStream().write(block);
                written.addAndGet(BLOCK);
                assertThat(HostSignals.send("STOP", jvm.pid())).isTrue();
                Thread writer = Thread.ofVirtual().start(() -> write(client, block, written));
                AtomicLong before = new AtomicLong(-1);
                Awaitility.await("nobody takes the bytes")
                        .atMost(Duration.ofSeconds(30))
                        .pollInterval(500, TimeUnit.MILLISECONDS)
                        .until(() -> before.getAndSet(written.get()) == written.get());
                assertThat(written).hasValueLessThan((long) BLOCK * BLOCKS);
                assertThat(HostSignals.send("CONT", jvm.pid())).isTrue();
                writer.join();
                client.shutdownOutput();
                assertThat(new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                        .isEqualTo((long) BLOCK * BLOCKS + " " + sum * BLOCKS % (1L << 32));
            } finally {
                jvm.destroyForcibly().onExit().join();
            }
        }
    }

    private Process start(int port, Path worktree) throws IOException {
        String classPath = Stream.of("java.class.path", "jdk.module.path")
                .map(name -> System.getProperty(name, ""))
                .filter(path -> !path.isEmpty())
                .collect(Collectors.joining(File.pathSeparator));
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        classPath,
                        RelayProgram.class.getName(),
                        Integer.toString(port),
                        worktree.toString(),
                        directory.resolve("quarantine").toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void write(Socket client, byte[] block, AtomicLong written) {
        try {
            while (written.get() < (long) BLOCK * BLOCKS) {
                client.getOutputStream().write(block);
                written.addAndGet(BLOCK);
            }
        } catch (IOException ended) {
            // The count shows it.
        }
    }
}
