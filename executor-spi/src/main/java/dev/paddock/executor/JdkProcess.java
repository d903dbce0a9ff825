package dev.paddock.executor;

import dev.paddock.executor.caller.CallerEnvironment;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Adapts a JDK process to {@link ProcessLike}, within the limits of the JDK. */
final class JdkProcess implements ProcessLike {
    private static final String NAME = "JDK";

    private final Process process;
    private final CompletableFuture<ExitStatus> exit;

    JdkProcess(Process process, SpawnOptions options) {
        this.process = process;
        options.refuseTerminal(NAME);
        options.refusePublishing(NAME);
        if (options.stdin() == SpawnOptions.Stdin.EMPTY) {
            closeStdin();
        }
        AbortSignal.Registration abort = options.signal().onAbort(() -> abort(options));
        this.exit = process.onExit().thenApply(ended -> {
            abort.close();
            return ExitStatus.ofShellCode(ended.exitValue());
        });
    }

    static JdkProcess start(ProcessBuilder builder, SpawnOptions options, Set<String> passed) {
        options.refuseTerminal(NAME);
        options.refusePublishing(NAME);
        options.signal().throwIfAborted();
        File directory = new File(options.cwd());
        if (!directory.isDirectory()) {
            throw new SpawnException("the working directory "
                    + (directory.exists() ? "is no directory" : "does not exist") + ": '" + options.cwd() + "'");
        }
        builder.directory(directory).redirectErrorStream(options.stderr() == SpawnOptions.Stderr.MERGED);
        Map<String, String> environment = builder.environment();
        CallerEnvironment.ofProcess().forEach((name, value) -> {
            if (!CallerEnvironment.isUsual(name) && !passed.contains(name)) {
                environment.remove(name, value); // one that the caller has set to another value stays
            }
        });
        environment.putAll(options.env());
        environment.put(CommandExecutor.MARKER, UUID.randomUUID().toString());
        try {
            return new JdkProcess(builder.start(), options);
        } catch (IOException | IllegalArgumentException fault) {
            throw new SpawnException(
                    "the program " + builder.command().get(0) + " could not be started: " + fault.getMessage(), fault);
        }
    }

    @Override
    public InputStream stdout() {
        return process.getInputStream();
    }

    @Override
    public InputStream stderr() {
        return process.getErrorStream();
    }

    @Override
    public OutputStream stdin() {
        return process.getOutputStream();
    }

    @Override
    public OptionalLong pid() {
        return OptionalLong.of(process.pid());
    }

    @Override
    public boolean kill(Signal signal) {
        if (!signal.equals(Signal.TERM) && !signal.equals(Signal.KILL)) {
            throw new UnsupportedOperationException("a JDK process can be sent SIGTERM and SIGKILL, not " + signal);
        }
        if (!process.isAlive()) {
            return false;
        }
        endAll(tree(), signal.equals(Signal.KILL));
        return true;
    }

    @Override
    public CompletionStage<ExitStatus> onExit() {
        return exit;
    }

    private void abort(SpawnOptions options) {
        // The descendants on the parent chain are only known while their parents live: the tree
        // that is recorded before TERM is still known at KILL.
        List<ProcessHandle> tree = tree();
        endAll(tree, false);
        long grace = options.killGrace().toNanos();
        CompletableFuture.delayedExecutor(grace, TimeUnit.NANOSECONDS).execute(() -> {
            endAll(tree, true);
            endAll(tree(), true);
        });
    }

    private List<ProcessHandle> tree() {
        return Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList();
    }

    private static void endAll(List<ProcessHandle> tree, boolean forcibly) {
        for (ProcessHandle member : tree) {
            if (forcibly) {
                member.destroyForcibly();
            } else {
                member.destroy();
            }
        }
    }

    private void closeStdin() {
        try {
            process.getOutputStream().close();
        } catch (IOException fault) {
            throw new UncheckedIOException(
                    "the standard input of process " + process.pid() + " could not be closed", fault);
        }
    }
}
