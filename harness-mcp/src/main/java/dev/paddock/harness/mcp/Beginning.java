package dev.paddock.harness.mcp;

/** The beginning of what may be too long. */
final class Beginning {
    private Beginning() {}

    /** A text as far as it may go, without half a character at its end. */
    static String of(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(longest - 1)) ? longest - 1 : longest);
    }

    /** The same, and a mark where something is missing. */
    static String marked(String text, int longest) {
        return text.length() <= longest ? text : of(text, longest) + "…";
    }
}
