package dev.paddock.harness.workspace.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.os.file.Kernel;
import org.junit.jupiter.api.Test;

class RegularFileTextTest {

    /** The kernel's own files have no size: as with one that a command extends, only the end of the text shows it. */
    @Test
    void fileThatIsLongerThanItsSizeIsRefused() throws Exception {
        Kernel kernel = Kernel.create();
        int process = kernel.openDirectory(
                Kernel.NO_DIRECTORY, "/proc/" + ProcessHandle.current().pid());
        try {
            assertThat(RegularFileText.read(kernel, process, "comm", 100)).isPresent();
            assertThat(RegularFileText.read(kernel, process, "maps", 100)).isEmpty();
        } finally {
            kernel.close(process);
        }
    }
}
