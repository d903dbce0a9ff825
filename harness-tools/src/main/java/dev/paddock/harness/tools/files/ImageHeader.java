package dev.paddock.harness.tools.files;

import dev.paddock.harness.files.content.FileKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The header of an image in a format that models accept. The host parses only the header of most formats, since a
 * command may have crafted the image; {@link PngRows} decodes PNG without native code.
 *
 * @param mediaType such as {@code image/png}
 * @param width in pixels
 * @param height in pixels
 */
record ImageHeader(String mediaType, int width, int height) {
    private static final int FIRST_FRAME = 0xC0;
    private static final int LAST_FRAME = 0xCF;

    /** Reads the header of a whole file; empty if it has none, or an incomplete one. */
    static Optional<ImageHeader> of(byte[] file) {
        return FileKind.imageType(file).flatMap(type -> {
            try {
                ByteBuffer bytes = ByteBuffer.wrap(file);
                return switch (type) {
                    case "image/png" -> Optional.of(new ImageHeader(type, bytes.getInt(16), bytes.getInt(20)));
                    case "image/gif" -> Optional.of(little(type, bytes.order(ByteOrder.LITTLE_ENDIAN), 6, 8));
                    case "image/jpeg" -> jpeg(type, bytes);
                    default -> webp(type, bytes.order(ByteOrder.LITTLE_ENDIAN));
                };
            } catch (IndexOutOfBoundsException cut) {
                return Optional.empty();
            }
        });
    }

    private static ImageHeader little(String type, ByteBuffer bytes, int width, int height) {
        return new ImageHeader(
                type, Short.toUnsignedInt(bytes.getShort(width)), Short.toUnsignedInt(bytes.getShort(height)));
    }

    /** Walks the segments to the first frame. */
    private static Optional<ImageHeader> jpeg(String type, ByteBuffer bytes) {
        int at = 2;
        while (bytes.get(at) == (byte) 0xFF) {
            int marker = Byte.toUnsignedInt(bytes.get(at + 1));
            if (marker == 0xFF) { // padding
                at++;
                continue;
            }
            boolean frame =
                    marker >= FIRST_FRAME && marker <= LAST_FRAME && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
            if (frame) {
                int height = Short.toUnsignedInt(bytes.getShort(at + 5));
                return Optional.of(new ImageHeader(type, Short.toUnsignedInt(bytes.getShort(at + 7)), height));
            }
            at += 2 + Short.toUnsignedInt(bytes.getShort(at + 2));
        }
        return Optional.empty();
    }

    private static Optional<ImageHeader> webp(String type, ByteBuffer bytes) {
        byte[] name = new byte[4];
        bytes.get(12, name);
        return switch (new String(name, StandardCharsets.ISO_8859_1)) {
            case "VP8 " -> Optional.of(new ImageHeader(type, bytes.getShort(26) & 0x3FFF, bytes.getShort(28) & 0x3FFF));
            case "VP8L" -> {
                int bits = bytes.getInt(21);
                yield Optional.of(new ImageHeader(type, (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1));
            }
            case "VP8X" ->
                Optional.of(new ImageHeader(type, (bytes.getInt(24) & 0xFFFFFF) + 1, (bytes.getInt(26) >>> 8) + 1));
            default -> Optional.empty();
        };
    }
}
