package dev.paddock.executor.docker;

import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Starts an engine of a test class's own, with the busybox image, and ends it after the class. */
final class OwnEngineExtension implements BeforeAllCallback, AfterAllCallback {
    private Optional<OwnEngine> engine = Optional.empty();

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        OwnEngine started = OwnEngine.start();
        engine = Optional.of(started);
        started.copy(TestEngine.BUSYBOX);
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        if (engine.isPresent()) {
            engine.get().close();
        }
    }

    OwnEngine engine() {
        return engine.orElseThrow(() -> new IllegalStateException("no engine was started"));
    }
}
