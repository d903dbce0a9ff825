package dev.paddock.executor.sandbox.network;

import dev.paddock.executor.log.LateLogger;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Keeps what was denied, for the reports of commands, and logs every connection. */
final class ConnectionLog {
    private static final System.Logger LOG = LateLogger.of(ConnectionLog.class);
    private static final int MOST_KEPT = 256;
    private static final int MOST_REPORTED = 5;
    private static final int LONGEST_NAME = 255;

    private final String allowed;
    private final Deque<Denial> denials = new ArrayDeque<>();
    private long count;

    private record Denial(long number, String text) {}

    ConnectionLog(AllowedHosts hosts) {
        allowed = hosts.text();
    }

    /** Records a name that no rule has: any bytes that a command chose. */
    void deniedName(String name) {
        String plain = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        String shown =
                plain.substring(0, Math.min(plain.length(), LONGEST_NAME)).replaceAll("[^!-~]", "?");
        denied(shown, 0, "not allowed");
    }

    /** Records a denied host; port 0 for a lookup of its name. */
    void denied(String host, int port, String reason) {
        String place = port == 0 ? host : host + ":" + port;
        keep(place + " was not reached: " + reason);
        LOG.log(System.Logger.Level.DEBUG, () -> "Denied to a command: " + place + ": " + reason);
    }

    /** Records a connection that was allowed, with its bytes from and to the command. */
    void ended(AllowedHosts.Grant grant, String reason, long sent, long received, Duration lasted) {
        LOG.log(
                System.Logger.Level.DEBUG,
                () -> "A command's connection to " + grant.host() + ":" + grant.port() + " has ended after "
                        + lasted.toMillis() + " ms, " + sent + " bytes sent, " + received + " received"
                        + (reason.isEmpty() ? "" : ": " + reason));
    }

    private synchronized void keep(String text) {
        if (denials.size() == MOST_KEPT) {
            denials.removeFirst();
        }
        denials.addLast(new Denial(count, text));
        count++;
    }

    /** Returns a mark for {@link #since}. */
    synchronized long mark() {
        return count;
    }

    /** Returns a sentence on what was denied since a mark; none if nothing was. */
    synchronized List<String> since(long mark) {
        Set<String> texts = new LinkedHashSet<>();
        denials.stream().filter(denial -> denial.number() >= mark).forEach(denial -> texts.add(denial.text()));
        if (texts.isEmpty()) {
            return List.of();
        }
        String shown = String.join("; ", texts.stream().limit(MOST_REPORTED).toList());
        String more = texts.size() > MOST_REPORTED ? "; and " + (texts.size() - MOST_REPORTED) + " more" : "";
        return List.of(shown + more + ". Allowed: " + allowed + ".");
    }
}
