package dev.paddock.executor;

import java.util.OptionalDouble;

/**
 * The progress of a long preparation before the first command can run, such as fetching an image.
 *
 * @param task the current task, for people: {@code fetching the image 'debian'}
 * @param fraction the completed fraction of the known amount of work, 0 to 1; may decrease when
 *     more work becomes known; empty if the amount is not known
 * @param detail further details, for people: {@code 2 of 5 layers}; empty text if there are none
 * @since 0.1
 */
public record Progress(String task, OptionalDouble fraction, String detail) {

    /**
     * Creates a progress value.
     *
     * @throws IllegalArgumentException if the fraction is out of its range
     */
    public Progress {
        if (fraction.isPresent() && !(fraction.getAsDouble() >= 0 && fraction.getAsDouble() <= 1)) {
            throw new IllegalArgumentException("not a fraction from 0 to 1: " + fraction.getAsDouble());
        }
    }
}
