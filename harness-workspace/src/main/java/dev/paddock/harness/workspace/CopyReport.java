package dev.paddock.harness.workspace;

import java.nio.file.Path;
import java.util.List;

/**
 * Describes a finished copy of a tree.
 *
 * @param directory the copy
 * @param files how many regular files it has
 * @param bytes the sum of their sizes
 * @param omissions what it does not contain
 * @param borrowed directories with objects of repositories that the copy's own repositories refer
 *     to: git commands in the copy need to read them
 * @since 0.1
 */
public record CopyReport(Path directory, long files, long bytes, List<Omission> omissions, List<Path> borrowed) {
    public CopyReport {
        omissions = List.copyOf(omissions);
        borrowed = List.copyOf(borrowed);
    }
}
