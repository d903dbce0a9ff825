package com.example.ssh;

import dev.paddock.executor.Availability;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.process.launch.LaunchSpec;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.remote.ShellChannel;
import dev.paddock.executor.remote.custom.ChannelExecutor;
import dev.paddock.executor.remote.custom.ProcessChannel;
import dev.paddock.executor.remote.custom.RemoteConnection;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** One login on a host, which the processes of {@code ssh} that it starts share. */
public final class SharedSsh implements RemoteConnection {
    static final String NAME = "example-ssh";

    private static final AtomicInteger NUMBER = new AtomicInteger();

    /** Never a question, known hosts alone, nothing forwarded; a host that is silent for 4 s is lost. */
    private static final List<String> OPTIONS = List.of(
            "BatchMode=yes", "StrictHostKeyChecking=yes", "ClearAllForwardings=yes", "ForwardAgent=no",
            "ForwardX11=no", "PermitLocalCommand=no", "RequestTTY=no", "EscapeChar=none", "SendEnv=-*",
            "ConnectTimeout=10", "ServerAliveInterval=2", "ServerAliveCountMax=1", "LogLevel=ERROR");

    private final Supervisor supervisor = Supervisor.create(NAME, /* keepsLeftovers */ false);
    private final CompletableFuture<String> loss = new CompletableFuture<>();
    private final String host;
    private final Path config;
    private final Path socket;
    private OutputStream questions = OutputStream.nullOutputStream();

    private SharedSsh(String host, Path config, Path sockets) {
        this.host = host;
        this.config = config;
        this.socket = sockets.resolve("ssh-" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet());
    }

    /**
     * Creates an executor whose commands run on a host.
     *
     * @param host as on ssh's command line
     * @param config of ssh
     * @param sockets a directory, its path at most 60 bytes long, where connections are shared
     */
    public static ChannelExecutor executor(String host, Path config, Path sockets) {
        return ChannelExecutor.builder(NAME, () -> new SharedSsh(host, config, sockets).connect())
                .remoteName("the host '" + host + "'")
                .build();
    }

    /** Logs in: the process that owns the connection stays until its input ends, as it does with this JVM. */
    private SharedSsh connect() {
        ChildProcess owner = ssh(List.of("-M", "-S", socket.toString()), List.of("sh", "-c", "echo ready; exec cat"));
        questions = owner.stdin();
        owner.whenEnded((status, fault) -> loss.complete("the connection to '" + host + "' has ended"));
        try {
            if (owner.stdout().read() == 'r') {
                Thread.ofVirtual().start(() -> drop(owner.stdout()));
                return this;
            }
            String why = new String(owner.stderr().readAllBytes(), StandardCharsets.UTF_8).strip();
            throw unavailable(why);
        } catch (IOException fault) {
            throw unavailable(fault.toString());
        }
    }

    private static void drop(InputStream answers) {
        try {
            answers.transferTo(OutputStream.nullOutputStream());
        } catch (IOException ended) {
            // The owner's end is reported by itself.
        }
    }

    /** Asks before ssh would: while the host answers, ssh asks nothing at a time of its own. */
    @Override
    public void beat() {
        try {
            questions.write('\n');
            questions.flush();
        } catch (IOException ended) {
            // The owner's end is reported by itself.
        }
    }

    private SandboxUnavailableException unavailable(String why) {
        close();
        return new SandboxUnavailableException(
                NAME, new Availability.Unusable("no connection to '" + host + "': " + why, "Try 'ssh " + host + "'."));
    }

    @Override
    public ShellChannel open(List<String> argv) {
        List<String> words = new ArrayList<>(
                List.of("sh", "-c", "unset SSH_CLIENT SSH_CONNECTION SSH_TTY; exec \"$@\"", "sh"));
        words.addAll(argv);
        // Without the shared connection ssh would make one of its own, which nothing would watch.
        ChildProcess child = ssh(List.of("-S", socket.toString(), "-o", "ProxyCommand=false"), words);
        // ssh exits with 255 if a signal has ended the process there.
        return new ProcessChannel(NAME, supervisor, child, code -> code == 255 ? 137 : code);
    }

    private ChildProcess ssh(List<String> options, List<String> argv) {
        return supervisor.launch(LaunchSpec.builder(command(config, host, options, argv))
                .env(HostEnvironment.all())
                .stdin(SpawnOptions.Stdin.PIPE)
                .build());
    }

    /** Returns the command line of ssh that runs a program on a host, whose login shell splits the words again. */
    static List<String> command(Path config, String host, List<String> options, List<String> argv) {
        String ssh = HostEnvironment.findProgram("ssh").orElse("/usr/bin/ssh");
        List<String> line = new ArrayList<>(List.of(ssh, "-F", config.toString()));
        line.addAll(options);
        OPTIONS.forEach(option -> line.addAll(List.of("-o", option)));
        line.addAll(List.of("--", host, "exec " + ShellQuoting.posix(argv)));
        return line;
    }

    @Override
    public CompletionStage<String> onLoss() {
        return loss;
    }

    @Override
    public void close() {
        supervisor.close();
    }
}
