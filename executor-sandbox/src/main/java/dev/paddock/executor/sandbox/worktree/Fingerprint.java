package dev.paddock.executor.sandbox.worktree;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The state of a file or a whole directory, in a form that is cheap to compare. The change time
 * (ctime) is part of it: unlike the modification time, no process can set it back. Links are not
 * followed.
 */
record Fingerprint(String state) {
    static final Fingerprint ABSENT = new Fingerprint("");

    /**
     * A fingerprint with this many entries descends into no further directory; protected
     * directories are small.
     */
    private static final int MOST_ENTRIES = 10_000;

    static Fingerprint of(Path path) {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return ABSENT; // most protected paths are absent, and an exception for each is a fifth of a command's start
        }
        List<String> lines = new ArrayList<>();
        try {
            collect(path, "", lines);
        } catch (IOException fault) {
            throw new UncheckedIOException("the protected path '" + path + "' cannot be looked at", fault);
        }
        return lines.isEmpty() ? ABSENT : new Fingerprint(String.join("\n", lines));
    }

    boolean isAbsent() {
        return equals(ABSENT);
    }

    private static void collect(Path path, String name, List<String> lines) throws IOException {
        Map<String, Object> attributes;
        try {
            attributes =
                    Files.readAttributes(path, "unix:mode,ino,dev,size,ctime,isDirectory", LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException | NotDirectoryException absent) {
            return;
        }
        boolean directory = Boolean.TRUE.equals(attributes.get("isDirectory"));
        // A directory's own size and times add nothing to its entries' state, and git updates
        // .git/hooks without changing an entry.
        lines.add(name
                + ' '
                + attributes.get("mode")
                + ' '
                + attributes.get("dev")
                + ' '
                + attributes.get("ino")
                + (directory ? "" : " " + attributes.get("size") + ' ' + attributes.get("ctime")));
        if (directory && lines.size() < MOST_ENTRIES) {
            for (Path child : sortedChildren(path)) {
                collect(child, name + '/' + child.getFileName(), lines);
            }
        }
    }

    private static List<Path> sortedChildren(Path directory) throws IOException {
        List<Path> children = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            entries.forEach(children::add);
        } catch (NoSuchFileException vanished) {
            return List.of();
        }
        children.sort(null);
        return children;
    }
}
