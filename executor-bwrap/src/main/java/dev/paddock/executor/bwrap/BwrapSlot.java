package dev.paddock.executor.bwrap;

import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.process.supervise.ProcessTree;
import dev.paddock.executor.process.warm.CommandRequest;
import dev.paddock.executor.sandbox.spawn.StatusMapper;
import dev.paddock.executor.sandbox.spawn.SupervisedSlot;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Map;

/** A bubblewrap sandbox that is set up and waits for its command. */
final class BwrapSlot extends SupervisedSlot {
    /** How long to wait for the sandbox's processes to exit after the first of them was killed. */
    private static final Duration DYING = Duration.ofSeconds(3);

    /** The same for a discarded sandbox, of which nothing is reported. */
    private static final Duration DISCARDING = Duration.ofSeconds(2);

    private static final int KILLED = 128 + Signal.KILL.number();

    private final BwrapResources site;
    private final Sandbox sandbox;
    private volatile Runnable unwatch = () -> {};

    BwrapSlot(BwrapResources site, Sandbox sandbox, Map<String, String> env) {
        super(site.supervisor(), site.launcher().starter(), sandbox.outside(), env);
        this.site = site;
        this.sandbox = sandbox;
    }

    @Override
    public StatusMapper statusMapper() {
        CommandLimits limits = site.confinement();
        long oomKills = limits.oomKills();
        return status -> status.code() == KILLED ? limits.outOfMemory(oomKills).orElse(status) : status;
    }

    @Override
    public ProcessLike release(CommandRequest request, SpawnOptions options) throws IOException {
        BwrapCommand command = new BwrapCommand(sandbox, super.release(request, options));
        unwatch = command.follow(site.supervisor());
        return command;
    }

    @Override
    protected ProcessTree tree() {
        return sandbox;
    }

    @Override
    protected OutputStream stdin() {
        return sandbox.outside().to(SandboxLauncher.STDIN);
    }

    @Override
    protected InputStream stderr() {
        return sandbox.outside().from(SandboxLauncher.STDERR);
    }

    @Override
    public boolean awaitEnd() {
        return sandbox.awaitEnd(DYING);
    }

    @Override
    public void close() {
        unwatch.run();
        sandbox.close();
    }

    @Override
    public void discard() {
        sandbox.signal(Signal.KILL);
        super.discard();
        sandbox.awaitEnd(DISCARDING);
        sandbox.close();
    }
}
