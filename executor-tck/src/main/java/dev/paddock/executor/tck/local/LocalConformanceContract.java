package dev.paddock.executor.tck.local;

import dev.paddock.executor.tck.ConformanceContract;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

/**
 * The conformance contract of a backend with the setting {@code quarantine}.
 *
 * @since 0.1
 */
public abstract class LocalConformanceContract extends ConformanceContract {

    @TempDir
    private static Path quarantine = Path.of("/");

    /** Called by the implementer's class. */
    protected LocalConformanceContract() {}

    @Override
    protected final Map<String, String> settings() {
        return Map.of("quarantine", quarantine.toString());
    }
}
