package dev.paddock.harness;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.ExecutorDisposedException;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ForwardingExecutor;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SpawnOptions;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A session's view of an executor that several sessions share. Disposing of the view ends only the commands started
 * through it.
 */
final class BorrowedExecutor extends ForwardingExecutor {
    /** The longest wait of {@link #dispose}: the limit that an executor's own disposal has. */
    private static final long MAX_SECONDS = 10;

    private final AbortController ending = new AbortController();
    private final Set<Live> live = ConcurrentHashMap.newKeySet();

    private static final class Live {
        private final CompletableFuture<Boolean> closed = new CompletableFuture<>();
    }

    BorrowedExecutor(CommandExecutor lent) {
        super(lent);
    }

    @Override
    public ProcessLike spawn(String command, SpawnOptions options) {
        requireOpen();
        Live one = begin();
        ProcessLike process;
        try {
            process = super.spawn(
                    command, options.toBuilder().signal(either(options)).build());
        } catch (RuntimeException | Error fault) {
            end(one);
            throw fault;
        }
        var unused = process.onClosed().whenComplete((report, fault) -> end(one));
        return process;
    }

    /** Calls the executor's own {@code run}, which may override the default on {@link #spawn}. */
    @Override
    public CommandResult run(String command, RunOptions options) throws InterruptedException {
        requireOpen();
        Live one = begin();
        try {
            CommandResult result = delegate().run(command, options.signal(either(options.spawnOptions())));
            var unused = result.closed().whenComplete((report, fault) -> end(one));
            return result;
        } catch (RuntimeException | Error | InterruptedException fault) {
            end(one);
            throw fault;
        }
    }

    private AbortSignal either(SpawnOptions options) {
        return AbortSignal.any(options.signal(), ending.signal());
    }

    private Live begin() {
        Live one = new Live();
        live.add(one);
        return one;
    }

    private void end(Live one) {
        live.remove(one);
        one.closed.complete(true);
    }

    private void requireOpen() {
        if (ending.signal().isAborted()) {
            throw new ExecutorDisposedException(name());
        }
    }

    @Override
    public boolean isDisposed() {
        return ending.signal().isAborted() || super.isDisposed();
    }

    @Override
    public void dispose() {
        ending.abort("the session is being closed");
        try {
            CompletableFuture.allOf(live.stream().map(one -> one.closed).toArray(CompletableFuture<?>[]::new))
                    .get(MAX_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            throw new ExecutorException("the " + name() + " executor, which is shared, has not ended " + live.size()
                    + " of this session's commands within " + MAX_SECONDS + " s; its own disposal ends them");
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
