package dev.paddock.harness.tools.files;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolResult;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.util.Base64;
import java.util.Optional;

/**
 * Gives an image to the model. Scales down only large PNG images: for other formats the JDK has a native decoder or
 * none, and a command may have crafted the image.
 */
final class ImageFile {
    /** 5 MB in base64, the most that common models accept. */
    private static final int MAX_IMAGE_BYTES = 3_750_000;

    /** The largest file that is scaled down. */
    private static final int MAX_SCALED_BYTES = 32 << 20;

    /** The longest side that common models accept. */
    private static final int MAX_SIDE = 8_000;

    /** Models use two or three million; cameras produce up to 50 million, which scaling down would decode. */
    private static final int MAX_PIXELS = 40_000_000;

    /** Common models scale down larger images themselves. */
    private static final int MAX_SHOWN_SIDE = 1_568;

    private final String path;
    private final byte[] file;
    private final ImageHeader header;

    private ImageFile(String path, byte[] file, ImageHeader header) {
        this.path = path;
        this.file = file;
        this.header = header;
    }

    static ToolResult read(String path, SeekableByteChannel content, AbortSignal signal) throws IOException {
        if (content.size() > MAX_SCALED_BYTES) {
            return tooLarge(path, content.size());
        }
        byte[] file = ReadTool.whole(content, signal);
        Optional<ImageHeader> header = ImageHeader.of(file);
        if (header.isEmpty()) {
            return ToolResult.error(path + " begins like an image, but its header is damaged; it is not shown");
        }
        return new ImageFile(path, file, header.get()).result(signal);
    }

    private static ToolResult tooLarge(String path, long size) {
        return ToolResult.error(path + " is an image of " + size + " bytes, more than the " + MAX_IMAGE_BYTES
                + " that are shown; make a smaller copy of it with a command");
    }

    private ToolResult result(AbortSignal signal) {
        if (!isPermitted(header.width())
                || !isPermitted(header.height())
                || (long) header.width() * header.height() > MAX_PIXELS) {
            return ToolResult.error(path + " is an image of " + pixels(header.width(), header.height())
                    + "; images of 1 to " + MAX_SIDE + " pixels on each side, and " + MAX_PIXELS
                    + " in all, are shown: make a smaller copy of it with a command");
        }
        boolean large = Math.max(header.width(), header.height()) > MAX_SHOWN_SIDE || file.length > MAX_IMAGE_BYTES;
        if (large && header.mediaType().equals("image/png")) {
            Optional<SmallerPng> smaller = SmallerPng.of(file, MAX_SHOWN_SIDE, MAX_IMAGE_BYTES, signal);
            if (smaller.isPresent()) {
                SmallerPng shown = smaller.get();
                return shown(shown.file(), ", scaled down to " + pixels(shown.width(), shown.height()));
            }
        }
        return file.length > MAX_IMAGE_BYTES ? tooLarge(path, file.length) : shown(file, "");
    }

    private static boolean isPermitted(int side) {
        return side > 0 && side <= MAX_SIDE;
    }

    private static String pixels(int width, int height) {
        return width + " × " + height + " pixels";
    }

    private ToolResult shown(byte[] image, String how) {
        return ToolResult.ok("[" + path + ": " + header.mediaType() + ", " + pixels(header.width(), header.height())
                        + ", " + file.length + " bytes" + how + "]")
                .withImage(new ToolResult.Image(
                        header.mediaType(), Base64.getEncoder().encodeToString(image)))
                .withDetails(Json.object()
                        .with("path", path)
                        .with("mediaType", header.mediaType())
                        .with("width", header.width())
                        .with("height", header.height()));
    }
}
