package dev.paddock.executor.remote.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.Progress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Synchronizes with a far side that has GNU's programs; also what the host's side alone decides. */
class WorktreeSyncTest extends WorktreeSyncCases {
    WorktreeSyncTest() {
        super(FarPrograms.GNU);
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

    @Test
    void directoriesOfHostThatAreTooDeepStayHere() throws Exception {
        open();
        Files.createDirectories(here.resolve("d/".repeat(600)));

        assertThat(push().notices())
                .singleElement()
                .asString()
                .contains("here is not synchronized: it is more than 256 directories deep");
        assertThat(there.resolve("d/".repeat(256))).isEmptyDirectory();
        pull();
        assertThat(here.resolve("d/".repeat(600))).exists();
    }

    @Test
    void ofTwoChangesHostsStaysAndOtherIsKept() throws Exception {
        open();
        Trees.write(here.resolve("d/file"), "first");
        push();
        Trees.write(here.resolve("d/file"), "the host's");
        far.run(there, "echo the command\\'s >d/file; rm -f d/other; echo new >d/new");
        SyncReport report = pull();
        assertThat(here.resolve("d/file")).content().isEqualTo("the host's");
        assertThat(there.resolve("d/file")).content().isEqualTo("the host's");
        assertThat(here.resolve("d/new")).content().isEqualTo("new\n");
        assertThat(report.notices()).singleElement().asString().contains("'d/file'", directory.resolve("kept") + "/");
        String kept = report.notices().get(0).replaceAll(".*moved to '(.*)'.*", "$1");
        assertThat(Path.of(kept)).content().isEqualTo("the command's\n");
    }

    @Test
    void sameChangeOnBothSidesIsNoConflict() throws Exception {
        open();
        push();
        Trees.write(here.resolve("same"), "same");
        Trees.write(there.resolve("same"), "same");
        assertThat(pull().notices()).isEmpty();
        assertThat(pull()).isEqualTo(SyncReport.NONE);
    }

    @Test
    void protectedPathsDoNotLand() throws Exception {
        rule = (path, exists) -> !path.startsWith(".vscode");
        open();
        Trees.write(here.resolve(".vscode/tasks.json"), "mine");
        push();
        far.run(there, "echo planted >.vscode/tasks.json; echo new >.vscode/new; mkdir .vscode/d; ln -s / .vscode/l");
        SyncReport report = pull();
        assertThat(report.notices()).hasSize(3).allMatch(notice -> notice.contains("protected"));
        assertThat(Trees.describe(here)).hasSize(2);
        assertThat(here.resolve(".vscode/tasks.json")).content().isEqualTo("mine");
        assertEqualSides();
        far.run(there, "rm -r .vscode; echo landed >ordinary");
        assertThat(pull().notices()).isNotEmpty().allMatch(notice -> notice.contains("protected"));
        assertThat(here.resolve("ordinary")).content().isEqualTo("landed\n");
        assertEqualSides();
    }

    /** A conflict is found, and then the transfer fails. */
    @Test
    void noticesOfSynchronizationThatFailsAreReportedLater() throws Exception {
        open();
        Trees.write(here.resolve("file"), "first\n");
        push();
        Trees.write(there.resolve("file"), "there, too\n");
        Trees.write(here.resolve("file"), "here\n");
        byte[] large = new byte[2_000_000];
        new Random(3).nextBytes(large);
        Files.write(here.resolve("large"), large);
        AbortController abort = new AbortController();
        far.withInput(output -> new CutOutput(output, 1_000_000, abort));
        assertThatThrownBy(() -> sync.push(abort.signal(), progress -> {})).isInstanceOf(AbortedException.class);
        far.withInput(output -> output);
        assertThat(push().notices()).singleElement().asString().contains("'file' was changed here and by a command");
        assertEqualSides();
    }

    @Test
    void longPushReportsItsProgress() throws Exception {
        open();
        for (int index = 0; index < 3; index++) {
            Files.write(here.resolve("file" + index), new byte[5 << 20]);
        }
        List<Progress> seen = new ArrayList<>();
        sync.push(AbortSignal.never(), seen::add);
        assertThat(seen).isNotEmpty().allMatch(progress -> progress.task().equals("copying the worktree"));
        assertThat(seen.get(seen.size() - 1).fraction()).hasValue(1.0);
    }
}
