package dev.paddock.executor.remote.sync;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;

/** The programs that the far side of a synchronization has. */
enum FarPrograms {
    GNU,
    /** Over a channel that cannot end a process's input alone, as not every one can. */
    BUSYBOX;

    /**
     * Returns a far side with these programs.
     *
     * @param links receives links to busybox
     */
    LocalFar farSide(Path links) throws Exception {
        if (this == GNU) {
            return LocalFar.gnu();
        }
        assumeTrue(new ProcessBuilder("which", "busybox").start().waitFor() == 0, "busybox is not installed");
        LocalFar far = LocalFar.busybox(links);
        far.withoutHalfClose();
        return far;
    }
}
