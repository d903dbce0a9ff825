package dev.paddock.executor.landlock;

import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.tck.local.LocalConformanceContract;
import java.nio.file.Path;
import java.util.Optional;

class LandlockConformanceTest extends LocalConformanceContract {

    @Override
    protected ExecutorProvider provider() {
        return new LandlockProvider();
    }

    @Override
    protected Optional<Path> document() {
        return Optional.of(Path.of("..", "docs", "conformance.md"));
    }
}
