package dev.paddock.executor.bwrap;

import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.tck.local.LocalConformanceContract;
import java.nio.file.Path;
import java.util.Optional;

class BwrapConformanceTest extends LocalConformanceContract {

    @Override
    protected ExecutorProvider provider() {
        return new BwrapProvider();
    }

    @Override
    protected Optional<Path> document() {
        return Optional.of(Path.of("..", "docs", "conformance.md"));
    }
}
