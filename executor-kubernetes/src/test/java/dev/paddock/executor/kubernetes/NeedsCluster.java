package dev.paddock.executor.kubernetes;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Skips a test class where there is no {@linkplain TestCluster cluster}, before any of its methods runs:
 * what cleans up after each test would not find what the skipped preparation should have made. Classes of
 * several JVMs use the cluster at the same time, unless one of them must be {@linkplain Use#ALONE alone}. A class that
 * waits for that may wait for as long as the other JVM has classes: it should be the module's last.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsCluster.Claim.class)
public @interface NeedsCluster {

    /** Alone, if the class stops the servers of the cluster. */
    Use servers() default Use.SHARED;

    /** How the class uses the resources of agent-sandbox. Alone, if it removes their definitions. */
    Use sandboxes() default Use.NONE;

    /** How a class uses a part of the cluster. */
    enum Use {
        NONE,
        /** Together with other classes. */
        SHARED,
        /** While no other class does. */
        ALONE
    }

    /** Looks for the cluster, and waits for the other classes that use it, as far as it must. */
    final class Claim implements BeforeAllCallback {
        private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(Claim.class);
        private static final Path SERVERS = Path.of("target", "cluster.lock");
        private static final Path SANDBOXES = Path.of("target", "sandboxes.lock");

        @Override
        public void beforeAll(ExtensionContext context) throws IOException {
            TestCluster.letRun();
            NeedsCluster needs = AnnotationSupport.findAnnotation(context.getRequiredTestClass(), NeedsCluster.class)
                    .orElseThrow();
            claim(context, SERVERS, needs.servers());
            claim(context, SANDBOXES, needs.sandboxes());
        }

        private static void claim(ExtensionContext context, Path file, Use use) throws IOException {
            if (use != Use.NONE) {
                FileLock lock = FileChannel.open(
                                file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)
                        .lock(0, Long.MAX_VALUE, use == Use.SHARED);
                context.getStore(NAMESPACE).put(file, new Held(lock));
            }
        }
    }

    /** The claim, which the end of the class gives up. */
    record Held(FileLock lock) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            lock.acquiredBy().close();
        }
    }
}
