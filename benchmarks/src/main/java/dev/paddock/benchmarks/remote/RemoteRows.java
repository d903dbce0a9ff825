package dev.paddock.benchmarks.remote;

import dev.paddock.benchmarks.measure.ConcurrentCallers;
import dev.paddock.benchmarks.measure.Scope;
import dev.paddock.benchmarks.measure.Script;
import dev.paddock.benchmarks.row.Entry;
import dev.paddock.benchmarks.row.ProgramRow;
import dev.paddock.benchmarks.row.Row;
import dev.paddock.benchmarks.row.TimedRow;
import dev.paddock.benchmarks.row.Trees;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.policy.PathMapping;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes the rows of one other machine. The rows of a group take turns. */
final class RemoteRows {
    static final String PROGRAM = "-program";
    static final String RSYNC = "-rsync";

    private static final int AT_ONCE = 64;
    private static final int MEBIBYTE = 1 << 20;
    private static final int LARGE_FILES = 100;

    /** A server takes this long to start the process of a warm slot. */
    private static final Duration SETTLING = Duration.ofMillis(300);

    private final Elsewhere place;
    private final Scope scope;
    private final int files;
    private final AtomicInteger copies = new AtomicInteger();

    RemoteRows(Elsewhere place, Scope scope, int files) {
        this.place = place;
        this.scope = scope;
        this.files = files;
    }

    /** Runs commands in an executor until they have closed, so that what they wrote has arrived. */
    private record ClosedRow(CommandExecutor executor, Duration settling) implements Row {
        @Override
        public Times run(String command) throws IOException {
            long start = System.nanoTime();
            execute(executor, command);
            long closed = System.nanoTime() - start;
            return new Times(closed, closed);
        }

        @Override
        public void close() {
            executor.close();
        }
    }

    /** Runs a command in each of 64 threads, until the last has closed. */
    private record ParallelRow(CommandExecutor executor, ConcurrentCallers callers) implements Row {
        ParallelRow(CommandExecutor executor) {
            this(executor, new ConcurrentCallers(AT_ONCE));
        }

        @Override
        public Times run(String command) throws IOException {
            long start = System.nanoTime();
            List<Boolean> unused = callers.all(AT_ONCE, () -> {
                execute(executor, command);
                return true;
            });
            long closed = System.nanoTime() - start;
            return new Times(closed, closed);
        }

        @Override
        public Duration settling() {
            return SETTLING;
        }

        @Override
        public void close() {
            callers.close();
            executor.close();
        }
    }

    private static void execute(CommandExecutor executor, String command) throws IOException {
        try {
            String cwd = executor.worktree().map(PathMapping::commandPath).orElse("/");
            CommandResult result = executor.run(command, RunOptions.in(cwd));
            if (!result.succeeded()) {
                throw new IOException("'" + command + "' ended with " + result.status() + ": "
                        + result.errText().strip());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("stopped", stopped);
        }
    }

    private Entry entry(String what, String label, Entry.Opening opening) {
        return new Entry(place.name() + "-" + what, label, opening);
    }

    /** Returns a warm command. */
    List<Entry> warm() {
        return List.of(
                entry("warm", place.label() + ": 'true'", unused -> new ClosedRow(place.open(), SETTLING)),
                entry(
                        "warm" + PROGRAM,
                        place.program() + ": 'true'",
                        unused -> new ProgramRow(place.line(), scope.place().worktree())));
    }

    /** Returns the first output of a place that is made for it. */
    List<Entry> fresh() {
        return List.of(
                entry(
                        "created",
                        place.label() + ": created, until 'echo' has closed",
                        unused -> TimedRow.of(() -> {
                            long start = System.nanoTime();
                            try (CommandExecutor executor = place.open()) {
                                execute(executor, "echo x");
                                return System.nanoTime() - start;
                            }
                        })),
                script("created" + PROGRAM, created(), place.fresh()));
    }

    private String created() {
        return place.name().equals("ssh") ? "ssh, a new connection: 'echo'" : "kubectl run --rm: 'echo'";
    }

    private Entry script(String what, String label, String script) {
        return entry(what, label, unused -> {
            Script scripts = new Script(scope.place().worktree(), Map.of());
            return TimedRow.of(TimedRow.timing(TimedRow.Action.NONE, scripts.action(script), TimedRow.Action.NONE));
        });
    }

    /**
     * Returns 64 commands at once, until the last has closed; as programs, which take a minute, once.
     *
     * @param rounds in how many rounds they are measured
     */
    List<Entry> atOnce(int rounds) {
        // A server takes 10 sessions on a connection by default, and then the program would connect again.
        int most = place.name().equals("ssh") ? 10 : AT_ONCE;
        String words = String.join(" ", place.line());
        return List.of(
                entry("parallel", place.label() + ": " + AT_ONCE + " at once", unused -> new ParallelRow(place.open())),
                script(
                                "parallel" + PROGRAM,
                                place.program() + ": " + AT_ONCE + ", " + most + " at once",
                                "seq " + AT_ONCE + " | xargs -P " + most + " -I{} " + words + " true")
                        .onceIn(rounds));
    }

    /** Returns the first command with many small files. */
    List<Entry> firstOfMany() throws IOException {
        Path tree = Trees.fill(scope.place().fresh("many-"), files, 100);
        return first("many", files + " files", tree);
    }

    /** Returns the first command with 100 MiB. */
    List<Entry> firstOfLarge() throws IOException {
        Path tree = Trees.fill(scope.place().fresh("large-"), LARGE_FILES, MEBIBYTE);
        return first("large", LARGE_FILES + " MiB", tree);
    }

    private List<Entry> first(String what, String size, Path tree) {
        List<Entry> rows = new ArrayList<>(List.of(
                entry(
                        what,
                        place.label() + ": first command, " + size,
                        unused -> TimedRow.slow(() -> {
                            try (CommandExecutor executor = place.open(tree)) {
                                long start = System.nanoTime();
                                execute(executor, "true");
                                return System.nanoTime() - start;
                            }
                        })),
                entry(
                        what + PROGRAM,
                        "tar | " + place.program() + " tar, " + size,
                        unused -> TimedRow.slow(copying(tree, place.tar())))));
        place.rsync()
                .ifPresent(rsync -> rows.add(
                        entry(what + RSYNC, "rsync over ssh, " + size, unused -> TimedRow.slow(copying(tree, rsync)))));
        return rows;
    }

    private TimedRow.Sample copying(Path tree, String script) {
        return () -> {
            String to = place.scratch() + "/copy-" + copies.incrementAndGet();
            Script scripts = new Script(scope.place().worktree(), Map.of("TREE", tree.toString(), "TO", to));
            return TimedRow.timing(TimedRow.Action.NONE, scripts.action(script), () -> remove(to))
                    .take();
        };
    }

    private void remove(String there) throws IOException {
        Row.Times unused = new ProgramRow(place.line(), scope.place().worktree()).run("rm -rf " + there);
    }

    /** Returns a command that changes none of many files. */
    List<Entry> unchanged() throws IOException {
        Path tree = Trees.fill(scope.place().fresh("same-"), files, 100);
        String label = "no change, " + files + " files";
        List<Entry> rows = new ArrayList<>(List.of(
                entry(
                        "same",
                        place.label() + ": 'true', " + label,
                        unused -> new ClosedRow(place.open(tree), SETTLING)),
                entry(
                        "same" + PROGRAM,
                        place.program() + ": 'true', at that time",
                        unused -> new ProgramRow(place.line(), scope.place().worktree()))));
        Optional<String> rsync = place.rsync();
        if (rsync.isPresent()) {
            String to = place.scratch() + "/same";
            Script scripts = new Script(scope.place().worktree(), Map.of("TREE", tree.toString(), "TO", to));
            rows.add(entry("same" + RSYNC, "rsync over ssh, " + label, unused -> {
                scripts.run(rsync.get());
                return TimedRow.of(
                        TimedRow.timing(TimedRow.Action.NONE, scripts.action(rsync.get()), TimedRow.Action.NONE));
            }));
        }
        return rows;
    }
}
