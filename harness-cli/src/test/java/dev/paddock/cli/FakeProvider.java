package dev.paddock.cli;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.Progress;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.upkeep.BackendUpkeep;
import dev.paddock.executor.upkeep.SweepMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Backends that misbehave in different ways. A test declares them as services in a directory that
 * it puts on the class path.
 */
public abstract class FakeProvider implements ExecutorProvider, BackendUpkeep {
    private final String name;

    FakeProvider(String name) {
        this.name = name;
    }

    /** Makes a directory that declares these providers, to be put on the class path. */
    public static Path declare(Path directory, List<Class<? extends FakeProvider>> providers) throws IOException {
        Path services = Files.createDirectories(directory.resolve("META-INF/services"));
        Files.write(
                services.resolve(ExecutorProvider.class.getName()),
                providers.stream().map(Class::getName).toList());
        return directory;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Availability probe() {
        return new Availability.Usable(name + " 1", Set.of());
    }

    @Override
    public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
        throw new IllegalStateException("the " + name + " backend is broken\nin two lines");
    }

    /** Would be chosen by {@code auto}, but is not usable. */
    public static final class Missing extends FakeProvider {
        /** Called by the service loader. */
        public Missing() {
            super("missing");
        }

        @Override
        public OptionalInt autoPriority(Map<String, String> settings) {
            return OptionalInt.of(1);
        }

        @Override
        public Availability probe() {
            return new Availability.Unusable("its program is not installed", "Install it.");
        }
    }

    /** Does not say whether it can be used, however long it is given. */
    public static final class Undecided extends FakeProvider {
        /** Called by the service loader. */
        public Undecided() {
            super("undecided");
        }

        @Override
        public OptionalInt autoPriority(Map<String, String> settings) {
            return OptionalInt.of(1);
        }

        @Override
        public Availability probe() {
            return new Availability.Unusable("no answer", "Wait.", Availability.Outlook.UNDECIDED);
        }
    }

    /** Throws from its methods. */
    public static final class Broken extends FakeProvider {
        /** Called by the service loader. */
        public Broken() {
            super("broken");
        }

        @Override
        public Availability probe() {
            throw new IllegalStateException("no probe");
        }

        @Override
        public List<String> sweep(SweepMode mode) {
            throw new IllegalStateException("no sweep");
        }
    }

    /** A sandbox that has resources to sweep. */
    public static final class Untidy extends FakeProvider {
        /** Called by the service loader. */
        public Untidy() {
            super("untidy");
        }

        @Override
        public Availability probe() {
            return new Availability.Usable("untidy 1", Set.of(Guarantee.WRITE_CONFINED));
        }

        @Override
        public List<String> sweep(SweepMode mode) {
            return List.of(mode.apply("remove container 1a2b", () -> "removed container 1a2b"));
        }
    }

    /** Names how long it may sweep. */
    public static final class Patient extends FakeProvider {
        /** Called by the service loader. */
        public Patient() {
            super("patient");
        }

        @Override
        public List<String> sweep(SweepMode mode, Duration bound) {
            return List.of("may take " + bound.toSeconds() + " s");
        }
    }

    /** Opens slowly, and reports its progress. Its commands run on the host. */
    public static final class Slow extends FakeProvider {
        /** Called by the service loader. */
        public Slow() {
            super("slow");
        }

        @Override
        public OptionalInt autoPriority(Map<String, String> settings) {
            return OptionalInt.of(1);
        }

        @Override
        public CommandExecutor create(ExecutorOptions wanted) {
            Consumer<Progress> progress = wanted.progress();
            progress.accept(Progress.of("warming up", OptionalDouble.empty(), ""));
            progress.accept(Progress.of("warming up", OptionalDouble.of(0.5), "half of it"));
            progress.accept(Progress.of("warming up", OptionalDouble.of(1), ""));
            return (command, options) -> ProcessLike.start(new ProcessBuilder("sh", "-c", command), options);
        }
    }

    /** Receives SIGINT, as by Ctrl-C, while it opens its executor. Its commands run on the host. */
    public static final class Interrupted extends FakeProvider {
        /** Called by the service loader. */
        public Interrupted() {
            super("interrupted");
        }

        @Override
        public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
            try {
                String pid = Long.toString(ProcessHandle.current().pid());
                new ProcessBuilder("kill", "-INT", pid).start().waitFor();
            } catch (IOException | InterruptedException fault) {
                throw new IllegalStateException(fault);
            }
            return (command, options) -> ProcessLike.start(new ProcessBuilder("sh", "-c", command), options);
        }
    }

    /** Its executors never finish their disposal. Its commands run on the host. */
    public static final class Clinging extends FakeProvider {
        /** Called by the service loader. */
        public Clinging() {
            super("clinging");
        }

        @Override
        public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
            return new CommandExecutor() {
                @Override
                public ProcessLike spawn(String command, SpawnOptions options) {
                    return ProcessLike.start(new ProcessBuilder("sh", "-c", command), options);
                }

                @Override
                public void dispose() {
                    System.out.println("disposing");
                    new CompletableFuture<Void>().join();
                }
            };
        }

        @Override
        public List<String> sweep(SweepMode mode) {
            System.out.println("disposing");
            new CompletableFuture<Void>().join();
            return List.of();
        }

        @Override
        public Availability probe() {
            sweep(SweepMode.DRY_RUN);
            return super.probe();
        }
    }
}
