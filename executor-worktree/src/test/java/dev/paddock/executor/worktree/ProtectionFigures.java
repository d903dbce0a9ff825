package dev.paddock.executor.worktree;

import dev.paddock.executor.policy.ProtectedPaths;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Measures the guard's own part of a command, without a sandbox and without a command: a program to
 * be run by hand.
 *
 * <pre>{@code
 * mvn -q -pl executor-worktree -am test-compile dependency:build-classpath -Dmdep.outputFile=target/figures.classpath
 * java --enable-native-access=ALL-UNNAMED \
 *     -cp "executor-worktree/target/test-classes:executor-worktree/target/classes:$(cat
 *     executor-worktree/target/figures.classpath)" dev.paddock.executor.worktree.ProtectionFigures 400 300
 * }</pre>
 *
 * <p>Arguments: how many repositories (default 400), how many rounds (default 300).
 */
final class ProtectionFigures {
    private static final int WARM_UP = 100;
    private static final int FILES_EACH = 9;
    private static final int DIRECTORIES = 11_000;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Path place;
    private final PrintStream out;

    private ProtectionFigures(Path place, PrintStream out) {
        this.place = place;
        this.out = out;
    }

    /** One step of a command. */
    private interface Step<T> {
        T run();
    }

    /** The times of one step, in milliseconds. */
    private static final class Times {
        private final double[] wall;
        private final double[] processor;
        private int taken;

        Times(int rounds) {
            wall = new double[rounds];
            processor = new double[rounds];
        }

        <T> T measure(Step<T> step) {
            long start = System.nanoTime();
            long cpu = THREADS.getCurrentThreadCpuTime();
            T result = step.run();
            processor[taken] = (THREADS.getCurrentThreadCpuTime() - cpu) / 1e6;
            wall[taken++] = (System.nanoTime() - start) / 1e6;
            return result;
        }

        @Override
        public String toString() {
            return String.format(
                    "wall p50 %.3f p95 %.3f, processor p50 %.3f ms",
                    quantile(wall, 0.5), quantile(wall, 0.95), quantile(processor, 0.5));
        }

        private static double quantile(double[] all, double part) {
            double[] sorted = all.clone();
            Arrays.sort(sorted);
            return sorted[(int) ((sorted.length - 1) * part)];
        }
    }

    public static void main(String[] arguments) throws Exception {
        int repositories = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 400;
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 300;
        Path place = Files.createTempDirectory("paddock-figures-").toRealPath();
        ProtectionFigures figures = new ProtectionFigures(place, System.out);
        try {
            figures.unchanged(1, rounds * 10);
            if (repositories > 1) {
                figures.unchanged(repositories, rounds);
            }
            figures.manyFiles();
        } finally {
            run(place, "chmod -R u+rwx . && cd .. && rm -rf \"$OLDPWD\"");
        }
    }

    private void unchanged(int repositories, int rounds) throws Exception {
        Path worktree = Files.createDirectory(place.resolve("repositories-" + repositories));
        run(
                worktree,
                "git init -q . && echo a > a && git add a && git -c user.name=a -c user.email=a@example.org commit -qm a"
                        + " && cp -a . ../template-" + repositories + " && for n in $(seq 2 " + repositories
                        + "); do cp -a ../template-" + repositories + " r$n; done; sleep 0.1");
        try (WorktreeGuard guard = open(worktree)) {
            Times plan = new Times(rounds);
            Times begin = new Times(rounds);
            Times settle = new Times(rounds);
            cycle(guard, new Times(WARM_UP), new Times(WARM_UP), new Times(WARM_UP), WARM_UP);
            cycle(guard, plan, begin, settle, rounds);
            out.println(repositories + " repositories, nothing changed, " + rounds + " commands:");
            out.println("  plan   " + plan);
            out.println("  begin  " + begin);
            out.println("  settle " + settle);
        }
    }

    private static void cycle(WorktreeGuard guard, Times plan, Times begin, Times settle, int rounds) {
        for (int round = 0; round < rounds; round++) {
            plan.measure(guard::plan);
            WorktreeGuard.Command command = begin.measure(() -> guard.begin(ProtectionPlan.NONE));
            List<String> notices = settle.measure(command::settle);
            if (!notices.isEmpty()) {
                throw new IllegalStateException(notices.toString());
            }
        }
    }

    /** As a command that writes them: more events than inotify's queue holds, so that it scans. */
    private void manyFiles() throws Exception {
        Path worktree = Files.createDirectory(place.resolve("files"));
        run(worktree, "git init -q .");
        try (WorktreeGuard guard = open(worktree)) {
            for (int round = 0; round < 3; round++) {
                WorktreeGuard.Command command = guard.begin(ProtectionPlan.NONE);
                write(worktree.resolve("round-" + round));
                Times settle = new Times(1);
                settle.measure(command::settle);
                out.println(
                        FILES_EACH * DIRECTORIES + " files in " + DIRECTORIES + " directories, written by one command,"
                                + " beside " + round + " times as many: settle " + settle);
            }
        }
    }

    private static void write(Path tree) throws IOException {
        for (int number = 0; number < DIRECTORIES; number++) {
            Path directory =
                    Files.createDirectories(tree.resolve("p" + number / 100).resolve("d" + number));
            for (int file = 0; file < FILES_EACH; file++) {
                Files.createFile(directory.resolve("file" + file));
            }
        }
    }

    private WorktreeGuard open(Path worktree) throws IOException {
        Path own = Files.createDirectory(place.resolve("of-" + worktree.getFileName()));
        return WorktreeGuard.open(
                worktree,
                ProtectedPaths.standard(),
                Files.createDirectory(own.resolve("state")),
                new Journals(own.resolve("journals"), container -> false),
                own.resolve("quarantine"),
                List.of(),
                Map.of("HOME", own.toString(), "GIT_CONFIG_SYSTEM", "/dev/null"));
    }

    private static void run(Path in, String script) throws Exception {
        Process process = new ProcessBuilder("sh", "-ec", script)
                .directory(in.toFile())
                .inheritIO()
                .start();
        if (process.waitFor() != 0) {
            throw new IllegalStateException("fails: " + script);
        }
    }
}
