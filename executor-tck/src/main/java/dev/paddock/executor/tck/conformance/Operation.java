package dev.paddock.executor.tck.conformance;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ShellQuoting;
import java.util.Optional;

/**
 * The operations that a command can attempt, and the guarantee that prevents each. An operation is
 * a shell command in which {@code $T} is the target; it starts in the worktree and succeeds if the
 * attempt does.
 *
 * @since 0.1
 */
public enum Operation {
    /** Reads a file. */
    READ("cat -- \"$T\"", Guarantee.READ_CONFINED),
    /** Lists a directory. */
    LIST("ls -A -- \"$T\"", Guarantee.READ_CONFINED),
    /** Reads a file through a symbolic link in the worktree. */
    FOLLOW("rm -f followed && ln -s -- \"$T\" followed && cat followed", Guarantee.READ_CONFINED),
    /** Makes a hard link to a file in the worktree. */
    LINK("rm -f linked && ln -- \"$T\" linked", Guarantee.WRITE_CONFINED),
    /** Appends to a file that exists. */
    WRITE("echo changed >> \"$T\"", Guarantee.WRITE_CONFINED),
    /** Opens a file that exists for writing, and writes nothing. */
    OPEN(": >> \"$T\"", Guarantee.WRITE_CONFINED),
    /** Creates a file that does not exist, in a directory that does. */
    CREATE("echo made > \"$T\"", Guarantee.WRITE_CONFINED),
    /** Creates a directory. */
    MAKE_DIRECTORY("mkdir -- \"$T\"", Guarantee.WRITE_CONFINED),
    /** Renames a file or directory within its directory. */
    RENAME("mv -- \"$T\" \"$T.renamed\"", Guarantee.WRITE_CONFINED),
    /** Removes a file or a directory recursively. */
    REMOVE("rm -r -- \"$T\"", Guarantee.WRITE_CONFINED),
    /** Commits to the worktree's repository; the target is the message. */
    COMMIT(
            "echo \"$T\" > committed && git add committed"
                    + " && git -c user.name=A -c user.email=a@example.org commit -q -m \"$T\""
                    + " && [ \"$(git log --format=%s -1)\" = \"$T\" ] && [ -z \"$(git status --porcelain -uno)\" ]",
            Guarantee.WRITE_CONFINED),
    /** Connects to HOST:PORT; to a name through the proxy of the environment, if it has one. */
    CONNECT_TCP(
            "perl -MSocket -e 'my ($h, $p) = split /:/, $ARGV[0]; my $t = $ARGV[0];"
                    + " my $x = $h =~ /[a-z]/ && ($ENV{http_proxy} // q()) =~ m{//(.*):(.*)}; ($h, $p) = ($1, $2) if $x;"
                    + " socket(S, PF_INET, SOCK_STREAM, 0) && connect(S, pack_sockaddr_in($p, inet_aton($h)))"
                    + " or die \"$!\"; exit if !$x; syswrite S, \"CONNECT $t HTTP/1.1\\r\\n\\r\\n\";"
                    + " <S> =~ / 200 / or die' \"$T\"",
            Guarantee.NETWORK_OFF),
    /**
     * Sends a datagram to HOST:PORT. If loopback is the sandbox's own, sending succeeds but the
     * datagram has no receiver.
     */
    SEND_UDP(
            "perl -MSocket -e 'my ($h, $p) = split /:/, $ARGV[0]; socket(S, PF_INET, SOCK_DGRAM, 0)"
                    + " && defined send(S, \"from inside\", 0, pack_sockaddr_in($p, inet_aton($h))) or die \"$!\"' \"$T\"",
            Guarantee.NETWORK_OFF),
    /** Connects to a unix socket with a path. */
    CONNECT_UNIX(
            "perl -MSocket -e 'socket(S, PF_UNIX, SOCK_STREAM, 0) && connect(S, pack_sockaddr_un($ARGV[0]))"
                    + " or die \"$!\"' \"$T\"",
            Guarantee.UNIX_SOCKETS_OFF),
    /** Connects to an abstract unix socket. */
    CONNECT_ABSTRACT(
            "perl -MSocket -e 'socket(S, PF_UNIX, SOCK_STREAM, 0) && connect(S, pack(\"S\", AF_UNIX) . \"\\0\" . $ARGV[0])"
                    + " or die \"$!\"' \"$T\"",
            Guarantee.UNIX_SOCKETS_OFF),
    /** Uses a number of bytes of memory. */
    USE_MEMORY("perl -e 'my $x = \"x\" x $ARGV[0]' \"$T\"", Guarantee.MEMORY_LIMIT),
    /** Uses SECONDS/WITHIN: an amount of processor time, within a number of seconds. */
    USE_CPU(
            "perl -e 'use Time::HiRes qw(time); my ($cpu, $within) = split m{/}, $ARGV[0]; my $start = time;"
                    + " 1 while (times)[0] < $cpu; exit(time - $start < $within ? 0 : 1)' \"$T\"",
            Guarantee.CPU_LIMIT),
    /** Runs a number of processes at once. */
    START_PROCESSES(
            "i=0; while [ $i -lt \"$T\" ]; do sleep 60 >/dev/null 2>&1 & i=$((i+1)); done; echo all of them",
            Guarantee.PROCESS_LIMIT),
    /** Writes a file of a number of bytes. */
    WRITE_BYTES("head -c \"$T\" /dev/zero > large"),
    /** Finds NAME=VALUE in its environment. */
    FIND_VARIABLE("eval \"[ \\\"\\${${T%%=*}-}\\\" = \\\"\\${T#*=}\\\" ]\"");

    private final String command;
    private final Optional<Guarantee> guarantee;

    Operation(String command, Guarantee guarantee) {
        this.command = command;
        this.guarantee = Optional.of(guarantee);
    }

    Operation(String command) {
        this.command = command;
        this.guarantee = Optional.empty();
    }

    /**
     * Returns the guarantee that an executor claims if it prevents the operation, if it is a single
     * one.
     */
    public Optional<Guarantee> guarantee() {
        return guarantee;
    }

    public String command(String target) {
        return "T=" + ShellQuoting.posix(target) + "; " + command;
    }

    /**
     * Returns the program that the operation needs; empty if a shell and the usual small programs
     * suffice.
     */
    Optional<String> tool() {
        return command.startsWith("perl ")
                ? Optional.of("perl")
                : command.contains("git ") ? Optional.of("git") : Optional.empty();
    }

    /**
     * Returns whether it connects to a server outside the sandbox: without a reachable server, its
     * failure would look like a prevented operation.
     */
    public boolean connects() {
        return this == CONNECT_TCP || this == CONNECT_UNIX || this == CONNECT_ABSTRACT;
    }

    /** Returns whether the target is a file or directory whose content it reads. */
    boolean reads() {
        return this == READ || this == FOLLOW;
    }

    /** Returns whether it changes the target. */
    boolean changes() {
        return this == WRITE || this == CREATE || this == MAKE_DIRECTORY || this == RENAME || this == REMOVE;
    }
}
