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

    private final BwrapResources resources;
    private final Sandbox sandbox;
    private volatile Runnable unwatch = () -> {};

    BwrapSlot(BwrapResources resources, Sandbox sandbox, Map<String, String> env) {
        super(resources.supervisor(), resources.launcher().commands(), sandbox.outside(), env);
        this.resources = resources;
        this.sandbox = sandbox;
    }

    @Override
    public StatusMapper statusMapper() {
        return resources.limits().statusMapper();
    }

    @Override
    public ProcessLike release(CommandRequest request, SpawnOptions options) throws IOException {
        BwrapCommand command = new BwrapCommand(sandbox, super.release(request, options));
        unwatch = command.follow(resources.supervisor());
        return command;
    }

    @Override
    protected ProcessTree tree() {
        return sandbox;
    }

    @Override
    protected OutputStream stdin() {
        return sandbox.stdin();
    }

    @Override
    protected InputStream stderr() {
        return sandbox.stderr();
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
