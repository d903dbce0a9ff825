package dev.paddock.executor.tck.clauses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.Signal;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.Running;
import dev.paddock.executor.tck.context.SocketCommands;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** C17: the state that one executor's commands share and that is invisible outside. */
public interface StateContract {

    /** Even without the claim, the directory persists between successive commands. */
    @Test
    default void C17_temporaryFileIsThereForNextCommand(ContractContext context) throws Exception {
        String name = "contract-" + UUID.randomUUID();
        context.run("echo kept > \"${TMPDIR:-/tmp}/" + name + "\"").succeeded();
        assertThat(context.run("read x < \"${TMPDIR:-/tmp}/" + name + "\"; echo $x")
                        .succeeded())
                .isEqualTo("kept\n");
        context.run("rm -f \"${TMPDIR:-/tmp}/" + name + "\"");
    }

    /** Of both directories at once, since each needs two further sandboxes. */
    @Test
    default void C17_tmpAndHomeBelongToExecutor(ContractContext context) throws Exception {
        List<String> directories = Stream.of(
                        Map.entry(Guarantee.PRIVATE_TMP, "/tmp"), Map.entry(Guarantee.PRIVATE_HOME, "$HOME"))
                .filter(each -> context.claims(each.getKey()))
                .map(Map.Entry::getValue)
                .toList();
        assumeFalse(directories.isEmpty(), "neither /tmp nor the home is claimed to be the executor's");
        List<String> files = directories.stream()
                .map(directory -> directory + "/contract-" + UUID.randomUUID())
                .toList();
        List<Path> onHost = files.stream()
                .map(file -> Path.of(file.replace("$HOME", System.getProperty("user.home"))))
                .toList();
        try {
            belongToTheExecutor(files, onHost, context);
        } finally {
            for (Path each : onHost) {
                Files.deleteIfExists(each);
            }
        }
    }

    private static void belongToTheExecutor(List<String> files, List<Path> onHost, ContractContext context)
            throws Exception {
        String create = files.stream().map(file -> ": > \"" + file + "\"").collect(Collectors.joining(" && "));
        String look = files.stream()
                .map(file -> "[ -e \"" + file + "\" ] && echo there || echo absent")
                .collect(Collectors.joining("; "));
        String absent = "absent\n".repeat(files.size());
        CommandExecutor first = context.fresh().executor();
        context.start(first, create, context.options()).outcome().succeeded();
        assertThat(context.start(first, look, context.options()).outcome().succeeded())
                .as("for the executor's next command")
                .isEqualTo("there\n".repeat(files.size()));
        assertThat(context.run(look).succeeded())
                .as("for another executor's command")
                .isEqualTo(absent);
        assertThat(onHost).as("on the host").noneMatch(Files::exists);
        first.dispose();
        CommandExecutor third = context.fresh().executor();
        assertThat(context.start(third, look, context.options()).outcome().succeeded())
                .as("after the executor's disposal")
                .isEqualTo(absent);
    }

    @Test
    default void C17_serverAnswersNextCommand(ContractContext context) throws Exception {
        assumeFalse(
                context.claims(Guarantee.NETWORK_OFF) && !context.claims(Guarantee.PRIVATE_LOOPBACK),
                "the network is off and loopback with it");
        SocketCommands sockets = SocketCommands.of(context);
        int port = SocketCommands.freePort();
        Running server = context.start(sockets.serve(port, "hello from a neighbour"));
        awaitAnswer(sockets, port, context.executor(), context);
        server.process().kill(Signal.KILL);
        server.outcome();
    }

    @Test
    default void C17_loopbackBelongsToExecutor(ContractContext context) throws Exception {
        context.assumeClaimed(Guarantee.PRIVATE_LOOPBACK);
        SocketCommands sockets = SocketCommands.of(context);
        int port = SocketCommands.freePort();
        CommandExecutor other = context.otherExecutor();
        context.start(sockets.serve(port, "hello from a neighbour"));
        awaitAnswer(sockets, port, context.executor(), context);
        assertThat(context.start(other, sockets.fetch(port), context.options())
                        .outcome()
                        .out())
                .as("what another executor's command receives")
                .doesNotContain("hello");
        assertThat(SocketCommands.canConnect(InetAddress.getLoopbackAddress(), port))
                .as("whether the host reaches the command's server")
                .isFalse();
        awaitAnswer(sockets, port, context.executor(), context);
    }

    private static void awaitAnswer(
            SocketCommands sockets, int port, CommandExecutor executor, ContractContext context) {
        Awaitility.await("a server in one command answers the next one on localhost")
                .pollInSameThread()
                .atMost(context.patience())
                .until(() -> context.start(executor, sockets.fetch(port), context.options())
                        .outcome()
                        .out()
                        .contains("hello from a neighbour"));
    }
}
