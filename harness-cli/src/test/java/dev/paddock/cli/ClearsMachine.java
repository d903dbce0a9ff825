package dev.paddock.cli;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A test that runs {@code paddock gc}, which clears the whole machine: of those of all JVMs one runs at a
 * time.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ClearsMachine.Turn.class)
public @interface ClearsMachine {

    /** Waits for the other tests. */
    final class Turn implements BeforeEachCallback {
        private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(Turn.class);

        private static final Path FILE = Path.of("target", "gc.lock");

        @Override
        public void beforeEach(ExtensionContext context) throws IOException {
            FileLock lock = FileChannel.open(FILE, StandardOpenOption.CREATE, StandardOpenOption.WRITE)
                    .lock();
            context.getStore(NAMESPACE).put(FILE, new Held(lock));
        }
    }

    /** The turn, which ends with the test. */
    record Held(FileLock lock) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            lock.acquiredBy().close();
        }
    }
}
