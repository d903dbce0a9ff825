package dev.paddock.executor.bwrap;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.os.table.PidfdProcess;
import dev.paddock.executor.process.launch.ChildDescriptor;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.LaunchSpec;
import dev.paddock.executor.process.launch.LaunchThread;
import dev.paddock.executor.process.supervise.ProcessTree;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.process.warm.ForeignSockets;
import dev.paddock.executor.process.warm.SocketPlan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;

/**
 * Runs a process that keeps a user and a network namespace in which loopback is up: an executor's commands can reach
 * each other there, and no other process can (C17). It ends with the JVM, and with the thread that started it.
 *
 * <p>It must not mount {@code /dev}: bubblewrap would create a nested user namespace for that, which an ordinary user
 * may not join.
 *
 * <p>A program joins both namespaces and then starts the sandbox. Where the JVM has the privileges, its launch thread
 * joins the network namespace instead, which saves the program; the sandbox's user namespace is then the host's child,
 * and has no more rights.
 */
final class NetworkNamespaceHolder implements ProcessTree {
    private static final int INFORMATION = 5;
    private static final String SCRIPT = "echo up; read -r end";

    private final PidfdProcess process;
    private final Supervisor supervisor;
    private final LaunchThread thread;
    private final ProcessLike supervised;
    private final Optional<LaunchThread> within;

    private NetworkNamespaceHolder(
            PidfdProcess process, ChildProcess child, Supervisor supervisor, LaunchThread thread) {
        this.process = process;
        this.supervisor = supervisor;
        this.thread = thread;
        Optional<String> refusal = thread.call(process::joinNetwork);
        this.within = refusal.isEmpty() ? Optional.of(new Within(thread)) : Optional.empty();
        SpawnOptions options =
                SpawnOptions.builder("/").killGrace(Duration.ZERO).build();
        this.supervised = supervisor.supervise(child, options, this);
    }

    /**
     * Starts a holder.
     *
     * @throws SandboxUnavailableException if the namespaces cannot be created
     */
    static NetworkNamespaceHolder start(
            Bubblewrap programs, SystemView system, Supervisor supervisor, LaunchThread thread) {
        LaunchSpec spec = LaunchSpec.builder(commandLine(programs, system))
                .env(CommandExecutor.MARKER, supervisor.newMarker()) // as for a sandbox: SandboxLauncher
                .stdin(SpawnOptions.Stdin.PIPE)
                .stderr(SpawnOptions.Stderr.MERGED)
                .descriptor(INFORMATION, new ChildDescriptor.Writes())
                .build();
        ChildProcess child = supervisor.launch(spec, thread);
        try {
            String answer = SandboxLauncher.readLine(child.stdout());
            if (!answer.equals("up")) {
                String rest = new String(child.stdout().readNBytes(1000), StandardCharsets.UTF_8);
                String message = answer + "\n" + rest;
                throw unavailable(message.isBlank() ? SandboxLauncher.withoutMessage(child) : message);
            }
            long pid = BwrapTree.firstProcess(BwrapTree.information(child.from(INFORMATION)));
            PidfdProcess held = PidfdProcess.open(pid).orElseThrow(() -> unavailable("process " + pid + " has ended"));
            try {
                return new NetworkNamespaceHolder(held, child, supervisor, thread);
            } catch (RuntimeException fault) {
                held.close();
                throw fault;
            }
        } catch (IOException fault) {
            supervisor.discard(child);
            throw unavailable(String.valueOf(fault.getMessage()));
        } catch (RuntimeException fault) {
            supervisor.discard(child);
            throw fault;
        }
    }

    private static SandboxUnavailableException unavailable(String answer) {
        return new SandboxUnavailableException(BwrapProvider.NAME, Diagnosis.refused(answer));
    }

    private static List<String> commandLine(Bubblewrap programs, SystemView system) {
        List<String> line = new ArrayList<>(List.of(
                programs.bwrap().toString(),
                "--unshare-user",
                "--unshare-net",
                "--cap-drop",
                "ALL",
                "--die-with-parent",
                "--info-fd",
                Integer.toString(INFORMATION)));
        system.links().forEach((name, target) -> line.addAll(List.of("--symlink", target, name)));
        system.directories().stream()
                .filter(directory -> !directory.startsWith("/etc/") && !directory.startsWith("/var/"))
                .forEach(directory -> line.addAll(List.of("--ro-bind", directory, directory)));
        line.addAll(List.of("--", "/bin/sh", "-c", SCRIPT));
        return line;
    }

    /**
     * Opens and binds sockets in the network namespace.
     *
     * @param plan the sockets
     * @return their descriptors; the caller closes them
     * @throws IOException if the process has exited, or the kernel refuses
     */
    List<Integer> sockets(Bubblewrap programs, SocketPlan plan) throws IOException {
        return within.isPresent()
                ? ForeignSockets.open(process, plan)
                : ForeignSockets.open(supervisor, thread, programs.joining(process.pid()), plan);
    }

    long pid() {
        return process.pid();
    }

    /**
     * Returns the thread that starts processes in the network namespace; empty if each sandbox has to join it by
     * itself.
     */
    Optional<LaunchThread> within() {
        return within;
    }

    /** Joins before each launch: the thread may have joined an earlier holder's namespace. */
    private final class Within implements LaunchThread {
        private final LaunchThread thread;

        Within(LaunchThread thread) {
            this.thread = thread;
        }

        @Override
        public <T> T call(Callable<T> launch) {
            return thread.call(() -> {
                Optional<String> refusal = process.joinNetwork();
                if (refusal.isPresent()) {
                    throw unavailable("the network of process " + process.pid()
                            + ", which holds it for the executor's commands, cannot be joined: " + refusal.get());
                }
                return launch.call();
            });
        }
    }

    /** Runs an action when the process has exited, for whatever reason. */
    void onEnd(Runnable action) {
        supervised.onExit().whenComplete((status, fault) -> {
            process.close();
            action.run();
        });
    }

    @Override
    public boolean signal(Signal signal) {
        return process.signal(signal);
    }

    @Override
    public Optional<Set<Long>> leftovers() {
        return Optional.empty();
    }
}
