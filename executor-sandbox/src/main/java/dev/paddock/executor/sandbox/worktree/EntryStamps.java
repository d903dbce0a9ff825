package dev.paddock.executor.sandbox.worktree;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The entries of a git directory, each with its kind, inode and change time. The objects themselves
 * are left out, since git checks them by their hashes; so are git directories inside.
 *
 * @param stamps by path from the git directory, parents before children
 * @param unreadable the directories that could not be listed
 */
record EntryStamps(Map<Path, String> stamps, Set<Path> unreadable) {
    private static final Pattern OBJECTS = Pattern.compile("objects/([0-9a-f]{2}|pack)");

    /**
     * Reads the entries of a git directory.
     *
     * @param nested the git directories inside it
     */
    static EntryStamps of(Path gitDirectory, Set<Path> nested) {
        EntryStamps entries = new EntryStamps(new LinkedHashMap<>(), new HashSet<>());
        entries.list(gitDirectory, gitDirectory, nested);
        return entries;
    }

    private void list(Path gitDirectory, Path directory, Set<Path> nested) {
        for (Path entry : children(directory)) {
            if (nested.contains(entry)) {
                continue;
            }
            Path relative = gitDirectory.relativize(entry);
            try {
                Map<String, Object> attributes = Files.readAttributes(
                        entry, "unix:mode,dev,ino,size,ctime,isDirectory", LinkOption.NOFOLLOW_LINKS);
                boolean isDirectory = Boolean.TRUE.equals(attributes.get("isDirectory"));
                String inode = attributes.get("mode") + " " + attributes.get("dev") + " " + attributes.get("ino");
                stamps.put(
                        relative,
                        isDirectory ? inode : inode + " " + attributes.get("size") + " " + attributes.get("ctime"));
                if (isDirectory && !OBJECTS.matcher(relative.toString()).matches()) {
                    list(gitDirectory, entry, nested);
                }
            } catch (IOException fault) {
                if (!(fault instanceof NoSuchFileException)) { // else a live command has removed it
                    stamps.put(relative, "unreadable " + fault.getClass().getSimpleName());
                }
            }
        }
    }

    private List<Path> children(Path directory) {
        List<Path> children = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            entries.forEach(children::add);
        } catch (NoSuchFileException vanished) {
            return List.of();
        } catch (IOException | DirectoryIteratorException fault) {
            unreadable.add(directory);
        }
        children.sort(null);
        return children;
    }
}
