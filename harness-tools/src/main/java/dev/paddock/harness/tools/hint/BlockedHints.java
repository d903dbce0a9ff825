package dev.paddock.harness.tools.hint;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.NetworkPolicy;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Recognizes a command that needed a facility of the host or kernel that the sandbox denies to all
 * commands.
 */
final class BlockedHints {

    /**
     * A facility that is denied to commands.
     *
     * @param trace matches the messages of programs that lack it
     * @param isKept whether a sandbox denies it to commands
     * @param hint the sentences for the user
     */
    private record Facility(Pattern trace, Predicate<SandboxFacts> isKept, String hint) {
        Facility(String trace, Predicate<SandboxFacts> isKept, String hint) {
            this(Pattern.compile(trace), isKept, hint);
        }
    }

    /** The first match wins, so specific entries precede general ones. */
    private static final List<Facility> FACILITIES = List.of(
            new Facility(
                    "(?i)(?:docker|podman|containerd)[\\w-]*\\.sock|cannot connect to (?:the docker|podman)"
                            + "|could not find a valid docker environment",
                    BlockedHints::hasNoSocket,
                    "commands do not reach a container engine, whose socket gives full control of the host: run what"
                            + " needs the engine outside of the sandbox."),
            new Facility(
                    "Could not create local repository at|Failed to create parent directory '[^'\\n]*/\\.gradle'",
                    facts -> !facts.seesHostPaths(),
                    "Java takes the user's home from the image's list of users, and commands cannot write there: --env"
                            + " JAVA_TOOL_OPTIONS=-Duser.home=/tmp gives all programs of Java's another."),
            // Precedes the entry on tracing: a browser's crash handler also prints that it may not trace.
            new Facility(
                    "process_singleton_posix\\.cc[^\\n]{0,200}socket\\(\\) failed",
                    SandboxFacts::seesHostPaths,
                    "a browser needs unix sockets, which Landlock always denies, and bubblewrap with the network open:"
                            + " use bubblewrap (--executor bwrap), with --allow HOST in place of --network open."),
            new Facility(
                    "(?i)ptrace\\w*[^\\n]{0,80}operation not permitted|could not launch process:[^\\n]{0,80}operation not"
                            + " permitted|no permission to enable \\S+ event",
                    facts -> facts.guarantees().contains(Guarantee.SYSCALL_FILTER),
                    "commands can neither trace processes nor read the kernel's counters: gdb, strace, delve and perf"
                            + " work outside of the sandbox only. Debuggers that are part of the program, such as those"
                            + " of Java, Node and Python, work."),
            new Facility(
                    "LeakSanitizer has encountered a fatal error",
                    facts -> facts.guarantees().contains(Guarantee.SYSCALL_FILTER),
                    "LeakSanitizer stops the program's threads as a debugger does, which commands cannot:"
                            + " LSAN_OPTIONS=detect_leaks=0 (--env, or before the command) has all other checks of"
                            + " AddressSanitizer; leaks are found outside of the sandbox, or by valgrind."),
            new Facility(
                    "Cannot change ownership to uid|(?:changing|cannot change) (?:ownership|group|owner and permissions) of '",
                    facts -> facts.guarantees().contains(Guarantee.NO_NEW_PRIVILEGES),
                    "commands cannot give files to another user, not even as root: extract with tar"
                            + " --no-same-owner (--env TAR_OPTIONS=--no-same-owner for every tar), and install without"
                            + " an owner."),
            new Facility(
                    "(?m)^(?:E: [^\\n]*/var/(?:cache|lib)/apt/|dpkg: error: [^\\n]*/var/lib/dpkg)"
                            + "|su: Critical error|(?i)are you root\\?|dpkg frontend lock|no new privileges|effective uid is not 0"
                            + "|\\bsudo: (?:command )?not found|must be setuid root",
                    SandboxFacts::seesHostPaths,
                    "commands cannot become root, and install no packages of the system: install them outside of the"
                            + " sandbox, or use a container whose image has them (--image IMAGE)."),
            new Facility(
                    "unshare failed: Operation not permitted|(?i)creating new namespace failed"
                            + "|no permissions to create (?:a )?new namespace|(?m)^mount: [^\\n]*(?:permission denied"
                            + "|not permitted|must be superuser|mount point is not a directory|does not exist)",
                    facts -> facts.guarantees().contains(Guarantee.SYSCALL_FILTER),
                    "commands cannot mount, and have no sandboxes of their own: leave those of bwrap, unshare, Bazel"
                            + " (--spawn_strategy=local) and browsers (--no-sandbox) off; this sandbox holds them."),
            new Facility(
                    "gpg failed to sign the data|error: cannot run gpg|error: failed to write commit object: gpg",
                    SandboxFacts::seesHostPaths,
                    "commands have no keys: commit with git commit --no-gpg-sign, and sign outside of the sandbox."),
            new Facility(
                    "Failed to register url for submodule path",
                    facts -> facts.guarantees().contains(Guarantee.PROTECTED_PATHS),
                    "git registers submodules in '.git/config', which is protected, since git on the host obeys it: run git"
                            + " submodule init outside of the sandbox; git submodule update then works here."),
            new Facility(
                    "not been booted with systemd|(?i)failed to connect to (?:system |session )?bus",
                    SandboxFacts::seesHostPaths,
                    "commands do not reach the services of the host, such as systemd and D-Bus."),
            new Facility(
                    "(?i)could not create shared memory segment|\\bshmget\\b|in __init__\\s+sl = self\\._semlock",
                    facts -> lacks(facts, Guarantee.PRIVATE_TMP),
                    "this sandbox has no shared memory of its own; bubblewrap has (--executor bwrap)."),
            new Facility(
                    "(?i)unable to generate a unique filename|unable to create lock file: permission denied"
                            + "|(?:can(?:no|')t|could not|couldn't|failed to|unable to) (?:create|make) (?:a )?temp",
                    facts -> lacks(facts, Guarantee.PRIVATE_TMP),
                    "commands have no /tmp in this sandbox; their temporary files go to $TMPDIR. bubblewrap"
                            + " (--executor bwrap) has a /tmp of its own."),
            new Facility(
                    "(?i)out of pty devices|failed to create pseudo-terminal"
                            + "|(?:openpty|forkpty|posix_openpt|getpt)[^\\n]{0,80}(?:failed|denied|no such)",
                    facts -> lacks(facts, Guarantee.PRIVATE_TMP),
                    "this sandbox has no terminals that commands can open; bubblewrap has (--executor bwrap)."),
            new Facility(
                    "(?i)\\b(?:listen|bind|connect) EPERM|/listen error: eperm|connecting to [^\\n]{0,200}operation not permitted"
                            + "|socket\\b[^\\n]{0,200}operation not permitted"
                            + "|operation not permitted - socket|SocketException: operation not permitted"
                            + "|(?s:socket\\.\\w.{0,400}\\[Errno 1\\])|could not determine a usable local IP"
                            + "|failed to connect to (?:localhost|127\\.0\\.0\\.1)[^\\n]{0,200}couldn't connect to server",
                    facts -> isNetworkOff(facts) && lacks(facts, Guarantee.PRIVATE_LOOPBACK),
                    "with the network off this sandbox denies sockets, those on localhost, too; bubblewrap (--executor bwrap)"
                            + " permits them within the sandbox. --network open permits them here, but for unix"
                            + " sockets."),
            new Facility(
                    "(?i)(?:localhost|127\\.0\\.0\\.1|::1)\\b[^\\n]{0,200}(?:connection refused|ECONNREFUSED"
                            + "|couldn't connect to server)"
                            + "|(?:connection refused|ECONNREFUSED)[^\\n]{0,200}(?:localhost|127\\.0\\.0\\.1|::1)\\b",
                    facts -> (isNetworkOff(facts) || facts.policy().network() instanceof NetworkPolicy.Allow)
                            && facts.guarantees().contains(Guarantee.PRIVATE_LOOPBACK),
                    "localhost is the sandbox's own: commands reach the servers that commands have started, and none of"
                            + " the host's but those that the user names by --allow localhost:PORT."));

    private BlockedHints() {}

    /** Returns the hint for the end of a failed command's output; empty if nothing is recognized. */
    static Optional<String> after(SandboxFacts facts, String output) {
        return FACILITIES.stream()
                .filter(facility -> facility.isKept().test(facts)
                        && facility.trace().matcher(output).find())
                .map(Facility::hint)
                .findFirst();
    }

    /** A mounted socket is granted, and has a hint of its own. */
    private static boolean hasNoSocket(SandboxFacts facts) {
        return facts.policy().mounts().stream()
                .noneMatch(mount -> mount.target().endsWith(".sock"));
    }

    /** Returns whether a sandbox that shows host paths lacks a guarantee that bubblewrap has. */
    private static boolean lacks(SandboxFacts facts, Guarantee guarantee) {
        return facts.seesHostPaths() && !facts.guarantees().contains(guarantee);
    }

    private static boolean isNetworkOff(SandboxFacts facts) {
        return facts.policy().network() instanceof NetworkPolicy.Off
                && facts.guarantees().contains(Guarantee.NETWORK_OFF);
    }
}
