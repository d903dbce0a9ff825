package dev.paddock.harness.acp;

import dev.paddock.harness.AgentSession;
import java.util.Map;
import java.util.Optional;

/**
 * A session that an editor has opened. Only {@link #close} may be called by several threads.
 *
 * @since 0.1
 */
public interface AcpSession extends AutoCloseable {

    /**
     * Returns the session's name, by which the editor resumes it later.
     *
     * @return the name; no other session has it
     */
    String id();

    /**
     * Returns the session. It was built after {@link AcpOpening#prepare}.
     *
     * @return the same on each call
     */
    AgentSession session();

    /**
     * Returns the text that the editor shows once, at the first prompt: what the sandbox grants.
     *
     * @return Markdown; empty for nothing
     */
    String greeting();

    /**
     * Returns the models that the editor offers.
     *
     * @return their titles by their names; empty to offer none
     */
    Map<String, String> models();

    /**
     * Returns the model that works.
     *
     * @return its name, one of {@link #models}; empty if there are none
     */
    Optional<String> model();

    /**
     * Has another model work from the next turn on.
     *
     * @param name its name
     * @throws AcpRefusedException if it cannot be used
     */
    void model(String name);

    /** Called before each prompt. */
    default void beforePrompt() {}

    /** Closes the session, and ends all that was started for it. */
    @Override
    void close();
}
