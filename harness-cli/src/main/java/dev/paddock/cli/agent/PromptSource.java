package dev.paddock.cli.agent;

import java.util.Optional;

/** Supplies the prompts of a session. */
interface PromptSource {

    /** Returns whether prompts are asked for one by one, so that another may follow. */
    boolean asks();

    /** Returns the next prompt; empty if there are no more. May block until it is typed. */
    Optional<String> next();
}
