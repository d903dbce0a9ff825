package dev.paddock.executor.docker;

import dev.paddock.executor.Progress;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * The progress of an image pull.
 *
 * @param layersDone how many layers are complete
 * @param layers how many are known so far; grows at the beginning
 * @param bytesDone how many bytes have arrived, of the layers of known size
 * @param bytes the sum of the sizes known so far; the sizes of layers that the engine already had never become known
 */
record PullProgress(String image, int layersDone, int layers, long bytesDone, long bytes) {

    /** Returns the fraction of bytes that have arrived; empty as long as no size is known. */
    private OptionalDouble fraction() {
        return bytes == 0 ? OptionalDouble.empty() : OptionalDouble.of(Math.min(1, (double) bytesDone / bytes));
    }

    /** Describes the progress independently of the backend. */
    Progress toProgress() {
        String parts = layers == 0 ? "" : layersDone + " of " + layers + (layers == 1 ? " layer" : " layers");
        String sizes = bytes == 0 ? "" : String.format(Locale.ROOT, ", %.1f of %.1f MB", bytesDone / 1e6, bytes / 1e6);
        return Progress.of("fetching the image '" + image + "'", fraction(), parts + sizes);
    }
}
