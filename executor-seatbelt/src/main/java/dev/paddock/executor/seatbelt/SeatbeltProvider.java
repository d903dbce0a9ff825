package dev.paddock.executor.seatbelt;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.supervise.HostSweep;
import dev.paddock.executor.sandbox.state.PrivateState;
import dev.paddock.executor.sandbox.worktree.Journals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Provides Seatbelt as the backend {@code "seatbelt"}. {@code auto} chooses it on macOS.
 *
 * <p>Settings: {@code shell}, the absolute path of the commands' shell; {@code quarantine}, the
 * directory for files that commands add at protected paths.
 */
public final class SeatbeltProvider implements ExecutorProvider {
    private static final int AUTO_PRIORITY = 300;
    private static final long PROBE_SECONDS = 4;

    private static final String SHELL = "shell";
    private static final String QUARANTINE = "quarantine";

    private final MacSandbox program;

    /** Creates the provider. The service loader calls it. */
    public SeatbeltProvider() {
        this(MacSandbox.OF_THIS_MACHINE);
    }

    SeatbeltProvider(MacSandbox program) {
        this.program = program;
    }

    @Override
    public String name() {
        return SeatbeltExecutor.NAME;
    }

    @Override
    public OptionalInt autoPriority(Map<String, String> settings) {
        boolean eligible = program.isMac() && List.of(SHELL, QUARANTINE).containsAll(settings.keySet());
        return eligible ? OptionalInt.of(AUTO_PRIORITY) : OptionalInt.empty();
    }

    @Override
    public Availability probe() {
        try {
            Path directory = Files.createTempDirectory("paddock-probe-");
            try (SeatbeltExecutor executor = SeatbeltExecutor.builder()
                    .worktree(directory)
                    .warmSlots(0)
                    .with(program)
                    .build()) {
                return tryOut(executor, directory);
            } finally {
                Files.deleteIfExists(directory);
            }
        } catch (SandboxUnavailableException unavailable) {
            return new Availability.Unusable(unavailable.reason(), unavailable.remedy(), unavailable.isTransient());
        } catch (IOException | UncheckedIOException fault) {
            return new Availability.Unusable(
                    "a directory for temporary files cannot be made: " + fault.getMessage(),
                    "Make java.io.tmpdir writable.",
                    true);
        } catch (ExecutorException fault) {
            return new Availability.Unusable(
                    "a confined command could not be run: " + fault.getMessage(), SeatbeltExecutor.REMEDY, true);
        }
    }

    /**
     * Runs a command that writes to a granted path and tries to write to another: a program that
     * confines nothing is no sandbox.
     */
    private static Availability tryOut(SeatbeltExecutor executor, Path directory) throws IOException {
        Path beside = directory.resolveSibling(directory.getFileName() + "-beside");
        try {
            ExitStatus status = executor.spawn(
                            ": > inside && rm inside && ! (: > '" + beside + "') 2>/dev/null",
                            SpawnOptions.in(directory.toString()))
                    .onExit()
                    .toCompletableFuture()
                    .get(PROBE_SECONDS, TimeUnit.SECONDS);
            if (Files.deleteIfExists(beside)) {
                return new Availability.Unusable(
                        "sandbox-exec confines nothing: a command wrote to '" + beside + "'", SeatbeltExecutor.REMEDY);
            }
            if (!status.success()) {
                return new Availability.Unusable(
                        "a confined command that writes a file ended with " + status.code(), SeatbeltExecutor.REMEDY);
            }
            return new Availability.Usable(
                    "sandbox-exec, macOS " + System.getProperty("os.version")
                            + "; not tried on macOS by its makers yet",
                    executor.guarantees());
        } catch (ExecutionException | TimeoutException fault) {
            return new Availability.Unusable(
                    "a confined command did not end: " + fault, "Try again, or use docker.", true);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new Availability.Unusable("the probe was interrupted", "Try again.", true);
        }
    }

    @Override
    public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
        SeatbeltExecutor.Builder builder =
                SeatbeltExecutor.builder().policy(policy).with(program);
        settings.forEach((name, value) -> {
            switch (name) {
                case SHELL -> builder.shell(value);
                case QUARANTINE -> builder.quarantine(Path.of(value));
                default ->
                    throw new IllegalArgumentException("the seatbelt backend has no setting '" + name + "', only '"
                            + SHELL + "' and '" + QUARANTINE + "'");
            }
        });
        return builder.build();
    }

    @Override
    public List<Path> accept(Path path) {
        return Journals.accept(path);
    }

    @Override
    public List<String> sweep() {
        List<String> done = new ArrayList<>(HostSweep.run());
        done.addAll(PrivateState.sweep(SeatbeltExecutor.NAME));
        return done;
    }
}
