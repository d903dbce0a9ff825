package dev.paddock.executor.tck.subject;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/**
 * Resolves the names of tests in this JVM, below {@value #DOMAIN}, to addresses that the tests
 * choose; all other names as usual. The service loader creates it.
 */
public final class TestNames extends InetAddressResolverProvider {
    /** The domain below which tests have names. */
    public static final String DOMAIN = "names.paddock.example";

    private static final CountDownLatch NONE = new CountDownLatch(0);
    private static final Map<String, List<InetAddress>> ADDRESSES = new ConcurrentHashMap<>();
    private static final Map<String, CountDownLatch> DELAYS = new ConcurrentHashMap<>();

    /** Creates the provider. */
    public TestNames() {}

    /**
     * Gives a name addresses.
     *
     * @param label the name's first part
     * @param addresses its addresses, as literals
     * @return the whole name
     */
    public static String put(String label, String... addresses) {
        String name = label + "." + DOMAIN;
        ADDRESSES.put(name, Stream.of(addresses).map(TestNames::literal).toList());
        return name;
    }

    /**
     * Makes the look-up of a name wait.
     *
     * @param name a name that has addresses
     * @param until what it waits for
     */
    public static void delay(String name, CountDownLatch until) {
        DELAYS.put(name, until);
    }

    private static void await(String name) {
        try {
            DELAYS.getOrDefault(name, NONE).await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static InetAddress literal(String address) {
        try {
            return InetAddress.getByName(address);
        } catch (UnknownHostException malformed) {
            throw new IllegalArgumentException(address, malformed);
        }
    }

    @Override
    public String name() {
        return "paddock-test-names";
    }

    @Override
    public InetAddressResolver get(Configuration configuration) {
        InetAddressResolver usual = configuration.builtinResolver();
        return new InetAddressResolver() {
            @Override
            public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
                if (!host.endsWith("." + DOMAIN)) {
                    return usual.lookupByName(host, policy);
                }
                await(host);
                List<InetAddress> found = ADDRESSES.get(host);
                if (found == null) {
                    throw new UnknownHostException(host);
                }
                return found.stream();
            }

            @Override
            public String lookupByAddress(byte[] address) throws UnknownHostException {
                return usual.lookupByAddress(address);
            }
        };
    }
}
