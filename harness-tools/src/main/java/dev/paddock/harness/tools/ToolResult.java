package dev.paddock.harness.tools;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The result of a tool call. Immutable.
 *
 * @since 0.1
 */
public final class ToolResult {
    private final String text;
    private final boolean isError;
    private final Json details;
    private final List<Image> images;

    /**
     * An image for the model.
     *
     * @param mediaType {@code image/png}, {@code image/jpeg}, {@code image/gif} or {@code image/webp}
     * @param base64 the file's bytes
     * @since 0.1
     */
    public record Image(String mediaType, String base64) {}

    private ToolResult(String text, boolean isError, Json details, List<Image> images) {
        this.text = text;
        this.isError = isError;
        this.details = details;
        this.images = images;
    }

    /**
     * Returns a successful result without details.
     *
     * @param text the text for the model
     * @return the result
     */
    public static ToolResult ok(String text) {
        return of(text, false);
    }

    /**
     * Returns an error result without details.
     *
     * @param text the text for the model: what happened, the offending value, what to do
     * @return the result
     */
    public static ToolResult error(String text) {
        return of(text, true);
    }

    /**
     * Returns a result without details.
     *
     * @param text the text for the model
     * @param isError whether the call failed
     * @return the result
     */
    public static ToolResult of(String text, boolean isError) {
        return new ToolResult(text, isError, Json.object(), List.of());
    }

    /**
     * Returns the error result of a tool that threw an undocumented exception.
     *
     * @param tool the tool's name
     * @param fault the exception
     * @return the result
     */
    public static ToolResult failed(String tool, Throwable fault) {
        return error("The tool " + tool + " failed unexpectedly: " + fault);
    }

    /**
     * Returns this result with other details.
     *
     * @param value the details, an object
     * @return the result
     * @throws IllegalArgumentException if they are no object
     */
    public ToolResult withDetails(Json value) {
        if (value.kind() != Json.Kind.OBJECT) {
            throw new IllegalArgumentException("the details of a tool's result are no object: " + value.kind());
        }
        return new ToolResult(text, isError, value, images);
    }

    /**
     * Returns this result with a further image.
     *
     * @param image the image, which follows the text
     * @return the result
     */
    public ToolResult withImage(Image image) {
        List<Image> more = new ArrayList<>(images);
        more.add(image);
        return new ToolResult(text, isError, details, List.copyOf(more));
    }

    /** {@return the text for the model} */
    public String text() {
        return text;
    }

    /** {@return whether the call failed} */
    public boolean isError() {
        return isError;
    }

    /**
     * {@return the same result in machine-readable form (exit status, totals, a diff): an object, without members by
     * default} Not sent to the model.
     */
    public Json details() {
        return details;
    }

    /**
     * {@return the images for the model, in order; mostly none} A client that takes no images receives only the text.
     */
    public List<Image> images() {
        return images;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ToolResult result
                && text.equals(result.text)
                && isError == result.isError
                && details.equals(result.details)
                && images.equals(result.images);
    }

    @Override
    public int hashCode() {
        return Objects.hash(text, isError, details, images);
    }

    @Override
    public String toString() {
        return (isError ? "ToolResult[error: " : "ToolResult[") + text + (images.isEmpty() ? "]" : ", with images]");
    }
}
