package dev.paddock.executor.tck;

import dev.paddock.executor.tck.subject.HostNames;
import java.util.concurrent.CountDownLatch;

/** Names for executors that never ask for their addresses. */
public final class UnresolvedNames implements HostNames {
    @Override
    public String give(String label, String... addresses) {
        return label + ".names.paddock.example";
    }

    @Override
    public void delayUntil(String name, CountDownLatch event) {}
}
