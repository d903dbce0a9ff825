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
 * Something that happened in a session. Later releases add kinds, and parts to the kinds that are there: a {@code switch} needs
 * a {@code default} branch, and record patterns are better avoided.
 */
public sealed interface SessionEvent {

    /**
     * The session stands. The first event of a listener that was given to the builder.
     *
     * @param worktree where it works, under both names
     * @param directory where its messages and logs are
     * @param executor the executor's name
     * @param guarantees what the executor enforces
     * @param tools the names of the tools
     * @param problems what its sources of tools could not give, a sentence for people each: a skill that is malformed
     */
    record SessionStarted(
            PathMapping worktree,
            Path directory,
            String executor,
            Set<Guarantee> guarantees,
            List<String> tools,
            List<String> problems)
            implements SessionEvent {}

    /** The session is closed; the last event. */
    record SessionEnded() implements SessionEvent {}

    /**
     * A run began.
     *
     * @param prompt what the user said
     */
    record RunStarted(String prompt) implements SessionEvent {}

    /**
     * A run ended.
     *
     * @param outcome what it came to
     */
    record RunEnded(RunOutcome outcome) implements SessionEvent {}

    /**
     * The model is asked for a turn.
     *
     * @param number the turn's number within the run, from 1
     */
    record TurnStarted(int number) implements SessionEvent {}

    /**
     * The turn is over, and so are its tool calls.
     *
     * @param number the turn's number within the run
     * @param usage what it cost, if the model tells
     */
    record TurnEnded(int number, Optional<AssistantTurn.Usage> usage) implements SessionEvent {}

    /**
     * The model could not take its turn and begins it again: what it said of it so far is void.
     *
     * @param number the turn's number within the run
     * @param reason what kept it from its turn, for people
     * @param delay how long it waits before it begins again
     */
    record TurnRetried(int number, String reason, Duration delay) implements SessionEvent {}

    /**
     * The assistant is speaking.
     *
     * @param delta what it said since the last event of this kind
     */
    record TextReceived(String delta) implements SessionEvent {}

    /**
     * The conversation has a new message, which is stored already.
     *
     * @param message the message, whole
     */
    record MessageAdded(Message message) implements SessionEvent {}

    /**
     * A tool is called.
     *
     * @param call the call
     */
    record ToolStarted(ToolCall call) implements SessionEvent {}

    /**
     * A tool shows what it has so far. Of several updates that a listener has not taken yet it gets the latest alone.
     *
     * @param call the call
     * @param textSoFar everything so far, which replaces that of earlier updates
     */
    record ToolUpdated(ToolCall call, String textSoFar) implements SessionEvent {}

    /**
     * A command of the model is over, or was refused: one event for each, in the foreground and in the background. Commands of
     * the session's own, which prove that it works in the right place, are not among them.
     *
     * @param audit what came of it; nothing in it is secret
     */
    record CommandEnded(CommandAudit audit) implements SessionEvent {}

    /**
     * A tool call is over.
     *
     * @param call the call
     * @param result what it came to
     * @param took how long it took
     */
    record ToolEnded(ToolCall call, ToolResult result, Duration took) implements SessionEvent {}
}
