package dev.paddock.executor.landlock;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.landlock.kernel.LandlockKernel;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.supervise.HostSweep;
import dev.paddock.executor.sandbox.cgroup.ControlGroups;
import dev.paddock.executor.sandbox.spawn.SandboxSweep;
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
 * Provides Landlock as the backend {@code "landlock"}. {@code auto} chooses it where bubblewrap
 * cannot be used.
 *
 * <p>Settings: {@code shell}, the absolute path of the commands' shell; {@code quarantine}, the
 * directory for files that commands add at protected paths.
 */
public final class LandlockProvider implements ExecutorProvider {
    private static final int AUTO_PRIORITY = 200;
    private static final long PROBE_SECONDS = 4;

    private static final String SHELL = "shell";
    private static final String QUARANTINE = "quarantine";

    /** Creates the provider. The service loader calls it. */
    public LandlockProvider() {}

    @Override
    public String name() {
        return LandlockExecutor.NAME;
    }

    @Override
    public OptionalInt autoPriority(Map<String, String> settings) {
        return List.of(SHELL, QUARANTINE).containsAll(settings.keySet())
                ? OptionalInt.of(AUTO_PRIORITY)
                : OptionalInt.empty();
    }

    @Override
    public Availability probe() {
        try {
            Path directory = Files.createTempDirectory("paddock-probe-");
            try (LandlockExecutor executor =
                    LandlockExecutor.builder().worktree(directory).warmSlots(0).build()) {
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
                    "a confined command could not be run: " + fault.getMessage(), "Use another backend.", true);
        }
    }

    private static Availability tryOut(LandlockExecutor executor, Path directory) {
        try {
            ExitStatus status = executor.spawn("true", SpawnOptions.in(directory.toString()))
                    .onExit()
                    .toCompletableFuture()
                    .get(PROBE_SECONDS, TimeUnit.SECONDS);
            if (!status.success()) {
                return new Availability.Unusable(
                        "a confined 'true' ended with " + status.code(), "Use another backend.");
            }
            return new Availability.Usable(
                    "Landlock " + LandlockKernel.find().orElseThrow().version() + ", Linux "
                            + System.getProperty("os.version"),
                    executor.guarantees());
        } catch (ExecutionException | TimeoutException fault) {
            return new Availability.Unusable(
                    "a confined 'true' did not end: " + fault, "Try again, or use another backend.", true);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new Availability.Unusable("the probe was interrupted", "Try again.", true);
        }
    }

    @Override
    public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
        settings.keySet().stream()
                .filter(name -> !List.of(SHELL, QUARANTINE).contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw new IllegalArgumentException("the landlock backend has no setting '" + name + "', only '"
                            + SHELL + "' and '" + QUARANTINE + "'");
                });
        LandlockExecutor.Builder builder = LandlockExecutor.builder().policy(policy);
        if (settings.containsKey(SHELL)) {
            builder.shell(settings.getOrDefault(SHELL, ""));
        }
        if (settings.containsKey(QUARANTINE)) {
            builder.quarantine(Path.of(settings.getOrDefault(QUARANTINE, "")));
        }
        return builder.build();
    }

    @Override
    public List<Path> accept(Path path) {
        return Journals.accept(path);
    }

    @Override
    public List<String> sweep() {
        List<String> done = new ArrayList<>(HostSweep.run());
        done.addAll(SandboxSweep.run(LandlockExecutor.NAME, ControlGroups.detect()));
        return done;
    }
}
