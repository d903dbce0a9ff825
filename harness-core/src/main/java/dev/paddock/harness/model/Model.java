package dev.paddock.harness.model;

/**
 * The port to a language model: messages and tool specifications in, one turn of the assistant out. Adapters to providers live
 * outside of this module; {@link ScriptedModel} plays turns from a file.
 */
@FunctionalInterface
public interface Model {

    /**
     * Has the model take its turn. Blocks until the turn is complete; called by one thread at a time.
     *
     * <p>When {@link ModelRequest#signal()} is aborted, return or throw soon: after 2 seconds the session interrupts the thread
     * and does not wait any longer. What is returned or thrown then counts for nothing, but the text given to the listener so
     * far is kept.
     *
     * <p>Trying again after a rate limit or a broken stream is the adapter's business, which tells the listener. An exception
     * ends the run as failed; one of the kinds that {@link ModelException} knows is told as
     * such.
     *
     * @param request what the model is given
     * @param listener is given the text as it comes in
     * @return the whole turn, also what the listener was given
     */
    AssistantTurn respond(ModelRequest request, ModelListener listener);

    /**
     * Stands where no model is needed: in a session that nobody prompts, because its tools are called from elsewhere by
     * {@code AgentSession.call}.
     *
     * @return a model that fails each run
     */
    static Model none() {
        return (request, listener) -> {
            throw new IllegalStateException(
                    "this session has no model, so that it cannot be prompted: its tools are called from elsewhere");
        };
    }
}
