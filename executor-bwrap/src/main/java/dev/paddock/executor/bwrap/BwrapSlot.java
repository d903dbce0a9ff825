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
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A bubblewrap sandbox that is set up and waits for its command. */
final class BwrapSlot extends SupervisedSlot {
    private final BwrapResources resources;
    private final BwrapTree sandbox;
    private volatile Runnable unwatch = () -> {};

    BwrapSlot(BwrapResources resources, BwrapTree sandbox, Map<String, String> env) {
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
        CompletableFuture<Boolean> mainEnd = new CompletableFuture<>();
        Optional<Runnable> watch = resources.supervisor().whenEnded(sandbox.main(), () -> mainEnd.complete(true));
        if (watch.isPresent()) {
            unwatch = watch.get();
            sandbox.keepOthers(); // first, since the command may end at once
        }
        BwrapCommand command = new BwrapCommand(sandbox, super.release(request, options));
        command.follow(mainEnd);
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
    public CompletionStage<?> onEnd() {
        return sandbox.onEnd();
    }

    @Override
    public String describe() {
        return sandbox.describe();
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
        CompletableFuture<Void> unused = sandbox.onEnd().thenRun(sandbox::close);
    }
}
