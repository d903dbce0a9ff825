package dev.paddock.cli.agent;

import dev.paddock.cli.sessions.SessionNote;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.Printable;
import dev.paddock.cli.workspace.Workspaces;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.workspace.SnapshotInfo;
import dev.paddock.harness.workspace.directory.WorkspaceEntry;
import dev.paddock.harness.workspace.provider.WorkspaceException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Takes a snapshot of a workspace before each prompt, and restores the files from it in place, so
 * that the session continues under the same paths. The replaced files are kept as a snapshot, too.
 * Thread-safe.
 */
final class Checkpoints {
    private static final int MAX_LABEL_LENGTH = 60;

    private final Workspaces workspaces;
    private final WorkspaceEntry workspace;
    private final Deque<SessionNote.Checkpoint> taken;

    /**
     * Begins with the checkpoints of a resumed session.
     *
     * @param earlier the remaining ones, the latest first
     */
    Checkpoints(Workspaces workspaces, WorkspaceEntry workspace, List<SessionNote.Checkpoint> earlier) {
        this.workspaces = workspaces;
        this.workspace = workspace;
        this.taken = new ArrayDeque<>(earlier);
    }

    /** Returns the remaining checkpoints, the latest first. */
    synchronized List<SessionNote.Checkpoint> left() {
        return List.copyOf(taken);
    }

    /**
     * Takes the snapshot before a prompt.
     *
     * @return why there is none, for people; empty if it was taken
     */
    synchronized String before(String prompt) {
        String shown = excerpt(prompt);
        try {
            SnapshotInfo snapshot = workspaces.snapshot(workspace, "before the prompt: " + shown);
            taken.push(new SessionNote.Checkpoint(shown, snapshot.id()));
            return "";
        } catch (WorkspaceException | IOException fault) {
            return "no checkpoint before this prompt: " + Console.text(fault) + "; /undo goes "
                    + (taken.isEmpty()
                            ? "nowhere"
                            : "back to the one before '" + taken.getFirst().prompt() + "'");
        }
    }

    /**
     * Restores the files of the last checkpoint, which is then dropped; the next prompt informs the model.
     *
     * @return what was done, or why nothing was, for people
     */
    synchronized String undo(AgentSession session) {
        if (taken.isEmpty()) {
            return "nothing to undo: no checkpoint is left";
        }
        SessionNote.Checkpoint last = taken.getFirst();
        SnapshotInfo before;
        try {
            session.suspendWorkspace();
            before = workspaces.provider(workspace.ref().kind()).rollBack(workspace.ref(), last.snapshot());
        } catch (WorkspaceException | IOException | IllegalStateException fault) {
            return "the files stay as they are: " + Console.text(fault);
        }
        taken.pop();
        session.steer("The user has undone what was changed since the prompt '" + last.prompt()
                + "': all files in the working directory are again as they were before it, and background shells have"
                + " been ended. Read files again before you rely on them.");
        return "the files are as before '" + last.prompt() + "'; as they were until now, they are the snapshot "
                + before.id();
    }

    private static String excerpt(String prompt) {
        String line = Printable.text(prompt.strip().lines().findFirst().orElse(""));
        return line.length() <= MAX_LABEL_LENGTH ? line : line.substring(0, MAX_LABEL_LENGTH - 1) + "…";
    }
}
