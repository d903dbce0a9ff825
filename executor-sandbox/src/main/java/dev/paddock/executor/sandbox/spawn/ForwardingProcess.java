package dev.paddock.executor.sandbox.spawn;

import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.Signal;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.OptionalLong;

/** Forwards everything but the callbacks to another process. */
abstract class ForwardingProcess implements ProcessLike {
    private final ProcessLike process;

    ForwardingProcess(ProcessLike process) {
        this.process = process;
    }

    /** Returns the process that this one forwards to. */
    final ProcessLike process() {
        return process;
    }

    @Override
    public final InputStream stdout() {
        return process.stdout();
    }

    @Override
    public final InputStream stderr() {
        return process.stderr();
    }

    @Override
    public final OutputStream stdin() {
        return process.stdin();
    }

    @Override
    public final OptionalLong pid() {
        return process.pid();
    }

    @Override
    public final boolean kill(Signal signal) {
        return process.kill(signal);
    }

    @Override
    public final boolean resize(int columns, int rows) {
        return process.resize(columns, rows);
    }
}
