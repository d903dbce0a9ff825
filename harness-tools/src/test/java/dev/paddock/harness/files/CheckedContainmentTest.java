package dev.paddock.harness.files;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Runs the containment cases with directories checked by path, as on platforms without directory
 * descriptors.
 */
class CheckedContainmentTest extends ContainmentCases {
    @Override
    FileToolBench open(Path in) throws IOException {
        return FileToolBench.withCheckedPaths(in);
    }
}
