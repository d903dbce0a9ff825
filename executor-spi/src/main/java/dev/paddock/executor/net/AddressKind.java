package dev.paddock.executor.net;

import java.io.IOException;
import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.DatagramChannel;
import java.util.Arrays;
import java.util.List;

/**
 * Distinguishes public addresses from those of the host, its networks and special uses, by IANA's
 * registries of IPv4 and IPv6 special-purpose addresses. In IPv6, only global unicast counts as
 * public; if an IPv6 address embeds an IPv4 address, the IPv4 address decides.
 */
public enum AddressKind {
    /** Reachable by everyone. */
    PUBLIC,
    /** The host's own, or of the networks around it: loopback, private use, shared use. */
    PRIVATE,
    /** Of a special use, such as link-local, where clouds serve credentials, or unassigned. */
    SPECIAL;

    private static final List<Range> PRIVATE_RANGES = List.of(
            Range.of("10.0.0.0", 8),
            Range.of("100.64.0.0", 10), // carrier-grade NAT
            Range.of("127.0.0.0", 8),
            Range.of("172.16.0.0", 12),
            Range.of("192.168.0.0", 16),
            Range.of("::1", 128),
            Range.of("fc00::", 7)); // unique local

    private static final List<Range> SPECIAL_IPV4 = List.of(
            Range.of("0.0.0.0", 8),
            Range.of("168.63.129.16", 32), // a public number, at which Azure serves its machines' agents
            Range.of("169.254.0.0", 16), // link-local; clouds serve credentials here
            Range.of("192.0.0.0", 24),
            Range.of("192.0.2.0", 24),
            Range.of("192.88.99.0", 24), // 6to4 relay anycast
            Range.of("198.18.0.0", 15),
            Range.of("198.51.100.0", 24),
            Range.of("203.0.113.0", 24),
            Range.of("224.0.0.0", 4), // multicast
            Range.of("240.0.0.0", 4)); // reserved, and broadcast

    private static final Range GLOBAL_UNICAST = Range.of("2000::", 3);
    private static final List<Range> SPECIAL_IPV6 = List.of(
            Range.of("2001::", 23), // protocol assignments, including Teredo
            Range.of("2001:db8::", 32),
            Range.of("2002::", 16), // 6to4, embeds an IPv4 address; rarely used
            Range.of("3fff::", 20));

    /**
     * The NAT64 prefix, through which networks without IPv4 reach it; the last four bytes are the
     * IPv4 address.
     */
    private static final Range TRANSLATED = Range.of("64:ff9b::", 96);

    private static final int IPV4_BYTES = 4;

    /**
     * Returns the kind of an address.
     *
     * @param address the address
     * @return its kind
     */
    public static AddressKind of(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (TRANSLATED.contains(bytes)) {
            return of(address(Arrays.copyOfRange(bytes, bytes.length - IPV4_BYTES, bytes.length)));
        }
        if (isIn(PRIVATE_RANGES, bytes)) {
            return PRIVATE;
        }
        boolean isPublic = address instanceof Inet4Address
                ? !isIn(SPECIAL_IPV4, bytes)
                : GLOBAL_UNICAST.contains(bytes) && !isIn(SPECIAL_IPV6, bytes);
        return isPublic ? PUBLIC : SPECIAL;
    }

    /**
     * Returns the kind of an address as this machine reaches it now: an address of its own is
     * {@link #PRIVATE}, whatever its range, since a server may listen there that no firewall lets
     * others reach.
     *
     * @param address the address
     * @return its kind
     */
    public static AddressKind fromHere(InetAddress address) {
        AddressKind kind = of(address);
        return kind == PUBLIC && isOfThisMachine(address) ? PRIVATE : kind;
    }

    /**
     * Returns whether this machine reaches an address as a public one.
     *
     * @param address the address
     * @return true if its kind is {@link #PUBLIC}, and it is not one of this machine's
     */
    public static boolean isPublic(InetAddress address) {
        return fromHere(address) == PUBLIC;
    }

    /** Asks the kernel: the route to an address of the machine itself has that address as its source. */
    private static boolean isOfThisMachine(InetAddress address) {
        try (DatagramChannel route = DatagramChannel.open()) {
            route.connect(new InetSocketAddress(address, 1)); // sends nothing
            return route.getLocalAddress() instanceof InetSocketAddress source && address.equals(source.getAddress());
        } catch (IOException unreachable) {
            return false;
        }
    }

    private static boolean isIn(List<Range> ranges, byte[] address) {
        return ranges.stream().anyMatch(range -> range.contains(address));
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Holds a range of addresses with a common prefix.
     *
     * @param start an address in the range, as a number
     * @param length how many bits an address has
     * @param bits the length of the prefix in bits
     */
    private record Range(BigInteger start, int length, int bits) {
        static Range of(String literal, int bits) {
            try {
                byte[] address = InetAddress.getByName(literal).getAddress();
                return new Range(new BigInteger(1, address), address.length * Byte.SIZE, bits);
            } catch (UnknownHostException impossible) {
                throw new IllegalStateException(impossible);
            }
        }

        boolean contains(byte[] address) {
            return address.length * Byte.SIZE == length
                    && new BigInteger(1, address)
                                    .xor(start)
                                    .shiftRight(length - bits)
                                    .signum()
                            == 0;
        }
    }
}
