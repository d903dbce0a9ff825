package dev.paddock.executor.config;

import java.nio.file.Path;
import java.util.List;

/**
 * Says where a setting comes from.
 *
 * @param places the file as it was named, with its directory resolved, and the file's real path:
 *     they differ if the file is a link; empty for a setting that no file has made
 * @param above the places of the files that extend this one, and so have brought the setting in
 * @param line the line in the file, from 1; 0 for none
 */
record Origin(List<Path> places, List<Path> above, int line) {
    static final Origin PROGRAM = new Origin(List.of(), List.of(), 0);

    /**
     * Returns whether commands that work in a directory can make the setting: by writing or replacing
     * its file, or one that extends it.
     */
    boolean isWithin(Path directory) {
        return hasWithin(places, directory) || hasWithin(above, directory);
    }

    private static boolean hasWithin(List<Path> paths, Path directory) {
        for (Path path : paths) {
            if (path.startsWith(directory)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the file is a link in a directory that leads out of it. */
    boolean leadsOutOf(Path directory) {
        return places.size() == 2
                && places.get(0).startsWith(directory)
                && !places.get(1).startsWith(directory);
    }

    /** Returns the place for people: {@code /home/me/paddock.yaml:3}; empty text for a program's setting. */
    String text() {
        if (places.isEmpty()) {
            return "";
        }
        return places.get(0) + (line == 0 ? "" : ":" + line);
    }

    String prefix() {
        return places.isEmpty() ? "" : text() + ": ";
    }
}
