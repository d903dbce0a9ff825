package dev.paddock.harness.langchain4j;

import dev.paddock.harness.model.ModelException;

/** A provider's key. Where it shows itself, it shows the variable that it came from. */
final class Key {
    private final String variable;
    private final String secret;

    /**
     * Takes a key.
     *
     * @throws ModelException if it cannot be one; the message names the variable
     */
    Key(String variable, String secret) {
        this.variable = variable;
        this.secret = secret.strip();
        // What cannot stand in a header, the JDK refuses with a message that shows it.
        if (this.secret.isEmpty() || !this.secret.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw new ModelException(
                    ModelException.Kind.AUTHENTICATION,
                    "the environment variable " + variable + " holds no key: it is empty, or has spaces or control"
                            + " characters in it; set it to the provider's key");
        }
    }

    String variable() {
        return variable;
    }

    String secret() {
        return secret;
    }

    /** A text without the key. */
    String scrub(String text) {
        return text.replace(secret, "***");
    }

    /** Whether a fault tells the key, somewhere. */
    boolean isToldBy(Throwable fault) {
        Throwable cause = fault.getCause();
        return String.valueOf(fault.getMessage()).contains(secret) || (cause != null && isToldBy(cause));
    }

    @Override
    public String toString() {
        return "the key in " + variable;
    }
}
