package dev.paddock.executor.remote.sync;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.ExecutorException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Synchronizes with a far side that has GNU's programs. */
class WorktreeSyncTest extends WorktreeSyncCases {
    WorktreeSyncTest() {
        super(FarPrograms.GNU, 6);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tar", "gzip", "find", "cmp"})
    void missingProgramIsNamed(String program) throws Exception {
        open();
        far = LocalFar.without(directory.resolve("programs"), program);
        assertThatThrownBy(this::reopen)
                .isInstanceOf(ExecutorException.class)
                .hasMessageContaining("has no " + program);
    }
}
