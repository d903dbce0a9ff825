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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Makes observations by running commands, and compares them with the expectations. One command makes several
 * attempts at files, each in a subshell of its own, since containers and pods take long to start a command.
 *
 * @since 0.1
 */
public final class Inspection {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Follows an attempt's output, and its status: in no file and no message. */
    private static final String MARK = "\036";

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

    /**
     * Divides observations into those that one command makes, in the same order.
     *
     * @param observations none destroys the target of a later one
     */
    public static List<List<Observation>> byCommand(List<Observation> observations) {
        List<List<Observation>> divided = new ArrayList<>();
        for (Observation observation : observations) {
            if (divided.isEmpty() || !observation.joins(divided.getLast().getLast())) {
                divided.add(new ArrayList<>());
            }
            divided.getLast().add(observation);
        }
        return divided;
    }

    /**
     * Makes observations with one command.
     *
     * @param together one of the lists of {@link #byCommand}
     * @return the finding of each
     */
    public List<Finding> of(List<Observation> together) throws IOException, InterruptedException {
        List<Before> before = new ArrayList<>();
        for (Observation observation : together) {
            requireTool(observation);
            if (observation.operation().connects() && observation.expectation() != Expectation.ALLOWED) {
                requireThatTheHostReaches(observation);
            }
            before.add(new Before(observation, state(observation), files(observation)));
        }
        List<Finding> findings = new ArrayList<>();
        List<Attempt> attempts = attempt(together);
        for (int i = 0; i < together.size(); i++) {
            findings.add(finding(before.get(i), attempts.get(i)));
        }
        return findings;
    }

    /** What is on the host before an attempt: the target's state, and the files in it if it is a directory. */
    private record Before(Observation observation, String state, Set<String> files) {}

    /** What an attempt printed, whether it succeeded, and the result of its command. */
    private record Attempt(String out, boolean succeeded, Outcome outcome) {}

    private List<Attempt> attempt(List<Observation> together) throws InterruptedException {
        if (together.size() == 1) {
            Observation alone = together.getFirst();
            Outcome outcome = run(alone.operation().command(alone.target()));
            return List.of(new Attempt(outcome.out(), outcome.status().isSuccess(), outcome));
        }
        Outcome outcome = run(together.stream()
                .map(observation ->
                        "(" + observation.operation().command(observation.target()) + ")\nprintf '\\036%s\\036' $?\n")
                .collect(Collectors.joining()));
        String[] parts = outcome.out().split(MARK, -1);
        if (parts.length != 2 * together.size() + 1) {
            throw new AssertionError("the command ended before the last of " + together + ": " + outcome);
        }
        return IntStream.range(0, together.size())
                .mapToObj(i -> new Attempt(parts[2 * i], parts[2 * i + 1].equals("0"), outcome))
                .toList();
    }

    private void requireTool(Observation observation) throws InterruptedException {
        Optional<String> tool = observation.operation().tool();
        if (tool.isPresent() && !tools.contains(tool.get())) {
            boolean there = run("command -v " + tool.get()).status().isSuccess();
            assumeTrue(there, () -> "there is no '" + tool.get() + "' where " + executor.name() + " runs its commands");
            tools.add(tool.get());
        }
    }

    private Finding finding(Before before, Attempt attempt) throws IOException {
        Observation observation = before.observation();
        boolean changed = !state(observation).equals(before.state());
        boolean succeeded = observation.operation() == Operation.SEND_UDP
                ? fixture.listeners().hasReceived()
                : attempt.succeeded();
        String seen = observation + ", but it " + (succeeded ? "succeeded" : "failed")
                + (changed ? " and changed the host's file" : "") + ": " + attempt.outcome();
        return switch (observation.expectation()) {
            case ALLOWED ->
                succeeded && changed == changesTheHost(observation) && readsIt(before, attempt)
                        ? new Finding.Held()
                        : new Finding.Broken(seen);
            case DENIED ->
                (succeeded && !isInItsOwnTmp(observation)) || changed || reveals(before, attempt)
                        ? new Finding.Broken(seen)
                        : new Finding.Held();
            case KEPT -> kept(succeeded, changed, attempt.outcome(), seen);
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

    private static boolean readsIt(Before before, Attempt attempt) {
        return !before.observation().operation().reads()
                || before.observation().host().isEmpty()
                || attempt.out().equals(before.state());
    }

    /**
     * Returns whether the attempt's output contains the file's content, or the name of a file in
     * the directory.
     */
    private static boolean reveals(Before before, Attempt attempt) {
        if (before.observation().host().isEmpty()) {
            return false;
        }
        return before.observation().operation().reads()
                ? attempt.out().contains(before.state().strip())
                : attempt.out().lines().anyMatch(before.files()::contains);
    }

    /** Returns the names of the files in the directory that the observation lists. */
    private static Set<String> files(Observation observation) throws IOException {
        if (observation.operation() != Operation.LIST || observation.host().isEmpty()) {
            return Set.of();
        }
        try (Stream<Path> entries = Files.list(observation.host().get())) {
            return entries.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .collect(Collectors.toSet());
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
