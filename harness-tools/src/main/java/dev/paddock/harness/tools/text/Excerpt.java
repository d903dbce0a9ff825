package dev.paddock.harness.tools.text;

/** Cuts texts to what is shown of them. */
public final class Excerpt {

    /** As much as one tool result shows of anything: bytes, or characters where those are counted. */
    public static final int MOST_OF_A_RESULT = 262_144;

    private Excerpt() {}

    /**
     * Cuts a text and says so.
     *
     * @param text the text
     * @param most how many characters of it are shown, 1 or more
     * @return the text, or its beginning and an ellipsis
     */
    public static String cut(String text, int most) {
        return text.length() <= most ? text : text.substring(0, end(text, most)) + "…";
    }

    /**
     * Where to cut a text, so that no character is torn.
     *
     * @param text a text of at least so many characters
     * @param most how many of them are shown, 1 or more
     * @return as many, or one less where it would be half of a surrogate pair
     */
    public static int end(String text, int most) {
        return Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
    }
}
