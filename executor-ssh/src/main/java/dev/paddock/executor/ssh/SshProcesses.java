package dev.paddock.executor.ssh;

import dev.paddock.executor.Availability;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.process.launch.LaunchSpec;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.remote.custom.ProcessChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Starts the user's {@code ssh}, which ends with the JVM. */
final class SshProcesses implements AutoCloseable {
    /** Variables for ssh, its agent, proxy commands and Kerberos; no locale, which ssh would send. */
    private static final Set<String> VARIABLES =
            Set.of("HOME", "USER", "LOGNAME", "PATH", "SSH_AUTH_SOCK", "XDG_RUNTIME_DIR", "KRB5CCNAME");

    /** ssh's exit code for its own errors and for a remote process killed by a signal. */
    private static final int FAILED = 255;

    private static final int KILLED = 137;

    private final SshTarget target;
    private final Supervisor supervisor;
    private final String program;

    private SshProcesses(SshTarget target, Supervisor supervisor, String program) {
        this.target = target;
        this.supervisor = supervisor;
        this.program = program;
    }

    /**
     * Creates the launcher of ssh; starts no process yet.
     *
     * @throws SandboxUnavailableException if there is no ssh
     */
    static SshProcesses create(SshTarget target) {
        String program = HostEnvironment.findProgram("ssh")
                .orElseThrow(() -> new SandboxUnavailableException(
                        SshExecutor.BACKEND,
                        new Availability.Unusable(
                                "no ssh program on PATH", "Install it (Debian: apt-get install openssh-client).")));
        return new SshProcesses(target, Supervisor.create(SshExecutor.BACKEND, false), program);
    }

    SshTarget target() {
        return target;
    }

    /**
     * Starts ssh.
     *
     * @param options further options
     * @param command for the remote side's login shell
     * @return its channel, which the caller closes
     */
    ProcessChannel start(List<String> options, String command) {
        List<String> argv = new ArrayList<>(List.of(program));
        argv.addAll(options);
        argv.addAll(target.options());
        argv.addAll(List.of("--", target.host(), command));
        Map<String, String> environment = new TreeMap<>(HostEnvironment.all());
        environment.keySet().retainAll(VARIABLES);
        ChildProcess child = supervisor.launch(LaunchSpec.builder(argv)
                .env(environment)
                .stdin(SpawnOptions.Stdin.PIPE)
                .build());
        return new ProcessChannel(SshExecutor.BACKEND, supervisor, child, SshProcesses::exitCode);
    }

    /**
     * Maps ssh's exit code: 137 if a signal killed the remote process or the connection failed, which
     * ssh does not distinguish; the caller checks whether the host still answers.
     */
    private static int exitCode(int code) {
        return code == FAILED ? KILLED : code;
    }

    @Override
    public void close() {
        supervisor.close();
    }
}
