package dev.paddock.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AbortSignalTest {
    private final AbortController controller = new AbortController();
    private final List<String> ran = new ArrayList<>();

    @Test
    void isAbortedOnceAndStaysAborted() {
        assertThat(controller.signal().isAborted()).isFalse();
        assertThat(controller.signal().reason()).isEmpty();
        assertThatCode(controller.signal()::throwIfAborted).doesNotThrowAnyException();
        controller.abort("first");
        controller.abort("second");
        assertThat(controller.signal().isAborted()).isTrue();
        assertThat(controller.signal().reason()).hasValue("first");
        assertThatThrownBy(controller.signal()::throwIfAborted)
                .isInstanceOf(AbortedException.class)
                .hasMessageContaining("first");
    }

    @Test
    void runsListenersInOrderAndOnce() {
        controller.signal().onAbort(() -> ran.add("one"));
        controller.signal().onAbort(() -> ran.add("two"));
        controller.abort();
        controller.abort();
        assertThat(ran).containsExactly("one", "two");
        assertThat(controller.signal().reason()).hasValue("aborted");
    }

    @Test
    void runsLateListenerAtOnce() {
        controller.abort();
        controller.signal().onAbort(() -> ran.add("late"));
        assertThat(ran).containsExactly("late");
    }

    @Test
    void doesNotRunListenerThatHasLeft() {
        AbortSignal.Registration registration = controller.signal().onAbort(() -> ran.add("left"));
        registration.close();
        registration.close();
        controller.abort();
        registration.close();
        assertThat(ran).isEmpty();
    }

    @Test
    void takesSameListenerTwiceAndForgetsItOnce() {
        Runnable listener = () -> ran.add("same");
        AbortSignal.Registration first = controller.signal().onAbort(listener);
        controller.signal().onAbort(listener);
        first.close();
        controller.abort();
        assertThat(ran).containsExactly("same");
    }

    @Test
    void runsOthersAfterListenerThatThrows() {
        controller.signal().onAbort(() -> {
            throw new IllegalStateException("expected by the test");
        });
        controller.signal().onAbort(() -> ran.add("next"));
        controller.abort();
        assertThat(ran).containsExactly("next");
    }

    @Test
    void letsListenerAddAndRemoveOthers() {
        AbortSignal.Registration other = controller.signal().onAbort(() -> ran.add("other"));
        controller.signal().onAbort(() -> {
            other.close();
            controller.signal().onAbort(() -> ran.add("added"));
        });
        controller.abort();
        assertThat(ran).contains("other", "added");
    }

    @Test
    void runsEachListenerOnceIfSeveralThreadsAbort() throws Exception {
        for (int round = 0; round < 200; round++) {
            AbortController raced = new AbortController();
            AtomicInteger count = new AtomicInteger();
            CountDownLatch together = new CountDownLatch(3);
            Callable<Boolean> abort = () -> {
                together.countDown();
                together.await();
                raced.abort();
                return true;
            };
            Callable<Boolean> listen = () -> {
                together.countDown();
                together.await();
                raced.signal().onAbort(count::incrementAndGet);
                return true;
            };
            try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
                for (Future<Boolean> each : threads.invokeAll(List.of(abort, abort, listen))) {
                    each.get(30, TimeUnit.SECONDS);
                }
            }
            assertThat(count).hasValue(1);
        }
    }

    @Test
    void neverIsNeverAborted() {
        assertThat(AbortSignal.never().isAborted()).isFalse();
        AbortSignal.never().onAbort(() -> ran.add("never")).close();
        assertThat(AbortSignal.never()).isSameAs(AbortSignal.any());
        assertThat(ran).isEmpty();
    }

    @Test
    void anyIsAbortedByFirst() {
        AbortController other = new AbortController();
        AbortSignal any = AbortSignal.any(controller.signal(), other.signal());
        any.onAbort(() -> ran.add("any"));
        assertThat(any.isAborted()).isFalse();
        other.abort("the other");
        controller.abort("too late");
        assertThat(ran).containsExactly("any");
        // Both are aborted by now: the reason is that of the first in the list.
        assertThat(any.reason()).hasValue("too late");
    }

    @Test
    void anyOfAbortedOneRunsListenerOnce() {
        AbortController other = new AbortController();
        controller.abort("before");
        other.abort("before");
        AbortSignal any = AbortSignal.any(controller.signal(), other.signal());
        any.onAbort(() -> ran.add("any"));
        assertThat(ran).containsExactly("any");
        assertThat(any.reason()).hasValue("before");
    }

    @Test
    void anyLeavesNothingBehindAtItsSources() {
        CountingSource source = new CountingSource();
        AbortSignal any = AbortSignal.any(source, controller.signal());
        assertThat(source.listeners).as("before anybody listens").isZero();
        AbortSignal.Registration registration = any.onAbort(() -> ran.add("any"));
        assertThat(source.listeners).isEqualTo(1);
        registration.close();
        registration.close();
        assertThat(source.listeners).as("after the last listener left").isZero();
    }

    @Test
    void timeoutAbortsItself() throws Exception {
        AbortSignal timeout = AbortSignal.timeout(Duration.ofMillis(20));
        CountDownLatch aborted = new CountDownLatch(1);
        timeout.onAbort(aborted::countDown);
        assertThat(aborted.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(timeout.reason()).hasValue("timed out after 0.02 s");
    }

    @Test
    void timeoutOfZeroIsAborted() {
        assertThat(AbortSignal.timeout(Duration.ZERO).isAborted()).isTrue();
    }

    @Test
    void longTimeoutDoesNotOverflow() {
        assertThat(AbortSignal.timeout(Duration.ofDays(365 * 1000L)).isAborted())
                .isFalse();
    }

    @Test
    void negativeTimeoutIsRefused() {
        assertThatThrownBy(() -> AbortSignal.timeout(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT-0.001S");
    }

    /** A signal that is never aborted and counts its listeners. */
    private static final class CountingSource implements AbortSignal {
        private int listeners;

        @Override
        public Optional<String> reason() {
            return Optional.empty();
        }

        @Override
        public Registration onAbort(Runnable listener) {
            listeners++;
            boolean[] gone = {false};
            return () -> {
                listeners -= gone[0] ? 0 : 1;
                gone[0] = true;
            };
        }
    }
}
