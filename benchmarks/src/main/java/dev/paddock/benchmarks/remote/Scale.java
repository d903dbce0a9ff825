package dev.paddock.benchmarks.remote;

import dev.paddock.benchmarks.measure.Family;
import dev.paddock.benchmarks.measure.Faults;
import dev.paddock.benchmarks.measure.Scope;
import dev.paddock.benchmarks.measure.Series;
import dev.paddock.benchmarks.measure.Table;
import dev.paddock.benchmarks.row.Trees;
import dev.paddock.executor.kubernetes.KubernetesExecutor;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Opens sessions against one cluster, in steps, and measures what each one costs this JVM and the API
 * server, idle and when all run a command at once. The first ones have pods of their own; more than one
 * machine carries are attached to the same pods, which is as much traffic of commands. Each has a worktree of
 * its own, synchronized with a directory of the pod.
 */
public final class Scale implements Family {
    private static final List<Integer> STEPS = List.of(10, 50, 100, 200);

    /** A kubelet takes 110 pods, and a machine with two processors starts fewer than one a second. */
    private static final int PODS = 50;

    private static final int OPENED_AT_ONCE = 8;
    private static final int FILES = 20;

    /** More commands at once show the node's processors alone: each starts two processes there. */
    private static final int MOST_AT_ONCE = 100;

    /** So many commands at once are no more than a processor or two can start. */
    private static final int FEW = 8;

    private static final long IDLE_NANOS = 20_000_000_000L;

    @Override
    public String name() {
        return "scale";
    }

    @Override
    public boolean isOnDemand() {
        return true;
    }

    @Override
    public Table measure(Scope scope) throws IOException {
        Table table = new Table(
                name(),
                "sessions at once against one cluster, each with an executor; the first " + PODS
                        + " with a pod of their own",
                "open, ms",
                "heap, KiB",
                "RSS, KiB",
                "threads",
                "sockets",
                "streams",
                "watches",
                "requests",
                "writes",
                "idle req/s",
                "idle CPU %",
                FEW + ": p50, ms",
                "p99",
                "all: p50, ms",
                "p99 of all");
        List<OpenedSession> sessions = new ArrayList<>();
        try {
            String image = scope.settings().image();
            new Cluster(image, Cluster.pod(image).withoutWorktree().eager().build()).close();
            ApiServer server = ApiServer.of(scope.place().worktree());
            This before = This.now();
            for (int step : STEPS.subList(0, scope.ifQuick(2, STEPS.size()))) {
                step(scope, table, server, before, sessions, step);
            }
        } catch (IOException | RuntimeException fault) {
            table.miss("the step after " + sessions.size() + " sessions", Faults.message(fault));
        } finally {
            close(sessions.subList(Math.min(PODS, sessions.size()), sessions.size()));
            close(sessions.subList(0, Math.min(PODS, sessions.size())));
        }
        return table;
    }

    private static void step(
            Scope scope, Table table, ApiServer server, This before, List<OpenedSession> sessions, int number)
            throws IOException {
        ApiServer.Counts closed = server.read();
        int added = number - sessions.size();
        Series opening = new Series();
        open(scope, sessions, number).forEach(nanos -> opening.add(0, nanos / 1e6));
        ApiServer.Counts opened = server.read();
        LockSupport.parkNanos(IDLE_NANOS / 4); // the executors start their last warm slots
        This now = This.now();
        ApiServer.Counts quiet = server.read();
        LockSupport.parkNanos(IDLE_NANOS);
        ApiServer.Counts later = server.read();
        List<Double> values = new ArrayList<>(List.of(
                opening.p50(),
                (double) (now.heap - before.heap) / 1024 / number,
                (double) (now.resident - before.resident) / 1024 / number,
                (double) (now.threads - before.threads) / number,
                (double) (now.sockets - before.sockets) / number,
                later.streams() / number,
                later.watches() / number,
                (opened.requests() - closed.requests()) / added,
                (opened.writes() - closed.writes()) / added,
                (later.requests() - quiet.requests()) / later.seconds(quiet),
                100 * (later.cpuSeconds() - quiet.cpuSeconds()) / later.seconds(quiet)));
        values.addAll(calls(table, sessions, FEW, scope.rounds(3, 5)));
        values.addAll(
                number > MOST_AT_ONCE
                        ? List.of(Double.NaN, Double.NaN)
                        : calls(table, sessions, sessions.size(), scope.rounds(3, 5)));
        table.add(Integer.toString(number), number + " sessions", number, values);
    }

    /** Returns the median and the 99th percentile of a command that each session runs, so many of them at once. */
    private static List<Double> calls(Table table, List<OpenedSession> sessions, int atOnce, int rounds) {
        List<Long> calls = new ArrayList<>();
        try {
            for (int round = 0; round < rounds; round++) {
                calls.addAll(together(sessions, atOnce, OpenedSession::call));
            }
        } catch (IOException fault) {
            table.miss(sessions.size() + " sessions, " + atOnce + " commands at once", Faults.message(fault));
            return List.of(Double.NaN, Double.NaN);
        }
        calls.sort(null);
        return List.of(calls.get(calls.size() / 2) / 1e6, calls.get((int) (calls.size() * 0.99)) / 1e6);
    }

    /** Opens sessions, a few at once, until there are so many; returns how long each took until its first command. */
    private static List<Long> open(Scope scope, List<OpenedSession> sessions, int number) throws IOException {
        Path logs = scope.place().fresh("sessions-");
        List<KubernetesExecutor.Builder> executors = new ArrayList<>();
        String image = scope.settings().image();
        List<String> pods =
                sessions.stream().limit(PODS).map(OpenedSession::pod).toList();
        for (int index = sessions.size(); index < number; index++) {
            executors.add(
                    index < PODS
                            ? Cluster.pod(image)
                            : KubernetesExecutor.builder()
                                    .pod(pods.get(index % PODS))
                                    .container("commands")
                                    .remoteDirectory("/tmp/session-" + index));
        }
        return together(executors, OPENED_AT_ONCE, executor -> {
            long start = System.nanoTime();
            Path own = Files.createTempDirectory(logs, "session-");
            Path worktree = Trees.fill(Files.createDirectory(own.resolve("worktree")), FILES, 100);
            OpenedSession session =
                    OpenedSession.open(executor.worktree(worktree).build(), worktree, own);
            synchronized (sessions) {
                sessions.add(session);
            }
            long unused = session.call();
            return System.nanoTime() - start;
        });
    }

    /** Closes sessions, those that are attached before the owners of their pods; a fault is printed. */
    private static void close(List<OpenedSession> sessions) throws IOException {
        List<Long> unused = together(List.copyOf(sessions), OPENED_AT_ONCE, session -> {
            try {
                session.close();
            } catch (RuntimeException fault) {
                System.err.println("paddock bench: a session was not ended well: " + Faults.message(fault));
            }
            return 0L;
        });
    }

    /** Does something that may fail. */
    @FunctionalInterface
    private interface Action<T> {
        long take(T subject) throws Exception;
    }

    /** Does it for all subjects, for so many of them at once; returns what was returned. */
    private static <T> List<Long> together(Iterable<T> subjects, int atOnce, Action<T> action) throws IOException {
        Semaphore free = new Semaphore(atOnce);
        List<Future<Long>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            subjects.forEach(subject -> all.add(threads.submit(() -> {
                free.acquireUninterruptibly();
                try {
                    return action.take(subject);
                } finally {
                    free.release();
                }
            })));
            List<Long> taken = new ArrayList<>();
            for (Future<Long> each : all) {
                taken.add(each.get());
            }
            return taken;
        } catch (ExecutionException fault) {
            throw new IOException(Faults.message(fault), fault);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("stopped", stopped);
        }
    }

    /** What this JVM holds. */
    private record This(long heap, long resident, int threads, long sockets) {
        static This now() throws IOException {
            System.gc();
            System.gc();
            long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            long pages =
                    Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ", -1)[1]);
            try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
                long sockets = files.filter(This::isSocket).count();
                return new This(
                        heap, pages * 4096, ManagementFactory.getThreadMXBean().getThreadCount(), sockets);
            }
        }

        private static boolean isSocket(Path descriptor) {
            try {
                return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
            } catch (IOException closed) {
                return false;
            }
        }
    }
}
