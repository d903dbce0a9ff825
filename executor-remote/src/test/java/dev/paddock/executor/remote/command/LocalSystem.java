package dev.paddock.executor.remote.command;

import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.TerminalSize;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.process.launch.LaunchSpec;
import dev.paddock.executor.process.launch.Terminal;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.remote.ShellChannel;
import dev.paddock.executor.remote.custom.ProcessChannel;
import dev.paddock.executor.remote.shell.ExecSerializer;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A connection to this machine: each channel is a process here, and the test cuts the connection. */
final class LocalSystem implements SystemConnection {
    static final String NAME = "local";

    /** As over a connection whose server has the slots of others among its children, too. */
    private static final List<String> PREAMBLE =
            List.of("/bin/sh", "-c", "export __p_alone=1; cd /; exec \"$@\"", "sh");

    private static final TerminalSize ANY_SIZE = new TerminalSize(80, 24);

    private final Supervisor supervisor = Supervisor.create(NAME, /* keepsLeftovers */ false);
    private final ExecSerializer execs = new ExecSerializer();
    private final CompletableFuture<String> loss = new CompletableFuture<>();

    @Override
    public String backend() {
        return NAME;
    }

    @Override
    public ShellChannel open(List<String> argv) {
        requireConnected();
        return new ProcessChannel(NAME, supervisor, supervisor.launch(spec(argv).build()), code -> code);
    }

    @Override
    public ShellChannel openAtTerminal(List<String> argv) {
        requireConnected();
        Terminal terminal = supervisor.terminals().orElseThrow().open(ANY_SIZE);
        try {
            // An engine sets the variable for a process with a terminal, and for no other.
            ChildProcess child = supervisor.launch(
                    spec(argv).env("TERM", "xterm").terminal(terminal).build());
            return new LocalShell(supervisor, child, terminal);
        } catch (RuntimeException fault) {
            terminal.close();
            throw fault;
        }
    }

    private static LaunchSpec.Builder spec(List<String> argv) {
        List<String> line = new ArrayList<>(PREAMBLE);
        line.addAll(argv);
        Map<String, String> environment = new TreeMap<>(HostEnvironment.minimal());
        environment.remove("TERM");
        return LaunchSpec.builder(line).env(environment).stdin(SpawnOptions.Stdin.PIPE);
    }

    private void requireConnected() {
        if (loss.isDone()) {
            throw new SandboxLostException(NAME, loss.join());
        }
    }

    /** Loses the connection, with every process behind it. */
    void cut() {
        loss.complete("the cable was pulled");
        supervisor.close();
    }

    @Override
    public Optional<SandboxLostException> lost() {
        return loss.isDone() ? Optional.of(new SandboxLostException(NAME, loss.join())) : Optional.empty();
    }

    @Override
    public ExecSerializer execs() {
        return execs;
    }

    @Override
    public Closeable watch(Consumer<String> onLoss) {
        CompletableFuture<Void> watching = loss.thenAcceptAsync(onLoss, Thread::startVirtualThread);
        return () -> watching.cancel(false);
    }

    void close() {
        supervisor.close();
    }
}
