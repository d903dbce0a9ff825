package com.example.nice;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorDisposedException;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.process.launch.LaunchSpec;
import dev.paddock.executor.process.supervise.ProcessTableMark;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.process.warm.CommandRequest;
import dev.paddock.executor.process.warm.ShellStub;
import java.io.IOException;
import java.util.Set;

/** Runs commands on the host at the lowest priority, so that they give way to everything else. */
public final class NiceExecutor implements CommandExecutor {
    private static final String SHELL = HostEnvironment.SHELL;
    private static final CommandRequest.Transport TRANSPORT = CommandRequest.Transport.STANDARD_STREAMS;
    private final Supervisor supervisor = Supervisor.create("nice", /* keepsLeftovers */ false);

    @Override
    public ProcessLike spawn(String command, SpawnOptions options) {
        options.refuseTerminal("nice");
        options.signal().throwIfAborted();
        CommandRequest request = new CommandRequest(SHELL, command, options.cwd(), options.env(), options.stdin(), options.stderr());
        String marker = supervisor.newMarker();
        ProcessTableMark before = supervisor.now();
        ChildProcess shell = supervisor.launch(
                LaunchSpec.builder("/usr/bin/nice", "-n", "19", SHELL, "-c", TRANSPORT.bootstrap(), "sh")
                        .env(HostEnvironment.minimal())
                        .env(MARKER, marker)
                        .stdin(SpawnOptions.Stdin.PIPE) // carries the command request
                        .stderr(options.stderr())
                        .build());
        try {
            ShellStub.execute(shell, request, TRANSPORT).requireReady(request);
            if (options.stdin() == SpawnOptions.Stdin.EMPTY) shell.stdin().close();
        } catch (IOException | SpawnException fault) {
            supervisor.discard(shell);
            if (supervisor.isDisposed()) throw new ExecutorDisposedException("nice");
            throw fault instanceof SpawnException refused ? refused : new SpawnException("no shell: " + fault, fault);
        }
        return supervisor.supervise(shell, options, supervisor.hostTree(shell, marker, before));
    }

    @Override
    public Set<Guarantee> guarantees() {
        return supervisor.isNative() ? Set.of(Guarantee.EXACT_STATUS) : Set.of();
    }

    @Override
    public void dispose() {
        supervisor.close();
    }

    @Override
    public boolean isDisposed() {
        return supervisor.isDisposed();
    }
}
