package dev.paddock.harness.files;

import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;

/** Tests the mounts with directories checked by path, as where there are no descriptors. */
class CheckedMountedFilesTest extends MountedFilesTest {
    @BeforeEach
    @Override
    void open() throws IOException {
        bench = FileToolBench.withCheckedPaths(directory);
    }
}
