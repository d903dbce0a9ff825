package dev.paddock.executor;

import java.util.OptionalDouble;

/**
 * How far something has come that takes a while before the first command can run, such as fetching an image.
 *
 * @param task what is being done, for people: {@code fetching the image 'debian'}
 * @param fraction how much of what is known of it has been done, 0 to 1; may fall when more becomes known; empty if nothing is
 *     known
 * @param detail more, for people: {@code 2 of 5 layers}; empty if there is nothing to tell
 */
public record Progress(String task, OptionalDouble fraction, String detail) {

    /**
     * Makes one.
     *
     * @throws IllegalArgumentException if the fraction is out of its range
     */
    public Progress {
        if (fraction.isPresent() && !(fraction.getAsDouble() >= 0 && fraction.getAsDouble() <= 1)) {
            throw new IllegalArgumentException("not a fraction from 0 to 1: " + fraction.getAsDouble());
        }
    }
}
