package dev.paddock.executor.bwrap;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.launch.HelperCommand;
import dev.paddock.executor.sandbox.cgroup.ControlGroups;
import dev.paddock.executor.sandbox.spawn.SandboxSweep;
import dev.paddock.executor.sandbox.worktree.Journals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Provides bubblewrap as the backend {@code bwrap}. Settings: {@code program}, the bubblewrap to
 * use; {@code warmSlots}, the number of warm slots; {@code quarantine}, the directory that receives
 * files which commands have put at protected paths. See {@link BwrapExecutor.Builder} for their
 * defaults.
 */
public final class BwrapProvider implements ExecutorProvider {
    static final String NAME = "bwrap";

    private static final Set<String> SETTINGS = Set.of("program", "quarantine", "warmSlots");

    private static final int AUTO_PRIORITY = 100;
    private static final long PROBE_SECONDS = 5;

    /** Creates the provider. The service loader calls it. */
    public BwrapProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    /**
     * Returns no priority if the settings are another backend's: a user who names an image wants a
     * container.
     */
    @Override
    public OptionalInt autoPriority(Map<String, String> settings) {
        return SETTINGS.containsAll(settings.keySet()) ? OptionalInt.of(AUTO_PRIORITY) : OptionalInt.empty();
    }

    /** Runs a sandbox whose command does nothing. */
    @Override
    public Availability probe() {
        CompletableFuture<Availability> answer = new CompletableFuture<>();
        Thread.ofPlatform()
                .daemon()
                .inheritInheritableThreadLocals(false)
                .name("paddock-bwrap-probe")
                .start(() -> answer.complete(tryIt()));
        try {
            return answer.get(PROBE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            return new Availability.Unusable(
                    "a sandbox did not start within " + PROBE_SECONDS + " s",
                    "See whether 'bwrap --ro-bind / / true' hangs, or use another backend.",
                    true);
        } catch (ExecutionException fault) {
            return broken(fault);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return broken(stopped);
        }
    }

    private static Availability tryIt() {
        try {
            Path directory = Files.createTempDirectory("paddock-probe-");
            try (BwrapExecutor executor =
                    BwrapExecutor.builder().worktree(directory).warmSlots(0).build()) {
                ProcessLike nothing = executor.spawn(
                        "exit 0", SpawnOptions.in(directory.toRealPath().toString()));
                boolean success = nothing.onExit().toCompletableFuture().join().success();
                return success
                        ? new Availability.Usable(version(), executor.guarantees())
                        : new Availability.Unusable("a sandbox that does nothing failed", "Use another backend.");
            } finally {
                Files.delete(directory);
            }
        } catch (SandboxUnavailableException unavailable) {
            return new Availability.Unusable(unavailable.reason(), unavailable.remedy(), unavailable.isTransient());
        } catch (IOException | RuntimeException fault) {
            return broken(fault);
        }
    }

    private static Availability broken(Exception fault) {
        return new Availability.Unusable("a sandbox could not be tried: " + fault.getMessage(), "Use another backend.");
    }

    private static String version() {
        return HelperCommand.run(List.of("bwrap", "--version")).output().strip();
    }

    @Override
    public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
        BwrapExecutor.Builder builder = BwrapExecutor.builder().policy(policy);
        settings.forEach((name, value) -> {
            switch (name) {
                case "program" -> builder.program(Path.of(value));
                case "quarantine" -> builder.quarantine(Path.of(value));
                case "warmSlots" -> builder.warmSlots(number(value));
                default ->
                    throw new IllegalArgumentException("the bwrap backend has no setting '" + name
                            + "'; it has program, quarantine and warmSlots");
            }
        });
        return builder.build();
    }

    private static int number(String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException none) {
            throw new IllegalArgumentException("warmSlots is no number: '" + value + "'", none);
        }
    }

    @Override
    public List<Path> accept(Path path) {
        return Journals.accept(path);
    }

    @Override
    public List<String> sweep() {
        return SandboxSweep.run(NAME, ControlGroups.detect());
    }
}
