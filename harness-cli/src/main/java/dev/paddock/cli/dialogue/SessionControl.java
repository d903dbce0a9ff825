package dev.paddock.cli.dialogue;

import dev.paddock.cli.editor.EditorKeys;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.harness.AgentSession;
import java.util.Optional;

/** Gives a terminal's keys and commands access to the session. */
public interface SessionControl extends EditorKeys {

    /** Returns the session; empty until it is open. */
    Optional<AgentSession> session();

    /** Returns whether prompts have checkpoints, to which {@link #undo} returns. */
    boolean hasCheckpoints();

    /** Restores the files from before the last prompt, and returns what was done, for people. */
    String undo();

    /** Returns the session's executor; empty until it is open. */
    Optional<CommandExecutor> executor();

    /**
     * Waits until the start of a call and the text before it have been shown; 2 seconds at most.
     *
     * @param callId the call's id
     * @throws InterruptedException if the thread is interrupted
     */
    void awaitShown(String callId) throws InterruptedException;
}
