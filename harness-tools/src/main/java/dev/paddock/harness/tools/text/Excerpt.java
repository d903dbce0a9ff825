package dev.paddock.harness.tools.text;

import dev.paddock.harness.tools.ToolResult;
import java.util.Collection;
import java.util.List;

/** Shortens texts, and converts results to their texts. */
public final class Excerpt {

    /** The most that one tool result shows of anything: bytes, or characters where those are counted. */
    public static final int MAX_RESULT = 262_144;

    /** The most characters of a list in a sentence. */
    private static final int MAX_LIST = 200;

    private static final String UNSEEN = "[Images are not passed to this model: it does not see this one.]";

    private Excerpt() {}

    /**
     * Returns the text of a result that reaches a model without its images, with a notice: the model must not believe
     * that it has seen them.
     *
     * @param text the result's text
     * @param images the result's images
     * @return the text, with a notice if there are images
     */
    public static String withoutImages(String text, List<ToolResult.Image> images) {
        return images.isEmpty() ? text : text + "\n" + UNSEEN;
    }

    /**
     * Shortens a text and marks the cut with an ellipsis.
     *
     * @param text the text
     * @param most how many characters of it are shown, 1 or more
     * @return the text, or its beginning and an ellipsis
     */
    public static String cut(String text, int most) {
        return text.length() <= most ? text : text.substring(0, end(text, most)) + "…";
    }

    /**
     * Returns where to cut a text without splitting a surrogate pair.
     *
     * @param text a text of at least {@code most} characters
     * @param most how many of them are shown, 1 or more
     * @return {@code most}, or one less where it would split a surrogate pair
     */
    public static int end(String text, int most) {
        return Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
    }

    /**
     * Lists the first of some items in a sentence, at most 200 characters of them, and counts the others.
     *
     * @param items the items; at least the beginning of the first is shown
     * @return such as {@code a, b and 3 more}
     */
    public static String list(Collection<String> items) {
        StringBuilder shown = new StringBuilder();
        int left = items.size();
        for (String item : items) {
            String separator = shown.isEmpty() ? "" : ", ";
            if (!shown.isEmpty() && shown.length() + separator.length() + item.length() > MAX_LIST) {
                break;
            }
            shown.append(separator).append(cut(item, MAX_LIST));
            left--;
        }
        return left == 0 ? shown.toString() : shown + " and " + left + " more";
    }
}
