package dev.paddock.executor.ssh;

import dev.paddock.executor.AbortedException;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.state.PrivateState;
import dev.paddock.executor.upkeep.SweepMode;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * An executor's directory on a host, and the local record of it. Both are removed together: a record
 * whose JVM is dead shows what remains on which host. Nothing else on a host is ever removed.
 */
final class RemoteDirectory {
    private static final System.Logger LOG = LateLogger.of(RemoteDirectory.class);

    /** Prefix of the names of record directories; no backend's name starts with it. */
    private static final String RECORDS = "remote";

    private static final String FILE = "directory";
    private static final Pattern PATH = Pattern.compile("/tmp/paddock-[0-9a-f-]{36}");

    private final SshTarget target;
    private final String path;
    private final PrivateState record;

    private RemoteDirectory(SshTarget target, String path, PrivateState record) {
        this.target = target;
        this.path = path;
        this.record = record;
    }

    /**
     * Chooses an unused path for a directory and records it.
     *
     * @throws IOException if it cannot be recorded
     */
    static RemoteDirectory choose(SshTarget target) throws IOException {
        String path = "/tmp/paddock-" + UUID.randomUUID();
        PrivateState record = PrivateState.create(RECORDS);
        try (Writer file = Files.newBufferedWriter(record.directory().resolve(FILE))) {
            Properties values = new Properties();
            values.setProperty("path", path);
            values.setProperty("host", target.host());
            values.setProperty("timeout", Long.toString(target.connectTimeout().toSeconds()));
            target.configFile()
                    .ifPresent(config ->
                            values.setProperty("config", config.toAbsolutePath().toString()));
            target.identity()
                    .ifPresent(key ->
                            values.setProperty("identity", key.toAbsolutePath().toString()));
            target.port().ifPresent(number -> values.setProperty("port", Integer.toString(number)));
            values.store(file, null);
        } catch (IOException fault) {
            record.close();
            throw fault;
        }
        return new RemoteDirectory(target, path, record);
    }

    /** Returns its path on the host. */
    String path() {
        return path;
    }

    /**
     * Removes the directory, and the record of it.
     *
     * @return whether it is removed completely; if not, the record stays
     * @throws ExecutorException if the connection has ended
     */
    boolean remove(SshConnection connection) {
        String fault = connection.output("rm -rf -- " + ShellQuoting.posix(path) + " 2>&1");
        if (!fault.isBlank()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the directory ''{0}'' is left on the host ''{1}'': {2}",
                    path,
                    target.host(),
                    fault.strip());
            return false;
        }
        forget();
        return true;
    }

    /** Removes the record of a directory that was never created. */
    void forget() {
        record.close();
    }

    /** Removes directories of dead JVMs from a connected host. */
    static void removeLeft(SshTarget host, SshConnection connection) {
        for (RemoteDirectory each : left()) {
            if (each.target.equals(host)) {
                try {
                    boolean unused = each.remove(connection);
                } catch (ExecutorException fault) {
                    LOG.log(System.Logger.Level.DEBUG, "a directory of a dead JVM is left on a host", fault);
                    return;
                }
            }
        }
    }

    /**
     * Removes directories of dead JVMs from every recorded host; connects to each.
     *
     * @return one phrase per directory: removed, to be removed, or not removable
     */
    static List<String> sweep(SweepMode mode) {
        List<String> done = new ArrayList<>();
        for (RemoteDirectory each : left()) {
            done.add(mode.apply(
                    "remove the directory '" + each.path + "' on the host '" + each.target.host() + "'",
                    each::connectAndRemove));
        }
        return done;
    }

    private String connectAndRemove() {
        String what = "the directory '" + path + "' on the host '" + target.host() + "'";
        try (PrivateState sockets = PrivateState.create(SshExecutor.BACKEND);
                SshProcesses processes = SshProcesses.create(target);
                SshConnection connection = new SshConnection(processes, sockets.directory())) {
            return remove(connection) ? "removed " + what : "could not remove all of " + what;
        } catch (AbortedException interrupted) {
            throw interrupted;
        } catch (IOException | ExecutorException fault) {
            return "could not remove " + what + ": " + fault.getMessage() + "; the next sweep tries again";
        }
    }

    private static List<RemoteDirectory> left() {
        List<RemoteDirectory> left = new ArrayList<>();
        try {
            for (PrivateState record : PrivateState.abandoned(RECORDS)) {
                read(record).ifPresentOrElse(left::add, record::close);
            }
        } catch (IOException fault) {
            LOG.log(System.Logger.Level.WARNING, "the records of directories on other hosts cannot be read", fault);
        }
        return left;
    }

    /** Reads a record; empty if its JVM was killed before it was complete, and so before it connected. */
    private static Optional<RemoteDirectory> read(PrivateState record) throws IOException {
        Path file = record.directory().resolve(FILE);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        Properties values = new Properties();
        try (Reader text = Files.newBufferedReader(file)) {
            values.load(text);
            String path = values.getProperty("path", "");
            if (!PATH.matcher(path).matches()) {
                return Optional.empty();
            }
            SshTarget target = new SshTarget(
                    values.getProperty("host", ""),
                    Optional.ofNullable(values.getProperty("config")).map(Path::of),
                    Optional.ofNullable(values.getProperty("identity")).map(Path::of),
                    values.containsKey("port")
                            ? OptionalInt.of(Integer.parseInt(values.getProperty("port")))
                            : OptionalInt.empty(),
                    Duration.ofSeconds(Long.parseLong(values.getProperty("timeout", "10"))));
            return Optional.of(new RemoteDirectory(target, path, record));
        } catch (IllegalArgumentException garbled) {
            return Optional.empty();
        }
    }
}
