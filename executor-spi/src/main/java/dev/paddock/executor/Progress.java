package dev.paddock.executor;

import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a long preparation before the first command can run, such as fetching an image.
 *
 * @since 0.1
 */
public final class Progress {

    private final String task;
    private final OptionalDouble fraction;
    private final String detail;

    private Progress(String task, OptionalDouble fraction, String detail) {
        if (fraction.isPresent() && !(fraction.getAsDouble() >= 0 && fraction.getAsDouble() <= 1)) {
            throw new IllegalArgumentException("not a fraction from 0 to 1: " + fraction.getAsDouble());
        }
        this.task = task;
        this.fraction = fraction;
        this.detail = detail;
    }

    /**
     * Returns a progress.
     *
     * @param task the current task, for people
     * @param fraction the completed fraction of the known amount of work, 0 to 1; empty if the amount is not known
     * @param detail further details, for people; empty text if there are none
     * @return the progress
     * @throws IllegalArgumentException if the fraction is not within 0 and 1
     */
    public static Progress of(String task, OptionalDouble fraction, String detail) {
        return new Progress(task, fraction, detail);
    }

    /** {@return the current task, for people: {@code fetching the image 'debian'}} */
    public String task() {
        return task;
    }

    /**
     * {@return the completed fraction of the known amount of work, 0 to 1; may decrease when more work
     * becomes known; empty if the amount is not known}
     */
    public OptionalDouble fraction() {
        return fraction;
    }

    /** {@return further details, for people: {@code 2 of 5 layers}; empty text if there are none} */
    public String detail() {
        return detail;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Progress that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return "Progress" + parts();
    }

    private List<Object> parts() {
        return List.of(task, fraction, detail);
    }
}
