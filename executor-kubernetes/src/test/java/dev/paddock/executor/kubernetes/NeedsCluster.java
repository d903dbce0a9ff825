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
 * several JVMs use the cluster at the same time, unless one of them must be {@link #alone}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsCluster.Claim.class)
public @interface NeedsCluster {

    /** Whether no other class may use the cluster meanwhile: this one stops its servers. */
    boolean alone() default false;

    /** Looks for the cluster, and waits for the other classes that use it, as far as it must. */
    final class Claim implements BeforeAllCallback {
        private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(Claim.class);
        private static final Path FILE = Path.of("target", "cluster.lock");

        @Override
        public void beforeAll(ExtensionContext context) throws IOException {
            Path unused = TestCluster.kubeconfig();
            boolean alone = AnnotationSupport.findAnnotation(context.getRequiredTestClass(), NeedsCluster.class)
                    .orElseThrow()
                    .alone();
            context.getStore(NAMESPACE).put(FILE, new Held(lock(alone)));
        }

        private static FileLock lock(boolean alone) throws IOException {
            return FileChannel.open(FILE, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)
                    .lock(0, Long.MAX_VALUE, !alone);
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
