package dev.paddock.executor.worktree;

import dev.paddock.executor.os.table.OwnerId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A session that ends in the midst of a command, as if its JVM were killed, in this JVM: the next one
 * finds the same files and locks as after a {@link KilledSession}, which takes a JVM.
 */
final class AbandonedSession {
    private final WorktreeGuard guard;
    private final WorktreeGuard.Command command;

    private AbandonedSession(WorktreeGuard guard) {
        this.guard = guard;
        this.command = guard.begin(ProtectionPlan.NONE);
    }

    /**
     * Runs a command in a session and abandons it: its slot in the table has a beat and no lock then.
     *
     * @param guard the session's guard
     * @param directory the directory of the test, which has its journals
     * @param in where the command runs
     */
    static AbandonedSession run(WorktreeGuard guard, Path directory, Path in, String script) throws Exception {
        AbandonedSession session = new AbandonedSession(guard);
        GuardedWorktree.shell(in, script);
        guard.journal().beat();
        guard.journal().close();
        renameOwners(directory);
        KilledSession.awaitLaterChange(directory);
        return session;
    }

    /** Has the journals name a JVM that has ended: the processes of this one are not to be ended. */
    private static void renameOwners(Path directory) throws IOException {
        OwnerId here = OwnerId.current();
        OwnerId dead = new OwnerId(here.machine(), here.boot(), here.namespace(), here.pid(), here.started() + 1);
        List<Path> owners;
        try (Stream<Path> files = Files.walk(directory.resolve("journals"))) {
            owners = files.filter(file -> String.valueOf(file.getFileName()).startsWith("owner-"))
                    .toList();
        }
        for (Path owner : owners) {
            Files.writeString(owner, Files.readString(owner).replace(here.toString(), dead.toString()));
        }
    }

    /** Closes what the kernel closes at a JVM's end; call it when the test has looked at the files. */
    void close() {
        command.settle();
        guard.close();
    }
}
