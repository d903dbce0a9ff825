package dev.paddock.executor.tck.guarantees;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.Signal;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.Outcome;
import dev.paddock.executor.tck.context.Running;
import dev.paddock.executor.tck.subject.HostNames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tests how a network of allowed hosts handles faults on both sides of a connection. */
public interface AllowedHostsFaultsContract {

    @Test
    default void G_NETWORK_ALLOWED_HOSTS_slowHostHoldsUpNoOtherConnection(ContractContext context) throws Exception {
        AllowedHostsExecutors.assume(context);
        context.assumeTools("perl");
        CountDownLatch answered = new CountDownLatch(1);
        try (NamedServer server = NamedServer.start("contractslow", client -> {
                    if (client.getInputStream().read() == 's') {
                        answered.await();
                    }
                    NamedServer.greet(client);
                });
                CommandExecutor executor = AllowedHostsExecutors.executor(context, server.rule())) {
            Running slow = context.start(
                    executor,
                    AllowedHostsExecutors.perl(
                            server, "$s = dial($h, $p); syswrite($s, 's'); print \"asked\\n\"; print rest($s)"),
                    context.options());
            slow.awaitText("asked\n");
            assertThat(AllowedHostsExecutors.run(
                                    context,
                                    executor,
                                    AllowedHostsExecutors.perl(
                                            server, "$s = dial($h, $p); syswrite($s, 'f'); print rest($s)"))
                            .out())
                    .as("the answer to another connection")
                    .contains(NamedServer.GREETING);
            assertThat(slow.hasExited())
                    .as("whether the slow connection has ended")
                    .isFalse();
            answered.countDown();
            assertThat(slow.outcome().out()).contains(NamedServer.GREETING);
        }
    }

    @Test
    default void G_NETWORK_ALLOWED_HOSTS_hostThatAcceptsLateIsReached(ContractContext context) throws Exception {
        AllowedHostsExecutors.assume(context);
        context.assumeTools("perl");
        // This JVM's sockets may be IPv6 sockets, even for IPv4 addresses.
        List<Path> tables = Stream.of("/proc/net/tcp", "/proc/net/tcp6")
                .map(Path::of)
                .filter(Files::isReadable)
                .toList();
        assumeTrue(!tables.isEmpty(), "pending connections are not visible on this machine");
        InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        try (ServerSocket full = new ServerSocket(0, 1, loopback);
                Socket first = new Socket(loopback, full.getLocalPort());
                Socket second = new Socket(loopback, full.getLocalPort())) {
            assertThat(List.of(first, second)).as("the queue is full").allMatch(Socket::isConnected);
            String name = HostNames.require().give("contractlate", "127.0.0.1");
            try (CommandExecutor executor =
                    AllowedHostsExecutors.executor(context, name + ":" + full.getLocalPort() + "/private")) {
                Running late = context.start(
                        executor,
                        AllowedHostsExecutors.perl(name, full.getLocalPort(), "print rest(dial($h, $p))"),
                        context.options());
                String connecting = ":%04X 02 ".formatted(full.getLocalPort());
                Awaitility.await("a connection that the host has not accepted")
                        .atMost(context.patience())
                        .until(() -> contains(tables, connecting));
                NamedServer server = NamedServer.start("contractlate", full, NamedServer::greet);
                assertThat(late.outcome().out()).contains(NamedServer.GREETING);
                server.close();
            }
        }
    }

    private static boolean contains(List<Path> tables, String text) throws IOException {
        for (Path table : tables) {
            if (Files.readString(table).contains(text)) {
                return true;
            }
        }
        return false;
    }

    @Test
    default void G_NETWORK_ALLOWED_HOSTS_namesThatResolveLateAreReached(ContractContext context) throws Exception {
        AllowedHostsExecutors.assume(context);
        context.assumeTools("perl");
        int connections = 100;
        CountDownLatch resolves = new CountDownLatch(1);
        try (NamedServer server = NamedServer.start("contractlookup", NamedServer::greet);
                CommandExecutor executor = AllowedHostsExecutors.executor(context, server.rule())) {
            HostNames.require().delayUntil(server.host(), resolves);
            Running running = context.start(
                    executor,
                    AllowedHostsExecutors.perl(
                            server,
                            "my @all = map { dial($h, $p) } 1..$ARGV[2]; print \"open\\n\"; print rest($_) for @all",
                            connections),
                    context.options());
            running.awaitText("open\n");
            resolves.countDown();
            assertThat(running.outcome().out()).isEqualTo("open\n" + (NamedServer.GREETING + "\n").repeat(connections));
        }
    }

    @Test
    default void G_NETWORK_ALLOWED_HOSTS_resetOfHostReachesCommand(ContractContext context) throws Exception {
        AllowedHostsExecutors.assume(context);
        context.assumeTools("perl");
        try (NamedServer server = NamedServer.start("contractreset", client -> {
                    boolean resets = client.getInputStream().read() == 'r';
                    NamedServer.greet(client);
                    if (resets) {
                        client.setSoLinger(true, 0);
                    }
                });
                CommandExecutor executor = AllowedHostsExecutors.executor(context, server.rule())) {
            String ask = "$s = dial($h, $p); syswrite($s, $ARGV[2]); rest($s); print 'end'";
            assertThat(AllowedHostsExecutors.run(context, executor, AllowedHostsExecutors.perl(server, ask, "e"))
                            .out())
                    .isEqualTo("end");
            assertThat(AllowedHostsExecutors.run(context, executor, AllowedHostsExecutors.perl(server, ask, "r"))
                            .out())
                    .startsWith("error: ");
        }
    }

    @Test
    default void G_NETWORK_ALLOWED_HOSTS_resetOfCommandReachesHost(ContractContext context) throws Exception {
        AllowedHostsExecutors.assume(context);
        context.assumeTools("perl");
        CompletableFuture<Integer> read = new CompletableFuture<>();
        try (NamedServer server = NamedServer.start("contractaborted", client -> {
                    NamedServer.awaitByte(client);
                    NamedServer.greet(client);
                    try {
                        read.complete(client.getInputStream().read());
                    } catch (IOException reset) {
                        read.completeExceptionally(reset);
                    }
                });
                CommandExecutor executor = AllowedHostsExecutors.executor(context, server.rule())) {
            AllowedHostsExecutors.run(
                    context,
                    executor,
                    AllowedHostsExecutors.perl(
                            server,
                            "$s = dial($h, $p); syswrite($s, 'x'); sysread($s, my $all, 1024);"
                                    + " setsockopt($s, SOL_SOCKET, SO_LINGER, pack('ii', 1, 0)); close($s)"));
            assertThat(read)
                    .as("what the host reads after the command has aborted its connection")
                    .failsWithin(context.patience())
                    .withThrowableThat()
                    .withMessageContaining("reset");
        }
    }

    @Test
    default void G_NETWORK_ALLOWED_HOSTS_halfClosedConnectionsGoOn(ContractContext context) throws Exception {
        AllowedHostsExecutors.assume(context);
        context.assumeTools("perl");
        CompletableFuture<String> afterTheEnd = new CompletableFuture<>();
        try (NamedServer first = NamedServer.start("contracthalf", client -> {
                    String asked = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                    NamedServer.send(client, "answer to " + asked);
                });
                NamedServer second = NamedServer.start("contractotherhalf", client -> {
                    NamedServer.send(client, "answer");
                    client.shutdownOutput();
                    afterTheEnd.complete(new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
                });
                CommandExecutor executor = AllowedHostsExecutors.executor(context, first.rule(), second.rule())) {
            assertThat(AllowedHostsExecutors.run(
                                    context,
                                    executor,
                                    AllowedHostsExecutors.perl(
                                            first,
                                            "$s = dial($h, $p); syswrite($s, 'question'); shutdown($s, 1);"
                                                    + " print rest($s)"))
                            .out())
                    .as("after the command has ended its side")
                    .isEqualTo("answer to question");
            assertThat(AllowedHostsExecutors.run(
                                    context,
                                    executor,
                                    AllowedHostsExecutors.perl(
                                            second, "$s = dial($h, $p); print rest($s); syswrite($s, 'later')"))
                            .out())
                    .as("up to the end of the host's side")
                    .isEqualTo("answer");
            assertThat(afterTheEnd).succeedsWithin(context.patience()).isEqualTo("later");
        }
    }

    @Test
    default void G_NETWORK_ALLOWED_HOSTS_commandThatNeverReadsStopsHost(ContractContext context) throws Exception {
        AllowedHostsExecutors.assume(context);
        context.assumeTools("perl");
        AtomicLong written = new AtomicLong();
        CompletableFuture<Boolean> failed = new CompletableFuture<>();
        try (NamedServer server = NamedServer.start("contractunread", client -> {
                    if (client.getInputStream().read() == 'f') {
                        NamedServer.greet(client);
                        return;
                    }
                    byte[] block = new byte[1 << 16];
                    try {
                        while (true) {
                            client.getOutputStream().write(block);
                            written.addAndGet(block.length);
                        }
                    } catch (IOException ended) {
                        failed.complete(true);
                    }
                });
                CommandExecutor executor = AllowedHostsExecutors.executor(context, server.rule())) {
            Running deaf = context.start(
                    executor,
                    AllowedHostsExecutors.perl(
                            server,
                            "$s = dial($h, $p); syswrite($s, 'd'); print \"asked\\n\"; alarm 0; select(undef, undef, undef, 600)"),
                    context.options());
            deaf.awaitText("asked\n");
            AtomicLong before = new AtomicLong(-1);
            Awaitility.await("the host's writes block")
                    .atMost(context.patience())
                    .pollInterval(500, TimeUnit.MILLISECONDS)
                    .until(() -> written.get() > 0 && before.getAndSet(written.get()) == written.get());
            assertThat(written).as("bytes that were buffered").hasValueLessThan(256L << 20);
            assertThat(AllowedHostsExecutors.run(
                                    context,
                                    executor,
                                    AllowedHostsExecutors.perl(
                                            server, "$s = dial($h, $p); syswrite($s, 'f'); print rest($s)"))
                            .out())
                    .as("the answer to another connection")
                    .contains(NamedServer.GREETING);
            assertThat(failed).as("whether the host's connection has ended").isNotDone();
            deaf.process().kill(Signal.KILL);
            assertThat(failed).as("the end of the host's connection").succeedsWithin(context.patience());
        }
    }

    @Test
    default void G_NETWORK_ALLOWED_HOSTS_thousandConnectionsAtOnceAreServed(ContractContext context) throws Exception {
        AllowedHostsExecutors.assume(context);
        context.assumeTools("perl");
        int connections = 1000;
        try (NamedServer server = NamedServer.start("contractmany", NamedServer.together(connections));
                CommandExecutor executor = AllowedHostsExecutors.executor(context, server.rule())) {
            Outcome outcome = AllowedHostsExecutors.run(
                    context,
                    executor,
                    AllowedHostsExecutors.perl(
                            server,
                            "my @all = map { dial($h, $p) } 1..$ARGV[2]; my $n = 0;"
                                    + " for (@all) { $n++ if rest($_) eq \"$ARGV[3]\\n\" } print $n",
                            connections,
                            NamedServer.GREETING));
            assertThat(outcome.out()).as("connections that were served").isEqualTo(Integer.toString(connections));
        }
    }
}
