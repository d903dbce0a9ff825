package dev.paddock.executor.remote.custom;

import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.process.launch.LaunchSpec;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.remote.ShellChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/** A connection to this machine, which a test loses. */
final class LocalConnection implements RemoteConnection {
    static final String NAME = "local";

    final CompletableFuture<String> loss = new CompletableFuture<>();
    final List<ProcessHandle> shells = new CopyOnWriteArrayList<>();
    private final Supervisor supervisor = Supervisor.create(NAME, false);
    private volatile boolean closed;

    @Override
    public ShellChannel open(List<String> argv) {
        List<String> line = new ArrayList<>(List.of("/usr/bin/env", "LOCAL=there"));
        line.addAll(argv);
        ChildProcess shell = supervisor.launch(LaunchSpec.builder(line)
                .env(HostEnvironment.minimal())
                .stdin(SpawnOptions.Stdin.PIPE)
                .build());
        ProcessHandle.of(shell.pid()).ifPresent(shells::add);
        return new ProcessChannel(NAME, supervisor, shell, code -> code);
    }

    @Override
    public CompletionStage<String> onLoss() {
        return loss;
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
        supervisor.close();
    }
}
