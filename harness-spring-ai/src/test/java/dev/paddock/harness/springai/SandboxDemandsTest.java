package dev.paddock.harness.springai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.fixtures.SandboxTrial;
import dev.paddock.harness.Ownership;
import dev.paddock.harness.files.access.AccessRules;
import dev.paddock.harness.files.access.FileRoot;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springaicommunity.sandbox.ExecResult;
import org.springaicommunity.sandbox.ExecSpec;
import org.springaicommunity.sandbox.FileEntry;
import org.springaicommunity.sandbox.Sandbox;
import org.springaicommunity.sandbox.SandboxException;
import org.springaicommunity.sandbox.SandboxFiles;
import org.springaicommunity.sandbox.TimeoutException;

/** What the suite of the library's authors, AbstractSandboxTCK, demands of each sandbox. */
class SandboxDemandsTest {
    @TempDir
    private Path worktree;

    private SandboxTrial trial;
    private Sandbox sandbox;

    @BeforeEach
    void open() throws Exception {
        trial = SandboxTrial.of("bwrap", worktree);
        sandbox = PaddockSandbox.of(trial.executor(), Ownership.BORROWED);
    }

    @AfterEach
    void close() throws Exception {
        sandbox.close();
        trial.close();
    }

    private ExecResult exec(String... command) {
        return sandbox.exec(ExecSpec.builder()
                .command(command)
                .timeout(Duration.ofSeconds(30))
                .env("GIVEN", "some value")
                .build());
    }

    private ExecResult shell(String command) {
        return sandbox.exec(ExecSpec.builder().shellCommand(command).build());
    }

    @Test
    void resultHasBothStreamsApartAndMerged() {
        ExecResult out = exec("echo", "to out");
        assertThat(out.success()).isTrue();
        assertThat(out.exitCode()).isZero();
        assertThat(out.duration()).isPositive();
        assertThat(out.hasOutput()).isTrue();
        assertThat(out.hasStdout()).isTrue();
        assertThat(out.hasStderr()).isFalse();
        assertThat(out.stderr()).isEmpty();
        assertThat(out.mergedLog()).isEqualTo(out.stdout()).isEqualTo("to out\n");

        ExecResult both = shell("echo one && echo two >&2");
        assertThat(both.stdout()).isEqualTo("one\n");
        assertThat(both.stderr()).isEqualTo("two\n");
        assertThat(both.hasStderr()).isTrue();
        assertThat(both.mergedLog()).contains("one", "two");
    }

    @Test
    void commandsHaveVariablesDirectoryAndHomes() {
        assertThat(exec("printenv", "GIVEN").mergedLog()).isEqualTo("some value\n");
        assertThat(exec("pwd").mergedLog().strip()).isEqualTo(sandbox.workDir().toString());
        assertThat(exec("ls", "/home").success()).isTrue();
        ExecResult failed = exec("ls", "/no-such-directory");
        assertThat(failed.failed()).isTrue();
        assertThat(failed.stderr()).contains("No such file or directory");
        assertThat(failed.mergedLog()).contains("No such file or directory");
    }

    @Test
    void timeoutNamesItsDuration() {
        Duration timeout = Duration.ofMillis(300);
        ExecSpec late =
                ExecSpec.builder().command("sleep", "1000").timeout(timeout).build();
        assertThatExceptionOfType(SandboxException.class)
                .isThrownBy(() -> sandbox.exec(late))
                .havingCause()
                .isInstanceOfSatisfying(
                        TimeoutException.class,
                        cause -> assertThat(cause.getTimeout()).isEqualTo(timeout));
    }

    @Test
    void filesAreCreatedListedAndDeletedInOneChain() {
        SandboxFiles files = sandbox.files();
        files.create("root.txt", "root")
                .createDirectory("level1")
                .create("level1/one.txt", "1")
                .createDirectory("level1/level2")
                .create("level1/level2/two.txt", "2")
                .createDirectory("empty");
        assertThat(files.list("."))
                .extracting(FileEntry::name)
                .contains("root.txt", "level1", "empty")
                .doesNotContain("one.txt");
        assertThat(files.list(".", 2))
                .extracting(FileEntry::name)
                .contains("root.txt", "level1", "one.txt", "level2")
                .doesNotContain("two.txt");
        assertThat(files.list("."))
                .filteredOn(FileEntry::isFile)
                .extracting(FileEntry::name)
                .contains("root.txt")
                .doesNotContain("level1");
        files.delete("root.txt").delete("empty").delete("level1", true);
        assertThat(List.of("root.txt", "empty", "level1", "level1/level2/two.txt"))
                .noneMatch(files::exists);
    }

    @Test
    void refusalsAreWordedAsDemanded() {
        SandboxFiles files = sandbox.files().create("a.txt", "a");
        assertThatThrownBy(() -> files.list("missing"))
                .isInstanceOf(SandboxException.class)
                .hasMessage("'missing' does not exist in the worktree");
        assertThatThrownBy(() -> files.delete("missing"))
                .isInstanceOf(SandboxException.class)
                .hasMessageContaining("does not exist");
        assertThatThrownBy(() -> files.read("missing/a.txt"))
                .isInstanceOf(SandboxException.class)
                .hasMessageContaining("does not exist");
        assertThatThrownBy(() -> files.list("a.txt"))
                .isInstanceOf(SandboxException.class)
                .hasMessageContaining("not a directory");
    }

    @Test
    void closedSandboxSaysSo() throws Exception {
        assertThat(sandbox.isClosed()).isFalse();
        sandbox.close();
        assertThat(sandbox.isClosed()).isTrue();
    }

    /** Deeper than paths may be: a directory below the listed one that cannot be opened, whoever runs the test. */
    @Test
    void directoryBelowThatCannotBeListedIsPassedOver() {
        assertThat(shell("for i in $(seq 260); do mkdir d && cd d || exit; done; echo done")
                        .stdout())
                .isEqualTo("done\n");
        assertThat(sandbox.files().list(".", Integer.MAX_VALUE))
                .filteredOn(FileEntry::isDirectory)
                .hasSizeBetween(250, 259);
        assertThat(shell("rm -r d").success()).isTrue();
    }

    @Test
    void listingIsBounded() throws IOException {
        Files.createDirectories(worktree.resolve("a/b/c"));
        PathMapping mapping = trial.executor().worktree().orElseThrow();
        try (WorkspaceFiles opened = WorkspaceFiles.open(List.of(FileRoot.of(mapping)), AccessRules.standard())) {
            SandboxFiles files = new PaddockSandboxFiles(sandbox, opened, 2);
            assertThat(files.list("a", 2)).hasSize(2);
            assertThat(files.list("a/b")).hasSize(1);
            for (int depth : new int[] {1, 4}) {
                Files.createDirectories(worktree.resolve("a/x" + depth));
                Files.createDirectories(worktree.resolve("a/y" + depth));
                assertThatThrownBy(() -> files.list("a", depth))
                        .isInstanceOf(SandboxException.class)
                        .hasMessageContaining("more than 2 entries");
            }
        }
    }
}
