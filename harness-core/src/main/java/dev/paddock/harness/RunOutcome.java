package dev.paddock.harness;

import java.util.Optional;

/**
 * What a prompt came to.
 *
 * @param end how the run ended
 * @param text what the assistant said last; empty if it said nothing
 * @param turns how many turns the model took
 * @param failure what went wrong; present exactly if the run failed
 */
public record RunOutcome(End end, String text, int turns, Optional<RuntimeException> failure) {

    /** How a run ends. */
    public enum End {
        /** The assistant had nothing more to do. */
        COMPLETED,
        /** The run was aborted, by {@code AgentSession.abort()}, by closing the session, or by interrupting the thread. */
        ABORTED,
        /** The assistant wanted to go on, and had taken as many turns as a run may have. */
        MAX_TURNS,
        /** The model failed, or the session cannot do what it is configured for. */
        FAILED
    }

    /**
     * Whether the assistant came to its own end.
     *
     * @return true for {@link End#COMPLETED}
     */
    public boolean completed() {
        return end == End.COMPLETED;
    }
}
