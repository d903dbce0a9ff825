package dev.paddock.executor.process.launch;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.os.posix.Posix;
import dev.paddock.executor.os.table.ProcessTable;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Tests on a new platform whether processes started through the C library lead their own session, distinguish exit
 * statuses, and have connected streams. If the test fails, the JDK starts the processes.
 */
final class NativeSelfTest {
    private static final Logger LOG = LateLogger.of(NativeSelfTest.class);
    private static final long SECONDS = 5;
    private static final int CODE = 7;
    private static final Signal DEATH = Signal.KILL;

    private NativeSelfTest() {}

    private static final class Holder {
        static final boolean PASSES =
                Posix.portable().filter(posix -> passes(posix, SECONDS)).isPresent();
    }

    static boolean passesHere() {
        return Holder.PASSES;
    }

    /**
     * Runs the test on a separate thread: a broken call may never return.
     *
     * @param seconds the bound of the test
     */
    static boolean passes(Posix posix, long seconds) {
        CompletableFuture<Optional<String>> result = new CompletableFuture<>();
        DaemonThreads.platform("paddock-self-test").start(() -> {
            try {
                result.complete(problem(posix));
            } catch (Throwable fault) { // an Error too: its message explains the failure
                result.complete(Optional.of(fault.toString()));
            }
        });
        // An interrupt of the first caller is no fault of the machine, and does not end this wait.
        Optional<String> problem = result.completeOnTimeout(
                        Optional.of("it did not end within " + seconds + " s"), seconds, TimeUnit.SECONDS)
                .join();
        problem.ifPresent(text -> LOG.log(
                Level.WARNING, "The JDK starts the processes, since the self-test of posix_spawn failed: {0}", text));
        return problem.isEmpty();
    }

    private static Optional<String> problem(Posix posix) throws IOException {
        try (NativeLauncher launcher = new NativeLauncher(posix, "paddock-self-test")) {
            Optional<String> exit = ofExit(launcher);
            return exit.isPresent() ? exit : ofDeath(launcher);
        }
    }

    private static Optional<String> ofExit(NativeLauncher launcher) throws IOException {
        ChildProcess child = shell(launcher, "IFS= read -r line; echo \"$line\"; exit " + CODE);
        try {
            Optional<ProcessTable.Row> row = ProcessTable.ofThisMachine().row(child.pid());
            if (row.filter(seen -> seen.session() == child.pid() && seen.group() == child.pid() && seen.running())
                    .isEmpty()) {
                return Optional.of("the process table does not show that the process leads a session: " + row);
            }
            try (OutputStream stdin = child.stdin()) {
                stdin.write("on\n".getBytes(US_ASCII));
            }
            String output = new String(child.stdout().readAllBytes(), US_ASCII);
            ExitStatus status = child.ended().join();
            return output.equals("on\n") && status.equals(new ExitStatus.Exited(CODE))
                    ? Optional.empty()
                    : Optional.of("a shell that should write 'on' and exit with " + CODE + " wrote '" + output
                            + "' and ended with " + status);
        } finally {
            end(child);
        }
    }

    private static Optional<String> ofDeath(NativeLauncher launcher) {
        ChildProcess child = shell(launcher, "kill -s " + DEATH.name() + " $$");
        try {
            ExitStatus status = child.ended().join();
            return status.equals(new ExitStatus.Signaled(DEATH))
                    ? Optional.empty()
                    : Optional.of("a shell that should kill itself ended with " + status);
        } finally {
            end(child);
        }
    }

    private static ChildProcess shell(NativeLauncher launcher, String script) {
        return launcher.launch(
                LaunchSpec.builder(HostEnvironment.SHELL, "-c", script)
                        .env("PATH", HostEnvironment.SYSTEM_PATH)
                        .stdin(SpawnOptions.Stdin.PIPE)
                        .build(),
                LaunchThread.direct());
    }

    private static void end(ChildProcess child) {
        if (!child.signalGroup(Signal.KILL)) { // the process may lead no session
            child.signal(Signal.KILL);
        }
        child.whenEnded((status, fault) -> {
            child.endStreams();
            child.release();
        });
    }
}
