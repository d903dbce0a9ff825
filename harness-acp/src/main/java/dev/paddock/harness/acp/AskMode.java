package dev.paddock.harness.acp;

import com.agentclientprotocol.sdk.spec.AcpSchema;
import dev.paddock.harness.approval.ApprovalRequest;
import dev.paddock.harness.tools.ExecutionSite;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** About which calls the editor's user is asked. A call that no sandbox bounds is asked about in each. */
enum AskMode {
    ASK("Ask", "Asks before each call that may change something."),
    EDITS("Edit files", "Changes files without asking, and asks before each command."),
    ALL("All in the sandbox", "Asks only before what no sandbox bounds, and about further hosts.");

    private final String title;
    private final String description;

    AskMode(String title, String description) {
        this.title = title;
        this.description = description;
    }

    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<AskMode> of(String id) {
        return Arrays.stream(values()).filter(one -> one.id().equals(id)).findFirst();
    }

    static List<String> ids() {
        return Arrays.stream(values()).map(AskMode::id).toList();
    }

    /** Returns the state of a session in this mode. */
    AcpSchema.SessionModeState state() {
        return new AcpSchema.SessionModeState(
                id(),
                Arrays.stream(values())
                        .map(one -> new AcpSchema.SessionMode(one.id(), one.title, one.description))
                        .toList());
    }

    boolean isAbout(ApprovalRequest call) {
        if (call.leavesSandbox()) {
            return true;
        }
        return switch (this) {
            case ASK -> !call.isReadOnly();
            case EDITS -> !call.isReadOnly() && call.executionSite() != ExecutionSite.WORKTREE;
            case ALL -> false;
        };
    }
}
