package dev.paddock.harness.tools.shell;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.Signal;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** Ends as a test specifies, for endings that a real process cannot be brought to. */
record FakeProcess(InputStream stdout, CompletableFuture<ExitStatus> onExit, CompletableFuture<CleanupReport> onClosed)
        implements ProcessLike {

    static FakeProcess writing(String output) {
        return new FakeProcess(
                new ByteArrayInputStream(output.getBytes(StandardCharsets.UTF_8)),
                new CompletableFuture<>(),
                new CompletableFuture<>());
    }

    FakeProcess ended(ExitStatus status, CleanupReport cleanup) {
        onExit.complete(status);
        onClosed.complete(cleanup);
        return this;
    }

    @Override
    public InputStream stderr() {
        return InputStream.nullInputStream();
    }

    @Override
    public OutputStream stdin() {
        return OutputStream.nullOutputStream();
    }

    @Override
    public OptionalLong pid() {
        return OptionalLong.empty();
    }

    @Override
    public boolean kill(Signal signal) {
        return !onExit.isDone();
    }
}
