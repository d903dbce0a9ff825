package dev.paddock.executor.kubernetes;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips a test class where there is no {@linkplain TestCluster cluster}, before any of its methods runs:
 * what cleans up after each test would not find what the skipped preparation should have made.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsCluster.Required.class)
public @interface NeedsCluster {

    /** Looks for the cluster. */
    final class Required implements BeforeAllCallback {
        @Override
        public void beforeAll(ExtensionContext context) {
            Path unused = TestCluster.kubeconfig();
        }
    }
}
