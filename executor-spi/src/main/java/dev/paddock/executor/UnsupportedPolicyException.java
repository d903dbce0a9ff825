package dev.paddock.executor;

import java.io.Serial;
import java.util.List;

/**
 * Reports that the backend cannot enforce a part of the policy. Nothing has run (C14).
 *
 * @since 0.1
 */
public final class UnsupportedPolicyException extends ExecutorException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String backend;

    @SuppressWarnings("serial") // the list that List.copyOf makes is serializable
    private final List<String> unsupported;

    /**
     * Creates an exception.
     *
     * @param backend the backend's {@linkplain CommandExecutor#name() name}
     * @param unsupported the parts that it cannot enforce, each as a phrase that follows the
     *     backend's name: the missing ability, the value at fault, the reason and a remedy, such as
     *     {@code "cannot keep the network off: …"}; at least one
     */
    public UnsupportedPolicyException(String backend, List<String> unsupported) {
        super("the " + backend + " backend " + reasons(unsupported)
                + ". Choose a backend that can (paddock doctor lists what each one guarantees), or do not ask for it.");
        this.backend = backend;
        this.unsupported = List.copyOf(unsupported);
    }

    /** Joins the reasons; several are numbered, since each may have its own clauses. */
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
     * Returns the backend that refused the policy.
     *
     * @return its {@linkplain CommandExecutor#name() name}
     */
    public String backend() {
        return backend;
    }

    /**
     * Returns the parts of the policy that the backend cannot enforce.
     *
     * @return phrases, at least one
     */
    public List<String> unsupported() {
        return unsupported;
    }

    /**
     * Returns the answer of a probe with the same policy.
     *
     * @return the parts of the policy as the reason, and a remedy
     */
    public Availability.Unusable unusable() {
        return new Availability.Unusable(
                String.join("; ", unsupported),
                "Change these parts of the policy, or use a backend that enforces them.");
    }
}
