package dev.paddock.cli;

import java.util.List;
import java.util.Locale;

/** The bounds on everything whose size a command determines, as {@code paddock config show} prints them. */
final class Bounds {
    private static final int WIDTH = 54;
    private static final String PROGRAMS = "in Java: ";

    /** The unit of a bound. */
    enum Unit {
        BYTES,
        NUMBER,
        SECONDS
    }

    /**
     * A bound.
     *
     * @param what what is bounded
     * @param most the limit
     * @param change how to set another bound; empty if there is no way
     */
    record Bound(String what, long most, Unit unit, String change) {
        private static Bound of(String what, long most, Unit unit) {
            return new Bound(what, most, unit, "");
        }

        String value() {
            return switch (unit) {
                case NUMBER -> String.format(Locale.ROOT, "%,d", most);
                case SECONDS -> most + " s";
                case BYTES -> bytes(most);
            };
        }

        private static String bytes(long most) {
            if (most % (1 << 30) == 0) {
                return (most >> 30) + " GiB";
            }
            if (most % (1 << 20) == 0) {
                return (most >> 20) + " MiB";
            }
            return most % (1 << 10) == 0 ? (most >> 10) + " KiB" : String.format(Locale.ROOT, "%,d bytes", most);
        }
    }

    static final List<Bound> ALL = List.of(
            Bound.of("output of a call that the model sees", 256L << 10, Unit.BYTES),
            new Bound("log of a command", 2L << 30, Unit.BYTES, PROGRAMS + "maxLogBytes"),
            Bound.of("logs of a session, all together", 4L << 30, Unit.BYTES),
            Bound.of("messages of a session that is resumed", 1L << 30, Unit.BYTES),
            Bound.of("file that grep searches", 10L << 20, Unit.BYTES),
            Bound.of("depth of grep, find and remove", 100, Unit.NUMBER),
            Bound.of("image that read shows", 3_750_000, Unit.BYTES),
            Bound.of("pixels of such an image", 40_000_000, Unit.NUMBER),
            Bound.of("PDF that read shows", 64L << 20, Unit.BYTES),
            Bound.of("file that a guest reads", 16L << 20, Unit.BYTES),
            Bound.of("configuration file", 64L << 10, Unit.BYTES),
            Bound.of("prompt from a file or standard input", 1L << 20, Unit.BYTES),
            Bound.of("files moved to a quarantine on another file system", 1L << 30, Unit.BYTES),
            new Bound("bytes fetched after a command in a pod or over ssh", 4L << 30, Unit.BYTES, "setting maxFetch"),
            new Bound("time of such a fetch", 600, Unit.SECONDS, "setting fetchTimeout"),
            Bound.of("entries of a worktree that is synchronized", 1_000_000, Unit.NUMBER),
            Bound.of("depth of a worktree that is synchronized", 256, Unit.NUMBER),
            Bound.of("entries of a tree that is copied or has snapshots", 2_000_000, Unit.NUMBER),
            Bound.of("depth of such a tree", 250, Unit.NUMBER),
            new Bound("snapshots of a workspace, all together", 64L << 30, Unit.BYTES, PROGRAMS + "maxSnapshotBytes"),
            Bound.of("data of your caches that new caches copy", 32L << 30, Unit.BYTES),
            Bound.of("time to remove a tree that commands wrote", 600, Unit.SECONDS));

    private Bounds() {}

    /** Returns the bounds as comments of a YAML file. */
    static String text() {
        StringBuilder text = new StringBuilder("\n# Bounds on what commands choose:\n");
        for (Bound bound : ALL) {
            String line =
                    "#   " + bound.what() + " ".repeat(WIDTH - bound.what().length()) + bound.value();
            text.append(bound.change().isEmpty() ? line : line + "  (" + bound.change() + ")")
                    .append('\n');
        }
        return text.toString();
    }
}
