package dev.paddock.harness.model;

/**
 * The port to a language model: takes messages and tool specifications, and returns one turn of the assistant. Adapters
 * for providers are in other modules; {@link ScriptedModel} replays turns from a file.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface Model {

    /**
     * Requests one turn from the model. Blocks until the turn is complete; called by one thread at
     * a time.
     *
     * <p>When {@link ModelRequest#signal()} is aborted, return or throw promptly: after 2 seconds
     * the session interrupts the thread and stops waiting. A turn returned or an exception thrown
     * after the abort is discarded, but the text passed to the listener so far is kept.
     *
     * <p>The adapter retries after a rate limit or a broken stream, and reports each retry to the
     * listener. An exception ends the run as failed; throw a {@link ModelException} where one of
     * its kinds fits, so that callers can distinguish the cause.
     *
     * @param request the conversation, the tools and the abort signal
     * @param listener receives the text as it is streamed
     * @return the complete turn, including the text that was passed to the listener
     */
    AssistantTurn respond(ModelRequest request, ModelListener listener);

    /**
     * {@return whether the model accepts the images of tool results; false by default} If not, the session passes only
     * the text, with a note that an image was left out.
     */
    default boolean takesImages() {
        return false;
    }

    /**
     * {@return a model that fails each run: a placeholder for a session that is never prompted, whose tools are called
     * through {@code AgentSession.call}}
     */
    static Model none() {
        return (request, listener) -> {
            throw new IllegalStateException(
                    "this session has no model, so that it cannot be prompted: its tools are called from elsewhere");
        };
    }
}
