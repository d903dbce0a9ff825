package dev.paddock.harness.tools.text;

import dev.paddock.harness.tools.ToolResult;
import java.util.List;

/** Texts of results whose images do not reach the model, which must not believe that it has seen them. */
public final class UnseenImages {
    private static final String NOTICE = "[Images are not passed to this model: it does not see this one.]";

    private UnseenImages() {}

    /**
     * Returns the text of a result that is passed on without its images.
     *
     * @param text the result's text
     * @param images the result's images
     * @return the text, with a notice if there are images
     */
    public static String text(String text, List<ToolResult.Image> images) {
        return images.isEmpty() ? text : text + "\n" + NOTICE;
    }
}
