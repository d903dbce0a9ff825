package dev.paddock.harness.tools.web;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.net.AddressKind;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a name server that does not answer. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NameLookupTest {
    private static final String URL = "http://silent.invalid/";

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);

    @AfterEach
    void answer() {
        over.countDown();
    }

    private PageRequest request(WebAccess access, AbortSignal signal) {
        Destination.Resolver silent = host -> {
            asked.countDown();
            try {
                over.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            return new InetAddress[] {InetAddress.getLoopbackAddress()};
        };
        return new PageRequest(access, Destination.Gate.everyHost(access, silent, AddressKind::isPublic), signal);
    }

    @Test
    void lookUpEndsAtTimeoutOfFetch() {
        WebAccess hasty = WebAccess.standard().withTimeout(Duration.ofMillis(300));
        assertThatThrownBy(() -> request(hasty, AbortSignal.never()).fetch(URL))
                .isInstanceOf(WebProblem.class)
                .hasMessage("the host of " + URL + " has not been looked up within 0.3 s");
    }

    @Test
    void abortEndsLookUp() throws Exception {
        AbortController abort = new AbortController();
        CompletableFuture<PageRequest.Answer> fetching = CompletableFuture.supplyAsync(
                () -> request(WebAccess.standard(), abort.signal()).fetch(URL));
        asked.await();
        abort.abort();
        assertThatThrownBy(() -> fetching.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(AbortedException.class);
    }
}
