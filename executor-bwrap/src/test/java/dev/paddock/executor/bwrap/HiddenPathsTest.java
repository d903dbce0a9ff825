package dev.paddock.executor.bwrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.CommandResult;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that commands do not see files that a policy hides, beyond the conformance matrix. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HiddenPathsTest {
    private static final String CANARY = "canary-4711";

    @TempDir
    Path directory;

    private Path worktree = Path.of("/");
    private Path data = Path.of("/");

    @BeforeEach
    void make() throws Exception {
        worktree = Files.createDirectory(directory.toRealPath().resolve("tree"));
        data = Files.createDirectory(directory.toRealPath().resolve("data"));
        Files.writeString(worktree.resolve("open.txt"), "open\n");
    }

    private BwrapExecutor executor() {
        return BwrapExecutor.builder()
                .policy(SandboxPolicy.builder(new PathMapping(worktree, "/work"))
                        .mount(new Mount(data, "/data", Mount.Access.READ_ONLY))
                        .hidden(List.of(".env", ".env.*", "/data/top/*.key"))
                        .build())
                .quarantine(directory.resolve("quarantine"))
                .build();
    }

    private static String run(BwrapExecutor executor, String command) throws InterruptedException {
        CommandResult result = executor.run(command, RunOptions.in("/work"));
        return result.outText() + result.errText();
    }

    @Test
    void fileThatComesBetweenTwoCommandsIsHiddenFromSecond() throws Exception {
        try (BwrapExecutor executor = executor()) {
            assertThat(run(executor, "cat open.txt; cat .env.local")).contains("open");
            Files.writeString(worktree.resolve(".env.local"), CANARY);
            assertThat(run(executor, "ls -A; cat .env.local open.txt"))
                    .contains(".env.local", "open")
                    .doesNotContain(CANARY);
        }
    }

    @Test
    void targetOfHiddenLinkIsHidden() throws Exception {
        Files.writeString(worktree.resolve("settings"), CANARY);
        Files.createSymbolicLink(worktree.resolve(".env"), Path.of("settings"));
        try (BwrapExecutor executor = executor()) {
            assertThat(run(executor, "cat .env settings open.txt"))
                    .contains("open")
                    .doesNotContain(CANARY);
        }
    }

    @Test
    void globWithAbsolutePathHidesFilesOfMount() throws Exception {
        Files.createDirectory(data.resolve("top"));
        Files.writeString(data.resolve("top/a.key"), CANARY);
        Files.writeString(data.resolve("top/a.txt"), "readable");
        try (BwrapExecutor executor = executor()) {
            assertThat(run(executor, "cat /data/top/*")).contains("readable").doesNotContain(CANARY);
        }
    }

    @Test
    void directoryAboveMayMoveAndFileStaysHidden() throws Exception {
        Files.createDirectory(worktree.resolve("app"));
        Files.writeString(worktree.resolve("app/.env"), CANARY);
        try (BwrapExecutor executor = executor()) {
            assertThat(run(executor, "mv app other && cat other/.env; ls -A other"))
                    .contains(".env")
                    .doesNotContain(CANARY);
            assertThat(run(executor, "cat other/.env app/.env")).doesNotContain(CANARY);
        }
    }

    /** A glob with a slash would not match under another name; a mount below keeps its place. */
    @Test
    void directoryAboveFileThatIsHiddenByItsPathKeepsItsName() throws Exception {
        Path other = Files.createDirectory(directory.resolve("other"));
        Files.writeString(other.resolve("a.txt"), "mounted");
        Files.createDirectories(data.resolve("deep/inner"));
        Files.writeString(data.resolve("deep/vars"), CANARY);
        Files.createDirectories(worktree.resolve("app/deep"));
        Files.createDirectory(worktree.resolve("app/.git"));
        Files.writeString(worktree.resolve("app/.git/config"), "");
        Files.writeString(worktree.resolve("app/deep/vars"), CANARY);
        SandboxPolicy policy = SandboxPolicy.builder(new PathMapping(worktree, "/work"))
                .mount(new Mount(data, "/data", Mount.Access.READ_WRITE))
                .mount(new Mount(other, "/data/deep/inner", Mount.Access.READ_ONLY))
                .hidden(List.of("/app/deep/vars", "/data/deep/vars"))
                .build();
        try (BwrapExecutor executor = BwrapExecutor.builder()
                .policy(policy)
                .quarantine(directory.resolve("quarantine"))
                .build()) {
            for (String parent : List.of("app", "/data/deep")) {
                assertThat(run(executor, "mv -T " + parent + " " + parent + "2"))
                        .contains("busy");
            }
            assertThat(run(executor, "mkdir made; mv -T app/deep made; ls made"))
                    .contains("cannot create special file");
            assertThat(run(executor, "cat app/deep/vars /data/deep/inner/a.txt; grep -r '' . /data"))
                    .contains("app/deep/vars", "mounted")
                    .doesNotContain(CANARY);
        }
        assertThat(worktree.resolve("app/deep/vars")).hasContent(CANARY);
    }

    @Test
    void fileIsHiddenByEachPathThatCommandsSeeItBy() throws Exception {
        Files.createDirectory(data.resolve("top"));
        Files.writeString(data.resolve("top/a.key"), CANARY);
        SandboxPolicy policy = SandboxPolicy.builder(new PathMapping(worktree, "/work"))
                .mount(new Mount(data, "/data", Mount.Access.READ_ONLY))
                .mount(new Mount(data, "/again", Mount.Access.READ_ONLY))
                .mount(new Mount(data.resolve("top"), "/top", Mount.Access.READ_ONLY))
                .hidden(List.of("/data/top/*.key"))
                .build();
        try (BwrapExecutor executor = BwrapExecutor.builder()
                .policy(policy)
                .quarantine(directory.resolve("quarantine"))
                .build()) {
            assertThat(run(executor, "ls /top; cat /data/top/a.key /again/top/a.key /top/a.key"))
                    .contains("a.key")
                    .doesNotContain(CANARY);
        }
    }

    @Test
    void fileWithSeveralHardLinksIsRefusedByName() throws Exception {
        Files.writeString(worktree.resolve(".env"), CANARY);
        Files.createLink(worktree.resolve("other-name"), worktree.resolve(".env"));
        assertThatThrownBy(this::executor)
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContaining("/work/.env")
                .hasMessageContaining("hard links");
    }

    @Test
    void malformedGlobIsRefusedWhereItIsSet() {
        assertThatThrownBy(
                        () -> SandboxPolicy.builder(PathMapping.same(worktree)).hidden(List.of("[")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[");
    }
}
