package dev.paddock.executor.remote.command;

import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.process.warm.CommandRequest;
import dev.paddock.executor.remote.shell.CommandId;
import dev.paddock.executor.remote.shell.Slot;
import dev.paddock.executor.sandbox.spawn.StartingSandbox;
import dev.paddock.executor.sandbox.spawn.StatusMapper;
import dev.paddock.executor.sandbox.spawn.WarmSlot;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A slot in a remote system, from its start to its one command. */
final class RemoteSlot implements StartingSandbox, WarmSlot {
    private final RemoteSystem remote;
    private final Slot slot;
    private Optional<RemoteCommand> command = Optional.empty();

    /**
     * Wraps a started slot.
     *
     * @param remote its connected system
     * @param slot may not have greeted yet
     */
    RemoteSlot(RemoteSystem remote, Slot slot) {
        this.remote = remote;
        this.slot = slot;
    }

    /** Waits for the slot's greeting, at most {@link CommandControl#ANSWER_TIMEOUT}. */
    @Override
    public WarmSlot await() throws IOException {
        remote.awaitGreeting(slot);
        return this;
    }

    @Override
    public boolean hasEnded() {
        return slot.hasEnded();
    }

    /** Maps nothing: the slot compares the kernel's counters inside the remote system. */
    @Override
    public StatusMapper statusMapper() {
        return StatusMapper.IDENTITY;
    }

    @Override
    public ProcessLike release(CommandRequest request, SpawnOptions options) throws IOException {
        RemoteCommand started = new RemoteCommand(remote, CommandId.random(), slot, options);
        command = Optional.of(started);
        remote.run(started, request);
        return started;
    }

    /**
     * Ends the slot. If it may have received a request, the control shell kills the command; this does not wait for it.
     */
    @Override
    public void discard() {
        command.ifPresentOrElse(remote::withdraw, slot::close);
    }

    @Override
    public CompletionStage<?> onEnd() {
        return command.<CompletionStage<?>>map(RemoteCommand::onTreeEnd)
                .orElseGet(() -> CompletableFuture.completedStage(true));
    }
}
