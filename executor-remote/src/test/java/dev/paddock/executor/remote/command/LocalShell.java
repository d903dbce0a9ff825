package dev.paddock.executor.remote.command;

import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.TerminalSize;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.Terminal;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.remote.ShellChannel;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.OptionalInt;

/** A channel to a process of this machine that has a terminal. */
final class LocalShell implements ShellChannel {
    private static final int BLOCK = 16 << 10;

    private final Supervisor supervisor;
    private final ChildProcess child;
    private final Terminal terminal;

    LocalShell(Supervisor supervisor, ChildProcess child, Terminal terminal) {
        this.supervisor = supervisor;
        this.child = child;
        this.terminal = terminal;
        child.whenEnded((status, fault) -> terminal.leave());
    }

    @Override
    public OutputStream input() {
        return terminal.input();
    }

    @Override
    public void endInput() throws IOException {
        terminal.input().close();
    }

    @Override
    public void deliver(Output output) throws IOException {
        byte[] bytes = new byte[BLOCK];
        InputStream shown = terminal.output();
        for (int read = shown.read(bytes); read >= 0; read = shown.read(bytes)) {
            output.accept(STDOUT, bytes, read);
        }
    }

    @Override
    public boolean resize(int columns, int rows) {
        return terminal.resize(new TerminalSize(columns, rows));
    }

    @Override
    public OptionalInt exitCode() {
        return child.hasEnded() ? OptionalInt.of(child.ended().join().code()) : OptionalInt.empty();
    }

    @Override
    public SandboxLostException loss(String reason, Throwable cause) {
        return new SandboxLostException(LocalSystem.NAME, reason, cause);
    }

    @Override
    public void close() {
        supervisor.discard(child);
        terminal.close();
    }
}
