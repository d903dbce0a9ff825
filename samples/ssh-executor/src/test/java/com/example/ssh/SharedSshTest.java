package com.example.ssh;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.CommandExecutorContract;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import dev.paddock.executor.tck.subject.SandboxFault;
import dev.paddock.executor.tck.subject.ShellFarSide;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;

/** Checks that the executor keeps the contract, over a real sshd, in a place that shares no files. */
class SharedSshTest extends CommandExecutorContract {
    private static Optional<Sshd> server = Optional.empty();

    @AfterAll
    static void stop() throws Exception {
        if (server.isPresent()) {
            server.get().close();
            server = Optional.empty();
        }
    }

    /** The server of this JVM; a JVM that the suite starts, in order to kill it, finds the one of its parent. */
    private static synchronized Path config() throws Exception {
        if (Sshd.published().isEmpty()) {
            // All commands share one connection, and the suite runs 64 at once.
            Sshd started = Sshd.start("MaxSessions 200");
            started.publish();
            server = Optional.of(started);
        }
        return Sshd.published().orElseThrow();
    }

    @Override
    protected ContractSubject subject(ContractEnvironment environment) throws Exception {
        Path config = config();
        // The server runs on this machine, so the suite reaches its files without a login for each operation. On
        // another host: argv -> SharedSsh.command(config, host, List.of(), argv)
        ShellFarSide there = new ShellFarSide(argv -> argv);
        String elsewhere = environment.keptDirectory().resolve("elsewhere").toString();
        there.makeDirectory(elsewhere);
        ContractSubject subject = ContractSubject.of(
                        SharedSsh.executor(Sshd.HOST, config, environment.keptDirectory()),
                        new PathMapping(environment.sharedDirectory(), elsewhere))
                .farSide(there)
                .withManyCommands(Integer.getInteger("paddock.many.commands", 1000))
                .withPatience(Duration.ofSeconds(60))
                .withUnavailable(() -> SharedSsh.executor("nowhere.invalid", config, environment.keptDirectory()));
        return server.map(own -> subject.withFaults(
                        new SandboxFault("connection cut", () -> own.signalConnections("KILL"), () -> {}),
                        new SandboxFault(
                                "server silent",
                                () -> own.signalConnections("STOP"),
                                () -> own.signalConnections("CONT"))))
                .orElse(subject);
    }
}
