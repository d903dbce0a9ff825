package dev.paddock.executor.bwrap;

import dev.paddock.executor.RunOptions;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.fixtures.TestNames;
import java.nio.file.Path;

/** The program of a JVM that relays a connection of its command, and is stopped meanwhile. */
final class RelayProgram {
    private RelayProgram() {}

    /**
     * Runs a command that prints how many bytes a host sends, and their sum.
     *
     * @param args the host's port, the worktree, the quarantine
     */
    public static void main(String[] args) throws InterruptedException {
        String host = TestNames.put("stopped", "127.0.0.1");
        String command = "perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(PeerAddr => \"" + host
                + "\", PeerPort => " + args[0] + ") or die $!; while (($n = sysread($s, $part, 65536)) > 0)"
                + " { $length += $n; $sum = ($sum + unpack(\"%32C*\", $part)) % 4294967296 } print \"$length $sum\"'";
        try (BwrapExecutor executor = BwrapExecutor.builder()
                .policy(SandboxPolicy.builder(PathMapping.same(Path.of(args[1])))
                        .network(NetworkPolicy.allow(host + ":" + args[0] + "/private"))
                        .build())
                .quarantine(Path.of(args[2]))
                .build()) {
            System.out.print(executor.run(command, RunOptions.in(args[1])).outText());
        }
    }
}
