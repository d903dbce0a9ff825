package dev.paddock.executor.remote.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.remote.ChannelFactory;
import dev.paddock.executor.remote.ShellChannel;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the lists of the remote side: those whose process was started ahead, and those that do not arrive. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RemoteListsTest {
    @TempDir
    Path directory;

    private final LocalFar programs = LocalFar.gnu();
    private final BlockingQueue<Channel> opened = new LinkedBlockingQueue<>();
    private final AtomicInteger lost = new AtomicInteger();

    @SuppressWarnings("NullAway.Init") // set before each test
    private Path here;

    @SuppressWarnings("NullAway.Init") // set before each test
    private Path there;

    @SuppressWarnings("NullAway.Init") // set before each test
    private WorktreeSync sync;

    @BeforeEach
    void synchronizeOnce() throws IOException {
        here = Files.createDirectory(directory.resolve("here"));
        there = directory.resolve("there");
        Files.writeString(here.resolve("file"), "first");
        ChannelFactory channels = new ChannelFactory() {
            @Override
            public ShellChannel open(List<String> argv) {
                Channel channel = new Channel(programs.open(argv), lost, new CountDownLatch(1));
                opened.add(channel);
                return channel;
            }

            @Override
            public boolean closesHalf() {
                return programs.closesHalf();
            }
        };
        sync = WorktreeSync.open(
                channels,
                new SyncDirectories(
                        here,
                        there.toString(),
                        directory.resolve("state").toString(),
                        Files.createDirectory(directory.resolve("staging")),
                        directory.resolve("kept")),
                (path, exists) -> true,
                AbortSignal.never());
        assertThat(sync.push(AbortSignal.never(), progress -> {}).notices()).isEmpty();
        assertThat(pull()).isEqualTo(SyncReport.NONE);
        opened.clear();
    }

    private SyncReport pull() {
        return sync.pull(AbortSignal.never(), progress -> {});
    }

    /** A process of the far side's, some of whose answers are lost after it has written them. */
    private record Channel(ShellChannel process, AtomicInteger lost, CountDownLatch closed) implements ShellChannel {
        @Override
        public OutputStream input() {
            return process.input();
        }

        @Override
        public void endInput() throws IOException {
            process.endInput();
        }

        @Override
        public void deliver(Output output) throws IOException {
            if (lost.getAndUpdate(left -> Math.max(0, left - 1)) == 0) {
                process.deliver(output);
            } else {
                process.deliver((stream, bytes, length) -> {});
                throw new IOException("cut");
            }
        }

        @Override
        public OptionalInt exitCode() {
            return process.exitCode();
        }

        @Override
        public SandboxLostException loss(String reason, Throwable cause) {
            return process.loss(reason, cause);
        }

        @Override
        public void close() {
            process.close();
            closed.countDown();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void pullUsesProcessThatWasStartedAheadAndListsTreeAsItIsThen(boolean halfCloses) throws Exception {
        if (!halfCloses) {
            programs.withoutHalfClose();
        }
        sync.expectPull();
        Channel waiting = opened.take();
        sync.expectPull();
        assertThat(pull()).isEqualTo(SyncReport.NONE);
        assertThat(waiting.closed().getCount()).isZero();
        assertThat(opened).isEmpty();

        sync.expectPull();
        Channel next = opened.take();
        Files.writeString(there.resolve("file"), "second");
        assertThat(pull().notices()).isEmpty();
        assertThat(next.closed().getCount()).isZero();
        assertThat(here.resolve("file")).hasContent("second");
    }

    @Test
    void processThatHasEndedMeanwhileIsReplaced() throws Exception {
        sync.expectPull();
        opened.take().close();
        Files.writeString(there.resolve("file"), "second");

        assertThat(pull().notices()).isEmpty();

        assertThat(here.resolve("file")).hasContent("second");
    }

    @Test
    void closingEndsProcessThatWaits() throws Exception {
        sync.expectPull();
        Channel waiting = opened.take();

        sync.close();

        assertThat(waiting.closed().await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void listThatIsLostOnceIsRequestedAgain() throws Exception {
        Files.writeString(there.resolve("file"), "second");
        lost.set(1);

        assertThat(pull().notices()).isEmpty();

        assertThat(here.resolve("file")).hasContent("second");
    }

    @Test
    void changesWhoseListWasLostAreFetchedByNextPull() throws Exception {
        Files.writeString(there.resolve("file"), "second");
        lost.set(2);
        assertThatExceptionOfType(ExecutorException.class).isThrownBy(this::pull);
        assertThat(here.resolve("file")).hasContent("first");

        assertThat(pull().notices()).isEmpty();

        assertThat(here.resolve("file")).hasContent("second");
    }

    @Test
    void changesWhoseListWasLostByProcessAheadAreFetchedBySamePull() throws Exception {
        sync.expectPull();
        opened.take();
        Files.writeString(there.resolve("file"), "second");
        lost.set(1);

        assertThat(pull().notices()).isEmpty();

        assertThat(here.resolve("file")).hasContent("second");
    }

    @Test
    void changesWhoseListWasLostByPushAreFetchedByNextPull() throws Exception {
        Files.writeString(there.resolve("file"), "second");
        Files.writeString(here.resolve("other"), "new");
        lost.set(2);
        assertThatExceptionOfType(ExecutorException.class)
                .isThrownBy(() -> sync.push(AbortSignal.never(), progress -> {}));
        Files.delete(here.resolve("other"));

        assertThat(pull().notices()).isEmpty();

        assertThat(here.resolve("file")).hasContent("second");
    }
}
