package dev.paddock.executor.host;

import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.tck.ConformanceContract;
import java.nio.file.Path;
import java.util.Optional;

class HostConformanceTest extends ConformanceContract {

    @Override
    protected ExecutorProvider provider() {
        return new HostProvider();
    }

    @Override
    protected Optional<Path> document() {
        return Optional.of(Path.of("..", "docs", "conformance.md"));
    }
}
