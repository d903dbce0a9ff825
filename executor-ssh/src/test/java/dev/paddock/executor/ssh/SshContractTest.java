package dev.paddock.executor.ssh;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.CommandExecutorContract;
import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import dev.paddock.executor.tck.subject.SandboxFault;
import dev.paddock.fixtures.SshServer;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;

/**
 * The contract over a real sshd on the loopback interface, with a directory that both sides have.
 */
@ProvenBy(Layer.SSH)
class SshContractTest extends CommandExecutorContract {
    /**
     * Enough to exceed the suite's slack if each command leaves something, or each killed one its client with its
     * three streams; over local channels the suite runs more.
     */
    private static final int MANY_COMMANDS = 60;

    private static Optional<SshServer> server = Optional.empty();

    @AfterAll
    static void stop() throws Exception {
        if (server.isPresent()) {
            server.get().close();
            server = Optional.empty();
        }
    }

    private static synchronized void serve() throws Exception {
        if (SshServer.published().isEmpty()) {
            SshServer started = SshServer.start();
            started.publish();
            server = Optional.of(started);
        }
    }

    @Override
    protected ContractSubject subject(ContractEnvironment environment) throws Exception {
        serve();
        SshExecutor executor = SshExecutor.builder(SshServer.HOST)
                .configFile(SshServer.published().orElseThrow())
                .sharedDirectory(PathMapping.same(environment.sharedDirectory()))
                .build();
        ContractSubject subject = ContractSubject.of(executor, PathMapping.same(environment.sharedDirectory()))
                .withManyCommands(MANY_COMMANDS)
                .withPatience(Duration.ofSeconds(60))
                .withUnavailable(() -> SshExecutor.builder("127.0.0.1").port(1).build());
        return server.map(own -> subject.withFaults(
                        new SandboxFault("connection cut", () -> own.signalConnections("KILL"), () -> {}),
                        new SandboxFault(
                                "server silent",
                                () -> own.signalConnections("STOP"),
                                () -> own.signalConnections("CONT"))))
                .orElse(subject);
    }
}
