package dev.paddock.executor.os.table;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.paddock.executor.CommandExecutor;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Lists processes from Linux's {@code /proc}. */
final class ProcTable implements ProcessTable {
    static final ProcTable INSTANCE = new ProcTable();

    /** The number of pids up to which reading each one is cheaper than listing all processes. */
    private static final long FEW = 64;

    /** The time within which pids cannot have wrapped around: the kernel's shortest cycle is 32,768 forks. */
    private static final long ONE_ROUND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long ONE_START_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final int MAX_ENVIRONMENT_BYTES = 4 << 20;

    private final Object oneAtATime = new Object();
    private @Nullable Scan next;

    private ProcTable() {}

    private record Point(long lastPid, long nanos) {}

    /**
     * Returns the last pid and the time: pids are assigned in ascending order, so a process that starts later has a
     * higher one.
     */
    @Override
    public Object now() {
        return new Point(lastPid(), System.nanoTime());
    }

    @Override
    public List<Row> since(Object point) {
        Point then = (Point) point;
        boolean recent = System.nanoTime() - then.nanos() < ONE_ROUND_NANOS;
        long last = recent ? lastPid() : -1;
        if (last < then.lastPid() || then.lastPid() < 0) {
            return all();
        }
        if (last - then.lastPid() > FEW) {
            return rows(listed(then.lastPid()));
        }
        List<Long> few = new ArrayList<>();
        for (long pid = then.lastPid() + 1; pid <= last; pid++) {
            few.add(pid);
        }
        return rows(few);
    }

    /**
     * Shares one scan among all callers that ask before it starts: many commands that end at once cost only a few
     * scans.
     */
    @Override
    public List<Row> all() {
        Scan scan;
        synchronized (this) {
            if (next == null) {
                next = new Scan();
            }
            scan = next;
        }
        return scan.rows();
    }

    private synchronized void begins(Scan scan) {
        if (next == scan) {
            next = null;
        }
    }

    /** One scan of all processes, by the first of the threads that wait for it; one scan at a time. */
    private final class Scan {
        private @Nullable List<Row> rows;

        synchronized List<Row> rows() {
            if (rows == null) {
                synchronized (oneAtATime) {
                    begins(this);
                    rows = ProcTable.rows(listed(0));
                }
            }
            return rows;
        }
    }

    private static List<Row> rows(List<Long> pids) {
        List<Row> rows = new ArrayList<>();
        for (long pid : pids) {
            INSTANCE.row(pid).filter(Row::running).ifPresent(rows::add);
        }
        return rows;
    }

    private static List<Long> listed(long above) {
        String[] names = new File("/proc").list();
        List<Long> pids = new ArrayList<>();
        for (String name : names == null ? new String[0] : names) {
            if (Character.isDigit(name.charAt(0))) {
                long pid = Long.parseLong(name);
                if (pid > above) {
                    pids.add(pid);
                }
            }
        }
        return pids;
    }

    /** Returns the last pid of a process or a thread; -1 if unknown. */
    private static long lastPid() {
        String[] words = read("/proc/loadavg", 128).trim().split(" ", -1);
        return words.length == 5 ? Long.parseLong(words[4]) : -1;
    }

    /**
     * Parses the process's {@code stat} file. The program's name, in parentheses, may contain any characters, even
     * parentheses. A process whose first thread has exited reads as a zombie, but runs as long as another thread does.
     */
    @Override
    public Optional<Row> row(long pid) {
        String stat = read("/proc/" + pid + "/stat", 1024);
        int name = stat.lastIndexOf(')');
        if (name < 0) {
            return Optional.empty();
        }
        String[] fields = stat.substring(name + 2).split(" ", 21);
        String state = fields[0];
        boolean firstEnded = state.equals("Z") || state.equals("X");
        boolean running = !firstEnded || Integer.parseInt(fields[17]) > 1;
        return Optional.of(new Row(
                pid,
                Long.parseLong(fields[1]),
                Long.parseLong(fields[2]),
                Long.parseLong(fields[3]),
                Long.parseLong(fields[19]),
                running,
                new Marker(pid, firstEnded && running)));
    }

    /** Reads the marker on the first call: most processes can be classified without it. */
    private static final class Marker implements Supplier<Optional<String>> {
        private static final String START = '\0' + CommandExecutor.MARKER + '=';

        private final long pid;
        private final boolean firstEnded;
        private Optional<String> value = Optional.empty();
        private boolean read;

        Marker(long pid, boolean firstEnded) {
            this.pid = pid;
            this.firstEnded = firstEnded;
        }

        @Override
        public synchronized Optional<String> get() {
            if (!read) {
                value = find('\0' + (firstEnded ? environmentOfThreads(pid) : environment(pid)));
                read = true;
            }
            return value;
        }

        private static Optional<String> find(String environment) {
            int found = environment.indexOf(START);
            if (found < 0) {
                return Optional.empty();
            }
            int start = found + START.length();
            int end = environment.indexOf('\0', start);
            return Optional.of(environment.substring(start, end < 0 ? environment.length() : end));
        }
    }

    /**
     * Reads a process's environment. A process that is executing a program has no environment for an instant. Kernel
     * threads never have one, nor do programs that were started with an empty one.
     */
    private static String environment(long pid) {
        String path = "/proc/" + pid + "/environ";
        String environment = read(path, MAX_ENVIRONMENT_BYTES);
        for (int again = 0; again < 3 && environment.isEmpty() && mayBeStarting(pid); again++) {
            LockSupport.parkNanos(ONE_START_NANOS);
            environment = read(path, MAX_ENVIRONMENT_BYTES);
        }
        return environment;
    }

    /** Reads the environment from the threads that have not exited. */
    private static String environmentOfThreads(long pid) {
        String[] threads = new File("/proc/" + pid + "/task").list();
        for (String thread : threads == null ? new String[0] : threads) {
            String environment = read("/proc/" + pid + "/task/" + thread + "/environ", MAX_ENVIRONMENT_BYTES);
            if (!environment.isEmpty()) {
                return environment;
            }
        }
        return "";
    }

    private static boolean mayBeStarting(long pid) {
        return new File("/proc/" + pid + "/environ").canRead()
                && INSTANCE.row(pid)
                        .filter(row -> row.running() && row.session() != 0)
                        .isPresent();
    }

    /**
     * Reads a file of {@code /proc}; returns empty text if the process has exited or is another user's, which is
     * common.
     */
    private static String read(String path, int most) {
        try (FileInputStream file = new FileInputStream(path)) {
            return new String(file.readNBytes(most), ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }
}
