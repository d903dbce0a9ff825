package dev.paddock.executor.policy;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A host, or the hosts below a domain, that commands may connect to.
 *
 * <p>Written {@code example.org}, {@code *.example.org}, {@code example.org:443,8443},
 * {@code git.corp.example:22/private} or {@code example.org/100m}. Without ports, 80 and 443 are meant.
 *
 * <p>{@code localhost:5432} is that port of the loopback of the machine that runs this JVM: commands reach it at
 * {@code 127.0.0.1} and {@code localhost} as well, in place of a server of their own. {@code
 * host.internal:5432} is the same port under that name alone, which leaves commands their own. Both name
 * their ports; {@link #isLoopback}.
 *
 * @since 0.1
 */
public final class HostRule {
    private static final SortedSet<Integer> WEB = new TreeSet<>(List.of(80, 443));
    private static final String PRIVATE = "private";

    /** The machine's loopback, in place of the commands' own. */
    private static final String LOCALHOST = "localhost";

    /** The machine's loopback, in addition to the commands' own. */
    private static final String HOST_INTERNAL = "host.internal";

    private static final String OPTION = "/";
    private static final Pattern SIZE = Pattern.compile("[0-9]+[bkmgBKMG]?");
    private static final List<String> UNITS = List.of("g", "m", "k");
    private static final int UNIT_BITS = 10;
    private static final String BELOW = "*.";
    private static final int MAX_PORT = 65_535;
    private static final int MAX_NAME_LENGTH = 253;
    private static final Pattern LABELS =
            Pattern.compile("(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?");

    /** Matches every text that some resolver takes for an address, such as 127.1 or 0x7f000001. */
    private static final Pattern NUMBER = Pattern.compile("(?:.*\\.)?(?:[0-9]+|0x[0-9a-f]*)");

    private final String domain;
    private final boolean isWildcard;
    private final SortedSet<Integer> ports;
    private final boolean allowsPrivate;
    private final OptionalLong mostBytes;

    private HostRule(
            String domain,
            boolean isWildcard,
            SortedSet<Integer> ports,
            boolean allowsPrivate,
            OptionalLong mostBytes) {
        ports = Collections.unmodifiableSortedSet(new TreeSet<>(ports));
        requireName(domain, isWildcard);
        if (ports.isEmpty() || ports.first() < 1 || ports.last() > MAX_PORT) {
            throw new IllegalArgumentException("the ports of '" + domain + "' are not within 1 and 65535: " + ports);
        }
        if (mostBytes.isPresent() && mostBytes.getAsLong() < 1) {
            throw invalid(domain + OPTION + mostBytes.getAsLong(), "it allows no bytes; leave the rule out");
        }
        if (allowsPrivate && isLoopback(domain)) {
            throw invalid(domain + OPTION + PRIVATE, "it is this machine's in any case; leave out /private");
        }
        this.domain = domain;
        this.isWildcard = isWildcard;
        this.ports = ports;
        this.allowsPrivate = allowsPrivate;
        this.mostBytes = mostBytes;
    }

    /**
     * Parses a rule.
     *
     * @param text such as {@code *.example.org:443,8443}
     * @return the rule
     * @throws IllegalArgumentException if it is not one; the message says why
     */
    public static HostRule parse(String text) {
        List<String> parts = List.of(text.split(OPTION, -1));
        String host = parts.get(0);
        List<String> options = parts.subList(1, parts.size());
        List<String> sizes = options.stream()
                .filter(option -> SIZE.matcher(option).matches())
                .toList();
        boolean isPrivate = options.contains(PRIVATE);
        if (host.contains("@") || sizes.size() > 1 || options.size() != sizes.size() + (isPrivate ? 1 : 0)) {
            throw invalid(
                    text,
                    "it is a host with ports, and perhaps /private and /SIZE, not a URL: leave out the"
                            + " scheme, the user and the path");
        }
        if (host.startsWith("[") || host.indexOf(':') != host.lastIndexOf(':')) {
            throw invalid(text, "it is an address; name a host");
        }
        int colon = host.indexOf(':');
        SortedSet<Integer> ports = colon < 0 ? WEB : ports(text, host.substring(colon + 1));
        String name = colon < 0 ? host : host.substring(0, colon);
        boolean isWildcard = name.startsWith(BELOW);
        String domain = isWildcard ? name.substring(BELOW.length()) : name;
        if (colon < 0 && canonical(domain).filter(HostRule::isLoopback).isPresent()) {
            throw invalid(text, "name the ports of this machine that commands may reach, as in localhost:5432");
        }
        return new HostRule(
                canonical(domain).orElseThrow(() -> invalid(text, reason(domain))),
                isWildcard,
                ports,
                isPrivate,
                sizes.isEmpty() ? OptionalLong.empty() : OptionalLong.of(ResourceLimits.parseBytes(sizes.get(0))));
    }

    private static SortedSet<Integer> ports(String text, String list) {
        SortedSet<Integer> ports = new TreeSet<>();
        for (String port : list.split(",", -1)) {
            if (!port.matches("[0-9]{1,5}")) {
                throw invalid(text, "'" + port + "' is no port; write ports as in example.org:443,8443");
            }
            ports.add(Integer.parseInt(port));
        }
        return ports;
    }

    private static String reason(String domain) {
        return domain.isEmpty() || domain.equals("*")
                ? "it names no host; 'network: open' allows all of them"
                : domain.chars().allMatch(letter -> letter < 0x80)
                        ? "a name consists of letters, digits and hyphens between dots, and a wildcard is '*.' at its"
                                + " beginning"
                        : "write the name in ASCII, as xn--…";
    }

    private static IllegalArgumentException invalid(String text, String why) {
        return new IllegalArgumentException("the network rule '" + printable(text) + "' cannot be used: " + why);
    }

    private static String printable(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }

    private static void requireName(String domain, boolean isWildcard) {
        if (!canonical(domain).filter(domain::equals).isPresent()) {
            throw invalid(domain, reason(domain));
        }
        if (NUMBER.matcher(domain).matches()) {
            throw invalid(domain, "it is an address; name a host");
        }
        if (domain.endsWith("." + LOCALHOST) || (isWildcard && isLoopback(domain))) {
            throw invalid(
                    isWildcard ? BELOW + domain : domain,
                    "names below localhost are the sandbox's own; name a port of this machine as localhost:5432");
        }
        if (isWildcard && domain.indexOf('.') < 0) {
            throw invalid(BELOW + domain, "it is a whole top-level domain");
        }
    }

    /**
     * Returns a name in the form in which names are compared: lower case, without a final dot.
     *
     * @param name a name from anywhere
     * @return the name; empty if it is not one of letters, digits and hyphens between dots
     */
    public static Optional<String> canonical(String name) {
        String plain = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        // Before it is lower case: some letters outside of ASCII have a lower case in it.
        if (plain.length() > MAX_NAME_LENGTH || !plain.chars().allMatch(letter -> letter > 0x20 && letter < 0x7f)) {
            return Optional.empty();
        }
        return Optional.of(plain.toLowerCase(Locale.ROOT))
                .filter(lower -> LABELS.matcher(lower).matches());
    }

    /**
     * Returns whether the rule means ports of the loopback of the machine that runs this JVM.
     *
     * @return whether the domain is {@code localhost} or {@code host.internal}
     */
    public boolean isLoopback() {
        return isLoopback(domain);
    }

    private static boolean isLoopback(String domain) {
        return domain.equals(LOCALHOST) || domain.equals(HOST_INTERNAL);
    }

    /**
     * Returns whether the rule matches a host.
     *
     * @param host its name, as {@link #canonical} returns it
     * @return whether the rule names it
     */
    public boolean names(String host) {
        return isWildcard ? host.endsWith("." + domain) : host.equals(domain);
    }

    /**
     * Returns this rule for the hosts below the domain.
     *
     * @return the rule with {@code *.} before the domain
     * @throws IllegalArgumentException if the domain is a top-level one, or this machine
     */
    public HostRule below() {
        return new HostRule(domain, true, ports, allowsPrivate, mostBytes);
    }

    /**
     * Returns whether another rule allows all that this one does.
     *
     * @param other the other rule
     * @return whether nothing is left that only this one allows
     */
    public boolean isWithin(HostRule other) {
        boolean isNamed = isWildcard
                ? other.isWildcard && (domain.equals(other.domain) || other.names(domain))
                : other.names(domain);
        boolean isBounded = other.mostBytes.isEmpty()
                || (mostBytes.isPresent() && mostBytes.getAsLong() <= other.mostBytes.getAsLong());
        return isNamed && isBounded && other.ports.containsAll(ports) && (!allowsPrivate || other.allowsPrivate);
    }

    /** Returns the rule as {@link #parse} reads it. */
    @Override
    public String toString() {
        String list = ports.equals(WEB) && !isLoopback()
                ? ""
                : ports.stream().map(String::valueOf).collect(Collectors.joining(",", ":", ""));
        return (isWildcard ? BELOW : "")
                + domain
                + list
                + (allowsPrivate ? OPTION + PRIVATE : "")
                + (mostBytes.isPresent() ? OPTION + size(mostBytes.getAsLong()) : "");
    }

    private static String size(long bytes) {
        for (int index = 0; index < UNITS.size(); index++) {
            long unit = 1L << (UNIT_BITS * (UNITS.size() - index));
            if (bytes % unit == 0) {
                return bytes / unit + UNITS.get(index);
            }
        }
        return Long.toString(bytes);
    }

    /** {@return the host's name, or the domain's, as {@link #canonical} returns it} */
    public String domain() {
        return domain;
    }

    /** {@return whether the hosts below the domain are meant, at any depth; not the domain itself} */
    public boolean isWildcard() {
        return isWildcard;
    }

    /** {@return the ports, at least one, each within 1 to 65535} */
    public SortedSet<Integer> ports() {
        return ports;
    }

    /**
     * {@return whether the host may have a loopback or private address; otherwise only public ones are
     * connected to; false for the loopback, which has no other}
     */
    public boolean allowsPrivate() {
        return allowsPrivate;
    }

    /**
     * {@return how many bytes the executor's commands may exchange with the rule's hosts, both directions
     * and all connections added up; at least 1; empty if they are not counted}
     */
    public OptionalLong mostBytes() {
        return mostBytes;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof HostRule that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    private List<Object> parts() {
        return List.of(domain, isWildcard, ports, allowsPrivate, mostBytes);
    }
}
