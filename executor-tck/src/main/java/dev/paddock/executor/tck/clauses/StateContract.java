package dev.paddock.executor.tck.clauses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.Signal;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.Running;
import dev.paddock.executor.tck.context.Sockets;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** C17: the state that one executor's commands share, and that is invisible outside. */
public interface StateContract {

    /** Even without the claim, commands can use the directory one after the other. */
    @Test
    default void C17_aTemporaryFileIsThereForTheNextCommand(ContractContext trial) throws Exception {
        String name = "contract-" + UUID.randomUUID();
        trial.run("echo kept > \"${TMPDIR:-/tmp}/" + name + "\"").succeeded();
        assertThat(trial.run("read x < \"${TMPDIR:-/tmp}/" + name + "\"; echo $x")
                        .succeeded())
                .isEqualTo("kept\n");
        trial.run("rm -f \"${TMPDIR:-/tmp}/" + name + "\"");
    }

    @Test
    default void C17_tmpBelongsToTheExecutor(ContractContext trial) throws Exception {
        trial.assumeClaimed(Guarantee.PRIVATE_TMP);
        belongsToTheExecutor("/tmp", trial);
    }

    @Test
    default void C17_homeBelongsToTheExecutor(ContractContext trial) throws Exception {
        trial.assumeClaimed(Guarantee.PRIVATE_HOME);
        belongsToTheExecutor("$HOME", trial);
    }

    private static void belongsToTheExecutor(String directory, ContractContext trial) throws Exception {
        String file = directory + "/contract-" + UUID.randomUUID();
        String look = "[ -e \"" + file + "\" ] && echo there || echo absent";
        Path onHost = Path.of(file.replace("$HOME", System.getProperty("user.home")));
        try {
            belongsToTheExecutor(file, look, onHost, trial);
        } finally {
            Files.deleteIfExists(onHost);
        }
    }

    private static void belongsToTheExecutor(String file, String look, Path onHost, ContractContext trial)
            throws Exception {
        CommandExecutor first = trial.fresh().executor();
        CommandExecutor second = trial.fresh().executor();
        trial.start(first, ": > \"" + file + "\"", trial.options()).outcome().succeeded();
        assertThat(trial.start(first, look, trial.options()).outcome().succeeded())
                .as("for the executor's next command")
                .isEqualTo("there\n");
        assertThat(trial.start(second, look, trial.options()).outcome().succeeded())
                .as("for another executor's command")
                .isEqualTo("absent\n");
        assertThat(onHost).as("on the host").doesNotExist();
        first.dispose();
        CommandExecutor third = trial.fresh().executor();
        assertThat(trial.start(third, look, trial.options()).outcome().succeeded())
                .as("after the executor's disposal")
                .isEqualTo("absent\n");
    }

    @Test
    default void C17_aServerAnswersTheNextCommand(ContractContext trial) throws Exception {
        assumeFalse(
                trial.claims(Guarantee.NETWORK_OFF) && !trial.claims(Guarantee.PRIVATE_LOOPBACK),
                "the network is off and loopback with it");
        Sockets sockets = Sockets.of(trial);
        int port = Sockets.freePort();
        Running server = trial.start(sockets.serve(port, "hello from a neighbour"));
        awaitAnswer(sockets, port, trial.executor(), trial);
        server.process().kill(Signal.KILL);
        server.outcome();
    }

    @Test
    default void C17_loopbackBelongsToTheExecutor(ContractContext trial) throws Exception {
        trial.assumeClaimed(Guarantee.PRIVATE_LOOPBACK);
        Sockets sockets = Sockets.of(trial);
        int port = Sockets.freePort();
        CommandExecutor other = trial.fresh().executor();
        trial.start(sockets.serve(port, "hello from a neighbour"));
        awaitAnswer(sockets, port, trial.executor(), trial);
        assertThat(trial.start(other, sockets.fetch(port), trial.options())
                        .outcome()
                        .out())
                .as("what another executor's command hears")
                .doesNotContain("hello");
        assertThat(Sockets.canConnect(InetAddress.getLoopbackAddress(), port))
                .as("whether the host reaches the command's server")
                .isFalse();
        awaitAnswer(sockets, port, trial.executor(), trial);
    }

    private static void awaitAnswer(Sockets sockets, int port, CommandExecutor executor, ContractContext trial) {
        Awaitility.await("a server in one command answers the next one on localhost")
                .pollInSameThread()
                .atMost(trial.patience())
                .until(() -> trial.start(executor, sockets.fetch(port), trial.options())
                        .outcome()
                        .out()
                        .contains("hello from a neighbour"));
    }
}
