package dev.paddock.executor.process.table;

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

/** Linux's {@code /proc}. */
final class ProcTable implements ProcessTable {
    static final ProcTable INSTANCE = new ProcTable();

    /** Up to here, asking for each number is cheaper than listing them all. */
    private static final long FEW = 64;

    /** Within this time process ids cannot have gone round: the kernel's shortest round is 32,768 forks. */
    private static final long ONE_ROUND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long ONE_START_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final int LARGEST_ENVIRONMENT = 4 << 20;

    private final Object oneAtATime = new Object();
    private @Nullable Look next;

    private ProcTable() {}

    private record Point(long lastPid, long nanos) {}

    /** Ids are given in ascending order: what has started since then has one above the last of then. */
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

    /** Shared with whoever else asks before it begins: many commands that end at once cost a few looks. */
    @Override
    public List<Row> all() {
        Look look;
        synchronized (this) {
            if (next == null) {
                next = new Look();
            }
            look = next;
        }
        return look.rows();
    }

    private synchronized void begins(Look look) {
        if (next == look) {
            next = null;
        }
    }

    /** One look at all processes, by the first of those who wait for it; one at a time. */
    private final class Look {
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

    /** The last id given to a process or a thread; -1 if that cannot be known. */
    private static long lastPid() {
        String[] words = read("/proc/loadavg", 128).trim().split(" ", -1);
        return words.length == 5 ? Long.parseLong(words[4]) : -1;
    }

    /** The program's name, in parentheses, may contain anything, parentheses too. */
    @Override
    public Optional<Row> row(long pid) {
        String stat = read("/proc/" + pid + "/stat", 1024);
        int name = stat.lastIndexOf(')');
        if (name < 0) {
            return Optional.empty();
        }
        String[] fields = stat.substring(name + 2).split(" ", 21);
        String state = fields[0];
        return Optional.of(new Row(
                pid,
                Long.parseLong(fields[1]),
                Long.parseLong(fields[2]),
                Long.parseLong(fields[3]),
                Long.parseLong(fields[19]),
                !state.equals("Z") && !state.equals("X"),
                new Marker(pid)));
    }

    /** Read when it is first asked for: most processes can be told without. */
    private static final class Marker implements Supplier<Optional<String>> {
        private static final String START = '\0' + CommandExecutor.MARKER + '=';

        private final long pid;
        private Optional<String> value = Optional.empty();
        private boolean read;

        Marker(long pid) {
            this.pid = pid;
        }

        @Override
        public synchronized Optional<String> get() {
            if (!read) {
                value = find('\0' + environment(pid));
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
     * A process that is just starting a program has no environment for an instant. Kernel threads never have one, and
     * programs that were given an empty one.
     */
    private static String environment(long pid) {
        String path = "/proc/" + pid + "/environ";
        String environment = read(path, LARGEST_ENVIRONMENT);
        for (int again = 0; again < 3 && environment.isEmpty() && mayBeStarting(pid); again++) {
            LockSupport.parkNanos(ONE_START_NANOS);
            environment = read(path, LARGEST_ENVIRONMENT);
        }
        return environment;
    }

    private static boolean mayBeStarting(long pid) {
        return new File("/proc/" + pid + "/environ").canRead()
                && INSTANCE.row(pid)
                        .filter(row -> row.running() && row.session() != 0)
                        .isPresent();
    }

    /** A file of {@code /proc}, or nothing: that a process has ended, or is another user's, is an everyday event. */
    private static String read(String path, int most) {
        try (FileInputStream file = new FileInputStream(path)) {
            return new String(file.readNBytes(most), ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }
}
