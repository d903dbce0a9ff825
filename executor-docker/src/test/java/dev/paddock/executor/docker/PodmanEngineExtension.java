package dev.paddock.executor.docker;

import java.io.IOException;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Starts an engine of Podman's before a test class, and ends it after everything that the class has left open. */
final class PodmanEngineExtension implements BeforeAllCallback {
    /** Its address, as a system property: a contract passes it on to the JVM that it kills. */
    static final String ADDRESS = "paddock.test.podman";

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        PodmanEngine engine = PodmanEngine.start();
        System.setProperty(ADDRESS, engine.host());
        context.getRoot()
                .getStore(ExtensionContext.Namespace.create(PodmanEngineExtension.class))
                .put(context.getRequiredTestClass(), new Started(engine));
    }

    private record Started(PodmanEngine engine) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            System.clearProperty(ADDRESS);
            engine.close();
        }
    }
}
