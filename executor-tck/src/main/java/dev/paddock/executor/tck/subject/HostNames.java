package dev.paddock.executor.tck.subject;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.CountDownLatch;

/**
 * Names that the JVM of the tests resolves to addresses that a test chooses. The suite needs them to
 * prove a network of allowed hosts, but does not provide a resolver, which acts on the whole JVM. An integrator
 * whose executor claims {@link dev.paddock.executor.Guarantee#NETWORK_ALLOWED_HOSTS} implements a {@link
 * java.net.spi.InetAddressResolverProvider} together with this service. Without it, those tests are
 * skipped.
 *
 * @since 0.1
 */
public interface HostNames {
    /**
     * Assigns addresses to a name.
     *
     * @param label the name's first part
     * @param addresses its addresses, as literals
     * @return the whole name
     */
    String give(String label, String... addresses);

    /**
     * Delays the lookup of a name.
     *
     * @param name a name that has addresses
     * @param event what it waits for
     */
    void delayUntil(String name, CountDownLatch event);

    /**
     * Returns the names of this JVM; skips the calling test if there are none.
     *
     * @return the service
     */
    static HostNames require() {
        Optional<HostNames> names = ServiceLoader.load(HostNames.class, HostNames.class.getClassLoader())
                .findFirst();
        assumeTrue(
                names.isPresent(),
                "no service " + HostNames.class.getName() + ": tests cannot choose how this JVM resolves names");
        return names.orElseThrow();
    }
}
