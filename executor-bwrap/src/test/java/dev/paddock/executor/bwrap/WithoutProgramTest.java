package dev.paddock.executor.bwrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.process.warm.NativeStub;
import dev.paddock.executor.tck.jvm.NoAnonymousFiles;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs where the kernel cannot execute the native stub: shell stubs wait for commands instead, with
 * no visible difference.
 */
class WithoutProgramTest {

    /** Creates the executor in the other JVM. */
    static final class Factory implements NoAnonymousFiles.Factory {
        @Override
        public CommandExecutor make(Path worktree, int slots) {
            assertThat(NativeStub.as(5)).isEmpty();
            return BwrapExecutor.builder().worktree(worktree).warmSlots(slots).build();
        }
    }

    @Test
    void C2_C3_C4_shellsWaitInstead(@TempDir Path directory) throws Exception {
        NoAnonymousFiles.commandsRun(Factory.class, directory);
    }
}
