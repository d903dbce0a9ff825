package dev.paddock.executor.network;

import dev.paddock.executor.HostConnection;
import dev.paddock.executor.log.LateLogger;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Records the unreached hosts, for the reports of commands, and reports every connection. */
final class ConnectionLog implements RelayedConnection.Observer {
    private static final System.Logger LOG = LateLogger.of(ConnectionLog.class);
    private static final int MAX_KEPT = 256;
    private static final int MAX_REPORTED = 5;
    private static final int MAX_NAME_LENGTH = 255;

    /** A program asks for a name several times in a row: for IPv4, for IPv6, and again. */
    private static final long SAME_LOOKUP_NANOS = 1_000_000_000;

    private final String allowed;
    private final String reason;
    private final Deque<Failure> failures = new ArrayDeque<>();
    private final List<Consumer<HostConnection>> observers = new CopyOnWriteArrayList<>();
    private long count;

    private record Failure(long number, long nanoTime, String text, boolean denied) {}

    ConnectionLog(AllowedHosts hosts) {
        this(hosts, "not allowed");
    }

    /**
     * Creates a log.
     *
     * @param reason why names without a rule are denied
     */
    ConnectionLog(AllowedHosts hosts, String reason) {
        allowed = hosts.text();
        this.reason = reason;
    }

    /** Registers an observer of all later connections. */
    void observe(Consumer<HostConnection> observer) {
        observers.add(observer);
    }

    /** Records a name without a rule: any bytes that a command chose. */
    void deniedName(String name) {
        String plain = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        String shown =
                plain.substring(0, Math.min(plain.length(), MAX_NAME_LENGTH)).replaceAll("[^!-~]", "?");
        denied(shown, OptionalInt.empty(), reason);
    }

    /** Records a host that was denied at once; without a port, its look-up was denied. */
    void denied(String host, OptionalInt port, String reason) {
        boolean asked = port.isEmpty() && wasJustDenied(host);
        HostConnection.Builder connection =
                HostConnection.builder(host).allowed(false).reason(reason);
        port.ifPresent(connection::port);
        ended(connection.build(), false, asked);
    }

    @Override
    public void ended(HostConnection connection, boolean reached) {
        ended(connection, reached, false);
    }

    private void ended(HostConnection connection, boolean reached, boolean isRepeated) {
        if (!reached || !connection.allowed()) {
            keep(target(connection) + " was not reached: " + connection.reason().orElse(""), !connection.allowed());
        }
        LOG.log(System.Logger.Level.DEBUG, () -> "A command's connection has ended: " + connection);
        if (!isRepeated) {
            observers.forEach(observer -> observer.accept(connection));
        }
    }

    private static String target(HostConnection connection) {
        OptionalInt port = connection.port();
        return port.isPresent() ? connection.host() + ":" + port.getAsInt() : connection.host();
    }

    private synchronized boolean wasJustDenied(String name) {
        long since = System.nanoTime() - SAME_LOOKUP_NANOS;
        String start = name + " was ";
        return failures.stream()
                .anyMatch(failure -> failure.nanoTime() - since > 0
                        && failure.denied()
                        && failure.text().startsWith(start));
    }

    private synchronized void keep(String text, boolean denied) {
        if (failures.size() == MAX_KEPT) {
            failures.removeFirst();
        }
        failures.addLast(new Failure(count, System.nanoTime(), text, denied));
        count++;
    }

    /** Returns a mark for {@link #since}. */
    synchronized long mark() {
        return count;
    }

    /** Returns a sentence on the hosts that were not reached since a mark; none if there are none. */
    synchronized List<String> since(long mark) {
        List<Failure> found =
                failures.stream().filter(failure -> failure.number() >= mark).toList();
        if (found.isEmpty()) {
            return List.of();
        }
        Set<String> texts =
                new LinkedHashSet<>(found.stream().map(Failure::text).toList());
        String shown = String.join("; ", texts.stream().limit(MAX_REPORTED).toList());
        String more = texts.size() > MAX_REPORTED ? "; and " + (texts.size() - MAX_REPORTED) + " more" : "";
        String rules = found.stream().anyMatch(Failure::denied) ? " Allowed: " + allowed + "." : "";
        return List.of(shown + more + "." + rules);
    }
}
