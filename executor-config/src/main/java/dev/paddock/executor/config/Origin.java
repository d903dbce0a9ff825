package dev.paddock.executor.config;

import java.nio.file.Path;
import java.util.List;

/**
 * The origin of a setting.
 *
 * @param paths the file's path as named, with its directory resolved, and its real path: they differ if the file is a
 *     link; empty for a setting that is not from a file
 * @param above the paths of the files that extend this one
 * @param line the line in the file, from 1; 0 for none
 */
record Origin(List<Path> paths, List<Path> above, int line) {
    static final Origin PROGRAM = new Origin(List.of(), List.of(), 0);

    /**
     * Returns whether commands that work in a directory can change the setting, by writing or replacing
     * its file, or one that extends it.
     */
    boolean isWithin(Path directory) {
        return hasWithin(paths, directory) || hasWithin(above, directory);
    }

    private static boolean hasWithin(List<Path> paths, Path directory) {
        for (Path path : paths) {
            if (path.startsWith(directory)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the file is a link in a directory to a target outside it. */
    boolean leadsOutOf(Path directory) {
        return paths.size() == 2
                && paths.get(0).startsWith(directory)
                && !paths.get(1).startsWith(directory);
    }

    /** Returns file and line, {@code /home/me/paddock.yaml:3}; empty for a program's setting. */
    String text() {
        if (paths.isEmpty()) {
            return "";
        }
        return paths.get(0) + (line == 0 ? "" : ":" + line);
    }

    String prefix() {
        return paths.isEmpty() ? "" : text() + ": ";
    }
}
