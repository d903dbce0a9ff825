package dev.paddock.executor.tck.conformance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.tck.context.Outcome;
import dev.paddock.executor.tck.context.Running;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes observations by running commands, and compares them with the expectations.
 *
 * @since 0.1
 */
public final class Inspection {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final CommandExecutor executor;
    private final String cwd;
    private final PolicyFixture fixture;
    private final Set<String> tools = new HashSet<>();

    /** The result of an observation. */
    public sealed interface Finding {
        /** The observation is as expected. */
        record Held() implements Finding {}

        /** A protected file was changed and restored. */
        record Restored() implements Finding {}

        /** The observation is not as expected. */
        record Broken(String seen) implements Finding {}
    }

    /**
     * Creates an inspection that runs its commands on an executor.
     *
     * @param cwd the worktree's path as commands see it
     */
    public Inspection(CommandExecutor executor, String cwd, PolicyFixture fixture) {
        this.executor = executor;
        this.cwd = cwd;
        this.fixture = fixture;
    }

    public Finding of(Observation observation) throws IOException, InterruptedException {
        Optional<String> tool = observation.operation().tool();
        if (tool.isPresent() && !tools.contains(tool.get())) {
            boolean there = run("command -v " + tool.get()).status().isSuccess();
            assumeTrue(there, () -> "there is no '" + tool.get() + "' where " + executor.name() + " runs its commands");
            tools.add(tool.get());
        }
        if (observation.operation().connects() && observation.expectation() != Expectation.ALLOWED) {
            requireThatTheHostReaches(observation);
        }
        String before = state(observation);
        Outcome outcome = run(observation.operation().command(observation.target()));
        boolean changed = !state(observation).equals(before);
        boolean succeeded = observation.operation() == Operation.SEND_UDP
                ? fixture.listeners().hasReceived()
                : outcome.status().isSuccess();
        String seen = observation + ", but it " + (succeeded ? "succeeded" : "failed")
                + (changed ? " and changed the host's file" : "") + ": " + outcome;
        return switch (observation.expectation()) {
            case ALLOWED ->
                succeeded && changed == changesTheHost(observation) && readsIt(observation, before, outcome)
                        ? new Finding.Held()
                        : new Finding.Broken(seen);
            case DENIED ->
                (succeeded && !isInItsOwnTmp(observation)) || changed || reveals(observation, before, outcome)
                        ? new Finding.Broken(seen)
                        : new Finding.Held();
            case KEPT -> kept(succeeded, changed, outcome, seen);
        };
    }

    private static Finding kept(boolean succeeded, boolean changed, Outcome outcome, String seen) {
        if (changed) {
            return new Finding.Broken(seen);
        }
        if (!succeeded) {
            return new Finding.Held();
        }
        return outcome.cleanup().notices().isEmpty()
                ? new Finding.Broken(seen + "; it was restored, and no notice reported it")
                : new Finding.Restored();
    }

    private static boolean changesTheHost(Observation observation) {
        return observation.host().isPresent() && observation.operation().changes();
    }

    private static boolean readsIt(Observation observation, String content, Outcome outcome) {
        return !observation.operation().reads()
                || observation.host().isEmpty()
                || outcome.out().equals(content);
    }

    /**
     * Returns whether the command's output contains the file's content, or the name of a file in
     * the directory.
     */
    private static boolean reveals(Observation observation, String state, Outcome outcome) throws IOException {
        if (observation.host().isEmpty()) {
            return false;
        }
        if (observation.operation().reads()) {
            return outcome.out().contains(state.strip());
        }
        if (observation.operation() != Operation.LIST) {
            return false;
        }
        try (Stream<Path> entries = Files.list(observation.host().get())) {
            Set<String> files = entries.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .collect(Collectors.toSet());
            return outcome.out().lines().anyMatch(files::contains);
        }
    }

    /**
     * Returns whether the executor has a private /tmp, in which the same path leads to another file
     * that commands may change freely.
     */
    private boolean isInItsOwnTmp(Observation observation) {
        return observation.host().isPresent()
                && observation.target().startsWith("/tmp/")
                && executor.guarantees().contains(Guarantee.PRIVATE_TMP);
    }

    private static void requireThatTheHostReaches(Observation observation) throws IOException {
        Process control = new ProcessBuilder("sh", "-c", observation.operation().command(observation.target()))
                .redirectErrorStream(true)
                .start();
        control.getOutputStream().close();
        String output = new String(control.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (control.onExit().join().exitValue() != 0) {
            throw new AssertionError("the operation fails even on the host: " + observation + ": " + output);
        }
    }

    private Outcome run(String command) throws InterruptedException {
        return new Running(executor.spawn(command, SpawnOptions.in(cwd)), PATIENCE).outcome();
    }

    /**
     * Returns the state on the host: a file's content, the names in a directory, or that neither
     * exists.
     */
    private static String state(Observation observation) throws IOException {
        if (observation.host().isEmpty()) {
            return "";
        }
        Path path = observation.host().get();
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return "nothing";
        }
        if (!Files.isDirectory(path)) {
            return Files.readString(path, StandardCharsets.UTF_8);
        }
        try (Stream<Path> entries = Files.list(path)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().collect(Collectors.joining("\n"));
        }
    }
}
