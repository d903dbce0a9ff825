package dev.paddock.harness.tools.files;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.tools.ToolResult;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.util.Base64;
import java.util.Optional;

/** Gives an image to the model. */
final class ImageFile {
    /** In base64 5 MB, the most that common models take. */
    private static final int MAX_IMAGE_BYTES = 3_750_000;

    /** The longest side that common models take. */
    private static final int MAX_IMAGE_PIXELS = 8_000;

    private ImageFile() {}

    static ToolResult read(String path, SeekableByteChannel content, AbortSignal signal) throws IOException {
        if (content.size() > MAX_IMAGE_BYTES) {
            return ToolResult.error(path + " is an image of " + content.size() + " bytes, more than the "
                    + MAX_IMAGE_BYTES + " that are shown; make a smaller copy of it with a command");
        }
        byte[] file = ReadTool.whole(content, signal);
        Optional<ImageHeader> header = ImageHeader.of(file);
        if (header.isEmpty()) {
            return ToolResult.error(path + " begins like an image, but its header is damaged; it is not shown");
        }
        ImageHeader image = header.get();
        String size = image.width() + " × " + image.height() + " pixels";
        if (!(image.width() > 0
                && image.width() <= MAX_IMAGE_PIXELS
                && image.height() > 0
                && image.height() <= MAX_IMAGE_PIXELS)) {
            return ToolResult.error(path + " is an image of " + size + "; images of 1 to " + MAX_IMAGE_PIXELS
                    + " pixels on each side are shown: make a smaller copy of it with a command");
        }
        return ToolResult.ok("[" + path + ": " + image.mediaType() + ", " + size + ", " + file.length + " bytes]")
                .withImage(new ToolResult.Image(
                        image.mediaType(), Base64.getEncoder().encodeToString(file)))
                .withDetails(FileTool.details()
                        .put("path", path)
                        .put("mediaType", image.mediaType())
                        .put("width", image.width())
                        .put("height", image.height()));
    }
}
