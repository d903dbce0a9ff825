package dev.paddock.executor.confined;

import dev.paddock.executor.Aftermath;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.Signal;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** A command whose status is looked at again, and whose end is followed by some more tidying. */
final class ConfinedCommand implements ProcessLike {
    private final ProcessLike process;
    private final CompletionStage<ExitStatus> exit;
    private final CompletionStage<Aftermath> settled;

    /**
     * Wraps a command.
     *
     * @param process the command's process
     * @param verdict makes of the process's status the command's
     * @param tidying runs once when the tree has ended; its sentences are added to the aftermath
     */
    ConfinedCommand(ProcessLike process, UnaryOperator<ExitStatus> verdict, Supplier<List<String>> tidying) {
        this.process = process;
        exit = process.onExit().thenApply(verdict);
        CompletionStage<Aftermath> tidied = process.onClosed().handle((aftermath, fault) -> {
            List<String> notices = tidying.get();
            return aftermath == null ? Aftermath.NONE : with(aftermath, notices);
        });
        settled = exit.thenCombine(tidied, (status, aftermath) -> aftermath);
    }

    private static Aftermath with(Aftermath aftermath, List<String> notices) {
        if (notices.isEmpty()) {
            return aftermath;
        }
        List<String> all = new ArrayList<>(aftermath.notices());
        all.addAll(notices);
        return new Aftermath(aftermath.leftoversEnded(), all);
    }

    @Override
    public InputStream stdout() {
        return process.stdout();
    }

    @Override
    public InputStream stderr() {
        return process.stderr();
    }

    @Override
    public OutputStream stdin() {
        return process.stdin();
    }

    @Override
    public OptionalLong pid() {
        return process.pid();
    }

    @Override
    public boolean kill(Signal signal) {
        return process.kill(signal);
    }

    @Override
    public CompletionStage<ExitStatus> onExit() {
        return exit;
    }

    @Override
    public CompletionStage<Aftermath> onClosed() {
        return settled;
    }
}
