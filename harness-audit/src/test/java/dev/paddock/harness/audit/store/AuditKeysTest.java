package dev.paddock.harness.audit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.harness.audit.AuditException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditKeysTest {
    private static final int ROTATIONS = 300;

    @TempDir
    Path directory;

    /** Another process completes each rotation while this one looks for its key. */
    @Test
    void keyIsFoundWhileRotationIsCompleted() throws Exception {
        AuditKeys keys = new AuditKeys(directory.resolve("audit.key"), Optional.empty());
        AuditKey unused = keys.create();
        for (int rotation = 0; rotation < ROTATIONS; rotation++) {
            String id = keys.createNext().id();
            CompletableFuture<Void> completed = CompletableFuture.runAsync(() -> complete(keys, id));
            while (!completed.isDone()) {
                assertThat(keys.withId(id).id()).isEqualTo(id);
            }
            completed.join();
            assertThat(keys.existing().id()).isEqualTo(id);
        }
    }

    @Test
    void fileThatIsLongerThanKeyIsNotReadToItsEnd() throws Exception {
        Path file = directory.resolve("audit.key");
        AuditKey key = AuditKey.readOrCreate(file);
        assertThat(AuditKey.read(file).id()).as("the control").isEqualTo(key.id());
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(8L << 30);
        }
        assertThatThrownBy(() -> AuditKey.read(file))
                .isInstanceOf(AuditException.class)
                .hasMessageContaining("is not 64 hexadecimal digits");
    }

    private static void complete(AuditKeys keys, String id) {
        try {
            keys.settle(id);
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }
}
