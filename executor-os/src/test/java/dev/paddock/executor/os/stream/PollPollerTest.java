package dev.paddock.executor.os.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.os.posix.Descriptors;
import dev.paddock.executor.os.posix.NativeFault;
import dev.paddock.executor.os.posix.Posix;
import dev.paddock.executor.os.posix.Transfer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the poller that runs on every POSIX system. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PollPollerTest {
    private final Posix posix = Posix.instance().orElseThrow();
    private final Descriptors descriptors = posix.descriptors();
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final List<Integer> open = new ArrayList<>();
    private final PollPoller poller;

    PollPollerTest() throws NativeFault {
        poller = new PollPoller(posix, "poll-test");
    }

    @AfterEach
    void close() {
        poller.close();
        open.forEach(descriptors::close);
    }

    private Descriptors.Pipe pipe() throws NativeFault {
        Descriptors.Pipe pipe = descriptors.pipe();
        open.addAll(List.of(pipe.readEnd(), pipe.writeEnd()));
        return pipe;
    }

    private void write(Descriptors.Pipe pipe) {
        try (Transfer transfer = Transfer.borrow(posix.c())) {
            assertThat(transfer.write(pipe.writeEnd(), new byte[1], 0, 1)).isEqualTo(1);
        }
    }

    private void watch(Descriptors.Pipe pipe, String name) throws NativeFault {
        Poller.Watch unused = poller.watch(pipe.readEnd(), Poller.Readiness.READABLE, () -> events.add(name));
    }

    private String next() throws InterruptedException {
        return String.valueOf(events.poll(30, TimeUnit.SECONDS));
    }

    @Test
    void callsBackOnceAndOnlyForReadyDescriptor() throws Exception {
        Descriptors.Pipe one = pipe();
        Descriptors.Pipe other = pipe();
        watch(one, "one");
        watch(other, "other");
        write(other);
        assertThat(next()).isEqualTo("other");
        write(other); // not watched any more, though it stays readable
        write(one);
        assertThat(next()).isEqualTo("one");
        watch(other, "other again");
        assertThat(next()).isEqualTo("other again");
        assertThat(events).isEmpty();
    }

    @Test
    void callsBackAtEndAndWhenWritable() throws Exception {
        Descriptors.Pipe pipe = pipe();
        Poller.Watch unused = poller.watch(pipe.writeEnd(), Poller.Readiness.WRITABLE, () -> events.add("writable"));
        assertThat(next()).isEqualTo("writable");
        watch(pipe, "end");
        open.removeIf(descriptor -> descriptor == pipe.writeEnd());
        descriptors.close(pipe.writeEnd());
        assertThat(next()).isEqualTo("end");
    }

    @Test
    void closedWatchReceivesNoCallback() throws Exception {
        Descriptors.Pipe forgotten = pipe();
        Descriptors.Pipe pipe = pipe();
        poller.watch(forgotten.readEnd(), Poller.Readiness.READABLE, () -> events.add("forgotten"))
                .close();
        watch(pipe, "pipe");
        write(forgotten);
        write(pipe);
        assertThat(next()).isEqualTo("pipe");
        assertThat(events).isEmpty();
    }

    @Test
    void callbackThatThrowsDoesNotStopOthers() throws Exception {
        Descriptors.Pipe faulty = pipe();
        Descriptors.Pipe pipe = pipe();
        Poller.Watch unused = poller.watch(faulty.readEnd(), Poller.Readiness.READABLE, () -> {
            events.add("faulty");
            throw new IllegalStateException("for a test");
        });
        write(faulty);
        assertThat(next()).isEqualTo("faulty");
        watch(pipe, "pipe");
        write(pipe);
        assertThat(next()).isEqualTo("pipe");
    }
}
