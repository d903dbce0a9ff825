package dev.paddock.harness.tools.files;

import dev.paddock.executor.AbortSignal;
import java.io.IOException;
import java.util.Optional;

/** A smaller version of a PNG image. */
final class SmallerPng {
    private final ScaledImage image;
    private final byte[] file;

    private SmallerPng(ScaledImage image, byte[] file) {
        this.image = image;
        this.file = file;
    }

    int width() {
        return image.width();
    }

    int height() {
        return image.height();
    }

    /** Returns the image, which belongs to the caller. */
    byte[] file() {
        return file;
    }

    /**
     * Scales an image down, and halves its sides until its file is small enough.
     *
     * @param side the longest side of the result, in pixels
     * @param most the most bytes of the file
     * @return the smaller image; empty if it cannot be decoded: damaged, interlaced, or too large
     */
    static Optional<SmallerPng> of(byte[] content, int side, int most, AbortSignal signal) {
        Optional<PngRows> opened = PngRows.of(content);
        if (opened.isEmpty()) {
            return Optional.empty();
        }
        try (PngRows rows = opened.get()) {
            ScaledImage image = ScaledImage.of(rows, side, signal);
            Optional<byte[]> file = PngWriter.file(image, most);
            while (file.isEmpty()) {
                signal.throwIfAborted();
                image = image.half();
                file = PngWriter.file(image, most);
            }
            return Optional.of(new SmallerPng(image, file.get()));
        } catch (IOException damaged) {
            return Optional.empty();
        }
    }
}
