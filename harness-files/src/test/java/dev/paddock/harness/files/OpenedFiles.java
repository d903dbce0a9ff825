package dev.paddock.harness.files;

import dev.paddock.harness.files.access.AccessRules;
import dev.paddock.harness.files.access.FileRoot;
import java.util.List;

/** Opens contained files in both ways for the tests of the packages above. */
public final class OpenedFiles {
    private OpenedFiles() {}

    /** Opens them by descriptors where the platform supports that. */
    public static ContainedFiles byDescriptor(List<FileRoot> roots, AccessRules rules) {
        return ContainedFiles.open(roots, rules);
    }

    /** Opens them by paths that are checked, as on a platform without directory descriptors. */
    public static ContainedFiles byPath(List<FileRoot> roots, AccessRules rules) {
        return ContainedFiles.open(roots, rules, CheckedDirectory::open);
    }
}
