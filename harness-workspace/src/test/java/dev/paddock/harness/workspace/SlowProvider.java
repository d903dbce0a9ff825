package dev.paddock.harness.workspace;

import dev.paddock.harness.workspace.provider.Capability;
import dev.paddock.harness.workspace.provider.Workspace;
import dev.paddock.harness.workspace.provider.WorkspaceConfig;
import dev.paddock.harness.workspace.provider.WorkspaceProvider;
import dev.paddock.harness.workspace.provider.WorkspaceRef;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A provider whose opens wait until some of them are in progress. */
class SlowProvider implements WorkspaceProvider {
    private final WorkspaceProvider real;
    private final CountDownLatch together;
    private final AtomicInteger now = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    SlowProvider(WorkspaceProvider real, int together) {
        this.real = real;
        this.together = new CountDownLatch(together);
    }

    @Override
    public String kind() {
        return real.kind();
    }

    @Override
    public Set<Capability> capabilities() {
        return real.capabilities();
    }

    @Override
    public Workspace open(WorkspaceConfig config) {
        most.accumulateAndGet(now.incrementAndGet(), Math::max);
        together.countDown();
        try {
            together.await();
            return real.open(config);
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        } finally {
            now.decrementAndGet();
        }
    }

    @Override
    public Workspace resolve(WorkspaceRef ref) {
        return real.resolve(ref);
    }

    @Override
    public void remove(WorkspaceRef ref) {
        real.remove(ref);
    }

    /** Returns how many opens are in progress. */
    int now() {
        return now.get();
    }

    /** Counts as one more open in progress. */
    void letOpen() {
        together.countDown();
    }

    /** Returns how many opens were in progress at a time, at most. */
    int most() {
        return most.get();
    }
}
