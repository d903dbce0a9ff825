package dev.paddock.executor.bwrap;

import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.tck.ConformanceContract;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

class BwrapConformanceTest extends ConformanceContract {

    @TempDir
    static Path quarantine;

    @Override
    protected ExecutorProvider provider() {
        return new BwrapProvider();
    }

    @Override
    protected Map<String, String> settings() {
        return Map.of("quarantine", quarantine.toString());
    }

    @Override
    protected Optional<Path> document() {
        return Optional.of(Path.of("..", "docs", "conformance.md"));
    }
}
