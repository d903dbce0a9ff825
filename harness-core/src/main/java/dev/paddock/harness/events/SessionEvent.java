package dev.paddock.harness.events;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.harness.model.AssistantTurn;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.tools.CommandAudit;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An event of a session. Later releases may add kinds, and components to existing kinds: a {@code
 * switch} needs a {@code default} branch, and record patterns are better avoided.
 *
 * @since 0.1
 */
public sealed interface SessionEvent {

    /**
     * The session has started. The first event that a listener given to the builder receives.
     *
     * @param worktree the working directory, under both paths; empty for a workspace, which the first tool call
     *     {@linkplain WorkspaceOpened opens}
     * @param directory the directory of its messages and logs
     * @param executor the executor's name
     * @param guarantees what the executor enforces
     * @param tools the names of the tools
     * @param problems what its tool sources could not provide, one sentence for people each, such as a malformed skill
     */
    record SessionStarted(
            Optional<PathMapping> worktree,
            Path directory,
            String executor,
            Set<Guarantee> guarantees,
            List<String> tools,
            List<String> problems)
            implements SessionEvent {}

    /**
     * The session's workspace was opened, or reopened after a suspension.
     *
     * @param worktree the working directory, under both paths
     * @param executor the executor's name
     * @param guarantees what the executor enforces
     */
    record WorkspaceOpened(PathMapping worktree, String executor, Set<Guarantee> guarantees) implements SessionEvent {}

    /** The session has closed; the last event. */
    record SessionEnded() implements SessionEvent {}

    /** A run has started with the user's prompt. */
    record RunStarted(String prompt) implements SessionEvent {}

    /** A run has ended. */
    record RunEnded(RunOutcome outcome) implements SessionEvent {}

    /**
     * The session requests a turn from the model.
     *
     * @param number the turn's number within the run, from 1
     */
    record TurnStarted(int number) implements SessionEvent {}

    /**
     * A turn and its tool calls have ended.
     *
     * @param number the turn's number within the run
     * @param usage the turn's token usage, if the model reports it
     */
    record TurnEnded(int number, Optional<AssistantTurn.Usage> usage) implements SessionEvent {}

    /**
     * The model adapter failed to complete the turn and retries it: the text and the thoughts received for this
     * turn so far are void.
     *
     * @param number the turn's number within the run
     * @param reason why the turn failed, for people
     * @param delay how long the adapter waits before it retries
     * @param attempt the number of the next attempt, 2 or more
     * @param attempts the most attempts that the adapter makes while the turn fails in this way
     */
    record TurnRetried(int number, String reason, Duration delay, int attempt, int attempts) implements SessionEvent {}

    /** The model has streamed more text. */
    record TextReceived(String delta) implements SessionEvent {}

    /** The model has streamed more thoughts, which are part of no message. */
    record ThoughtReceived(String delta) implements SessionEvent {}

    /**
     * A message was added to the conversation; it is already stored.
     *
     * @param message the complete message
     */
    record MessageAdded(Message message) implements SessionEvent {}

    /** A tool call has started. */
    record ToolStarted(ToolCall call) implements SessionEvent {}

    /**
     * A tool has reported its output so far. If several updates of a call are pending for a
     * listener, it receives only the latest.
     *
     * @param call the call
     * @param textSoFar the entire output so far, which replaces that of earlier updates
     */
    record ToolUpdated(ToolCall call, String textSoFar) implements SessionEvent {}

    /**
     * A command of the model has ended, or was refused: one event per command, in the foreground and in the background.
     * Not posted for the session's own probe, which checks that commands see the working directory.
     *
     * @param audit the command's audit record; it contains no secret
     */
    record CommandEnded(CommandAudit audit) implements SessionEvent {}

    /**
     * A tool call has ended.
     *
     * @param call the call
     * @param result the tool's result
     * @param took how long the call took
     */
    record ToolEnded(ToolCall call, ToolResult result, Duration took) implements SessionEvent {}
}
