package dev.paddock.executor.tck.clauses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.ExitStatus.Exited;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions.Stderr;
import dev.paddock.executor.SpawnOptions.Stdin;
import dev.paddock.executor.tck.context.Collector;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.Outcome;
import dev.paddock.executor.tck.context.Running;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** C5 and C6: a command's input and output. */
public interface StreamContract {
    int MIB = 1 << 20;

    /** Returns random bytes of all values, many of which are not valid UTF-8. */
    static byte[] randomBytes(int count) {
        byte[] bytes = new byte[count];
        new Random(count).nextBytes(bytes);
        return bytes;
    }

    @Test
    default void C5_emptyUnlessAskedFor(ContractContext context) throws Exception {
        Outcome outcome = context.run("if read x; then echo something; else echo end; fi");
        assertThat(outcome.succeeded()).isEqualTo("end\n");
    }

    @Test
    default void C5_closedAlreadyUnlessAskedFor(ContractContext context) throws Exception {
        Running command = context.start("read x || echo end");
        assertThatThrownBy(() -> {
                    command.process().stdin().write('x');
                    command.process().stdin().flush();
                })
                .isInstanceOf(IOException.class);
        assertThat(command.outcome().succeeded()).isEqualTo("end\n");
    }

    @Test
    default void C5_pipeIsExactAndHasEnd(ContractContext context) throws Exception {
        context.assumeTools("cat");
        byte[] input = randomBytes(3 * MIB);
        Running command = context.start("cat", context.options().stdin(Stdin.PIPE));
        try (OutputStream stdin = command.process().stdin()) {
            stdin.write(input);
        }
        Outcome outcome = command.outcome();
        assertThat(outcome.status()).isEqualTo(new Exited(0));
        assertThat(Arrays.equals(outcome.stdout(), input))
                .as("%d bytes came back of %d, the same", outcome.stdout().length, input.length)
                .isTrue();
    }

    @Test
    default void C5_whatIsWrittenArrivesBeforeEnd(ContractContext context) throws Exception {
        Running command = context.start(
                "while read x; do echo \"got $x\"; done; echo end",
                context.options().stdin(Stdin.PIPE));
        for (int i = 0; i < 3; i++) {
            command.type(i + "\n");
            command.awaitText("got " + i + "\n");
        }
        assertThat(command.hasExited()).as("exited before the end of its input").isFalse();
        command.process().stdin().close();
        assertThat(command.outcome().succeeded()).endsWith("end\n");
    }

    @Test
    default void C5_commandThatReadsNothingBreaksPipe(ContractContext context) throws Exception {
        Running command = context.start("exit 4", context.options().stdin(Stdin.PIPE));
        assertThat(command.status()).isEqualTo(new Exited(4));
        byte[] block = new byte[MIB];
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 64; i++) {
                        command.process().stdin().write(block);
                        command.process().stdin().flush();
                    }
                })
                .as("writing to a command that has ended")
                .isInstanceOf(IOException.class);
    }

    @Test
    default void C6_apart(ContractContext context) throws Exception {
        Outcome outcome = context.run("printf 1; printf a >&2; printf 2; printf b >&2");
        assertThat(outcome.out()).isEqualTo("12");
        assertThat(outcome.err()).isEqualTo("ab");
    }

    @Test
    default void C6_everyByteIsExact(ContractContext context) throws Exception {
        String escapes = IntStream.range(0, 256).mapToObj("\\%03o"::formatted).collect(Collectors.joining());
        byte[] expected = new byte[256];
        for (int i = 0; i < expected.length; i++) {
            expected[i] = (byte) i;
        }
        Outcome outcome = context.run("printf '" + escapes + "'; printf '" + escapes + "' >&2");
        assertThat(outcome.stdout()).as("stdout").isEqualTo(expected);
        assertThat(outcome.stderr()).as("stderr").isEqualTo(expected);
    }

    @Test
    default void C6_nothingIsLostAtEnd(ContractContext context) throws Exception {
        for (int i = 0; i < context.times(20); i++) {
            Outcome outcome = context.run("printf 'last words'; exit 1");
            assertThat(outcome.out()).as("stdout of run %d", i).isEqualTo("last words");
        }
    }

    @Test
    default void C6_outputIsKeptUntilItIsRead(ContractContext context) throws Exception {
        // As much as every pipe accepts at once (POSIX's minimum for PIPE_BUF): the command exits
        // before anything is read.
        String line = "x".repeat(511);
        ProcessLike process = context.spawn("echo " + line, context.options());
        Awaitility.await("the command ends before its output is read")
                .atMost(context.patience())
                .until(() -> process.onExit().toCompletableFuture().isDone());
        assertThat(process.stdout().readAllBytes()).hasSize(512);
    }

    @Test
    default void C6_mergedInWrittenOrder(ContractContext context) throws Exception {
        Outcome outcome = context.run(
                "i=0; while [ $i -lt 500 ]; do echo o$i; echo e$i >&2; i=$((i+1)); done; sh -c 'echo last >&2' || :",
                context.options().stderr(Stderr.MERGED));
        String expected = IntStream.range(0, 500)
                .mapToObj(i -> "o" + i + "\ne" + i + "\n")
                .collect(Collectors.joining());
        assertThat(outcome.out()).isEqualTo(expected + "last\n");
        assertThat(outcome.stderr()).as("stderr").isEmpty();
    }

    @Test
    default void C6_bothStreamsAtOnce(ContractContext context) throws Exception {
        context.assumeTools("cat");
        context.write("block", randomBytes(MIB / 2));
        Outcome outcome = context.run("for i in 1 2 3 4 5 6 7 8; do cat block & cat block >&2 & wait; done");
        assertThat(outcome.stdout()).hasSize(4 * MIB);
        assertThat(outcome.stderr()).hasSize(4 * MIB);
    }

    /** More than any window or buffer on the way, and than a length of 24 bits. */
    @Test
    @Order(1)
    default void C6_twentyMebibytesAreExact(ContractContext context) throws Exception {
        context.assumeTools("cat");
        byte[] block = randomBytes(MIB);
        context.write("block", block);
        ProcessLike process =
                context.spawn("i=0; while [ $i -lt 20 ]; do cat block; i=$((i+1)); done", context.options());
        new Collector("stderr", process.stderr());
        for (int i = 0; i < 20; i++) {
            assertThat(Arrays.equals(process.stdout().readNBytes(MIB), block))
                    .as("MiB number %d is exact", i)
                    .isTrue();
        }
        assertThat(process.stdout().read()).as("end of the stream").isEqualTo(-1);
    }

    @Test
    default void C6_readerThatStopsHoldsWriter(ContractContext context) throws Exception {
        int blockBytes = 16 << 10;
        int blocks = (int) (context.transportBytes() / 4 * 5 / blockBytes);
        ProcessLike process = context.spawn(
                "exec 8>progress; block=" + "x".repeat(blockBytes) + "; i=0; while [ $i -lt " + blocks
                        + " ]; do printf %s \"$block\"; printf . >&8; i=$((i+1)); done",
                context.options());
        long held = awaitStandstill("progress", context);
        assertThat(held * blockBytes)
                .as("bytes that the command could write while nobody read")
                .isLessThan(context.transportBytes());
        assertThat(context.run("echo another works").succeeded()).isEqualTo("another works\n");
        assertThat(countBytes(process.stdout())).as("bytes after all").isEqualTo((long) blocks * blockBytes);
    }

    /** Waits until a file has grown, and then stopped growing for a while. */
    private static long awaitStandstill(String progress, ContractContext context) {
        long[] last = {0, System.nanoTime()};
        Awaitility.await("the writer stops because the pipe is full")
                .atMost(context.patience())
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptionsMatching(fault -> fault instanceof IOException)
                .until(() -> {
                    long size = context.read(progress).length;
                    if (size != last[0]) {
                        last[0] = size;
                        last[1] = System.nanoTime();
                    }
                    return size > 0
                            && System.nanoTime() - last[1]
                                    > Duration.ofMillis(700).toNanos();
                });
        return last[0];
    }

    private static long countBytes(InputStream stream) throws IOException {
        long total = 0;
        byte[] buffer = new byte[1 << 16];
        for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
            total += count;
        }
        return total;
    }

    @Test
    default void C6_closedReaderBreaksPipe(ContractContext context) throws Exception {
        ProcessLike process = context.spawn("while echo y; do :; done 2>/dev/null", context.options());
        new Collector("stderr", process.stderr());
        process.stdout().read();
        process.stdout().close();
        Awaitility.await("the command ends when it writes to a pipe that is closed")
                .atMost(context.patience())
                .until(() -> process.onExit().toCompletableFuture().isDone());
    }
}
