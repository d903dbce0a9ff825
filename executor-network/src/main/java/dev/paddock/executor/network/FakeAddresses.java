package dev.paddock.executor.network;

import dev.paddock.executor.policy.HostRule;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Assigns an address of 198.18.0.0/15, which is reserved for tests of devices, to each name that a command looks up. An
 * address keeps its name for the executor's lifetime. {@code localhost} has only 127.0.0.1 of the loopback.
 * Thread-safe.
 */
final class FakeAddresses {
    /** The address of the namespace's interface. */
    static final byte[] OWN = {(byte) 198, 18, 0, 1};

    static final byte[] MASK = {(byte) 255, (byte) 254, 0, 0};

    /** Bounds the memory that a command can fill with names below wildcards. */
    static final int MAX_NAMES = 4096;

    /** Bounds the data that a command can pass to a domain in the names that it looks up below it. */
    static final int MAX_NAMES_BELOW = 1024;

    static final String LOCALHOST = "localhost";
    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final int FIRST = 2;

    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> names = new ArrayList<>();
    private final Map<String, Integer> below = new HashMap<>();
    private int allBelow;

    /**
     * Returns the address of a name. A name that a rule lists exactly always has one.
     *
     * @param rule names the host
     * @return empty if too many names exist below the rule's domain, or below all
     */
    Optional<byte[]> of(String host, HostRule rule) {
        return host.equals(LOCALHOST)
                ? Optional.of(LOOPBACK.clone())
                : of(host, rule.isWildcard() ? Optional.of(rule.domain()) : Optional.empty());
    }

    /** Returns the address of a name that no rule has, but about whose connections the approver decides. */
    Optional<byte[]> ofAsked(String host) {
        return of(host, Optional.of(""));
    }

    private synchronized Optional<byte[]> of(String host, Optional<String> domain) {
        Integer number = numbers.get(host);
        if (number == null) {
            if (domain.isPresent()) {
                int count = below.getOrDefault(domain.get(), 0);
                if (count == MAX_NAMES_BELOW || allBelow == MAX_NAMES) {
                    return Optional.empty();
                }
                below.put(domain.get(), count + 1);
                allBelow++;
            }
            number = names.size() + FIRST;
            names.add(host);
            numbers.put(host, number);
        }
        return Optional.of(new byte[] {OWN[0], OWN[1], (byte) (number >> 8), (byte) (int) number});
    }

    /** Returns the name of an assigned address. */
    synchronized Optional<String> host(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (Arrays.equals(bytes, LOOPBACK)) {
            return Optional.of(LOCALHOST);
        }
        if (bytes.length != OWN.length || bytes[0] != OWN[0] || bytes[1] != OWN[1]) {
            return Optional.empty();
        }
        int index = (((bytes[2] & 0xff) << 8) | (bytes[3] & 0xff)) - FIRST;
        return index < 0 || index >= names.size() ? Optional.empty() : Optional.of(names.get(index));
    }
}
