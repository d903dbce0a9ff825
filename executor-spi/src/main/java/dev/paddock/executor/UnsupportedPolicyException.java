package dev.paddock.executor;

import java.io.Serial;
import java.util.List;

/**
 * A policy asks for what the backend cannot enforce. Nothing has run (C14).
 */
public final class UnsupportedPolicyException extends ExecutorException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String backend;

    @SuppressWarnings("serial") // the list that List.copyOf makes is serializable
    private final List<String> unsupported;

    /**
     * Makes an exception.
     *
     * @param backend the backend's {@linkplain CommandExecutor#name() name}
     * @param unsupported what it cannot enforce, each as a phrase that follows on the backend's name: what it
     *     cannot do, with the value at fault, why, and a remedy, such as {@code "cannot keep the network off: …"}; at least
     *     one
     */
    public UnsupportedPolicyException(String backend, List<String> unsupported) {
        super("the " + backend + " backend " + reasons(unsupported)
                + ". Choose a backend that can (paddock doctor lists what each one guarantees), or do not ask for it.");
        this.backend = backend;
        this.unsupported = List.copyOf(unsupported);
    }

    /** Several are numbered: each may have clauses of its own. */
    private static String reasons(List<String> unsupported) {
        if (unsupported.size() == 1) {
            return unsupported.getFirst();
        }
        StringBuilder text = new StringBuilder("refuses the policy for " + unsupported.size() + " reasons:");
        for (int index = 0; index < unsupported.size(); index++) {
            text.append(index == 0 ? " (" : "; (")
                    .append(index + 1)
                    .append(") ")
                    .append(unsupported.get(index));
        }
        return text.toString();
    }

    /**
     * The backend that was asked.
     *
     * @return its {@linkplain CommandExecutor#name() name}
     */
    public String backend() {
        return backend;
    }

    /**
     * What it cannot enforce.
     *
     * @return phrases, at least one
     */
    public List<String> unsupported() {
        return unsupported;
    }
}
