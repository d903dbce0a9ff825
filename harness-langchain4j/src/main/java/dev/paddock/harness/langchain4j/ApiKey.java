package dev.paddock.harness.langchain4j;

import dev.paddock.harness.model.ModelException;

/** A provider's API key. Its string form names the variable that it came from, never the key. */
final class ApiKey {
    private final String variable;
    private final String secret;

    /**
     * Validates and wraps a key.
     *
     * @throws ModelException if it cannot be a key; the message names the variable
     */
    ApiKey(String variable, String secret) {
        this.variable = variable;
        this.secret = secret.strip();
        // For characters that a header cannot contain, the JDK throws an exception whose message
        // contains the key.
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

    /** Returns a text without the key. */
    String scrub(String text) {
        return text.replace(secret, "***");
    }

    /** Returns whether the message of an exception, or of one of its causes, contains the key. */
    boolean isRevealedBy(Throwable fault) {
        Throwable cause = fault.getCause();
        return String.valueOf(fault.getMessage()).contains(secret) || (cause != null && isRevealedBy(cause));
    }

    @Override
    public String toString() {
        return "the key in " + variable;
    }
}
