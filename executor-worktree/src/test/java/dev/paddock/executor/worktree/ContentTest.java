package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.worktree.files.FileStatus;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that an unchanged file is one with the same bytes and no new name, whatever its times say. */
class ContentTest extends GuardedWorktree {

    /** Files that the user's programs obey, each with what a command writes in place of its content. */
    private static final String USERS_FILES = """
            printf good > .envrc; mkdir .vscode; printf good > .vscode/tasks.json
            printf '#!/bin/sh\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit
            git branch other; git pack-refs --all; git tag v1; git stash list
            """;

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".envrc",
                ".vscode/tasks.json",
                ".git/config",
                ".git/hooks/pre-commit",
                ".git/HEAD",
                ".git/index",
                ".git/packed-refs",
                ".git/info/exclude"
            })
    void secondNameReachesNothingThatHostObeys(String name) throws Exception {
        shell(worktree, USERS_FILES);
        byte[] content = Files.readAllBytes(worktree.resolve(name));

        List<String> notices = command("ln '" + name + "' innocent");

        assertThat(notices).as(name).singleElement().asString().contains("second name");
        assertThat(worktree.resolve(name)).hasBinaryContent(content);
        assertThat(worktree.resolve("innocent")).as("the other name stays").hasBinaryContent(content);
        Files.writeString(worktree.resolve("innocent"), "evil"); // a later session that does not guard this worktree
        assertThat(worktree.resolve(name)).hasBinaryContent(content);
        assertThat(command("true")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"config", "HEAD", "index"})
    void secondNameReachesNothingInNewRepository(String name) throws Exception {
        List<String> notices = command("git init -q sub; cd sub; echo a > a; git add a; git commit -qm a;" + " ln .git/"
                + name + " ../innocent");

        assertThat(notices).as(name).singleElement().asString().contains("second name");
        byte[] content = Files.readAllBytes(worktree.resolve("sub/.git/" + name));
        Files.writeString(worktree.resolve("innocent"), "evil");
        assertThat(worktree.resolve("sub/.git/" + name)).hasBinaryContent(content);
        shell(worktree.resolve("sub"), "git status --porcelain && git log -1");
    }

    /** Positive control: the user's own second names are left alone, and so are other files'. */
    @Test
    void namesThatWereThereBeforeStay() throws Exception {
        shell(worktree, USERS_FILES + "ln .envrc mine; ln .git/index saved-index; echo x > file");

        assertThat(command("ln file file2; git log -1 >file3")).isEmpty();

        assertThat(Files.getAttribute(worktree.resolve(".envrc"), "unix:nlink")).isEqualTo(2);
        assertThat(Files.getAttribute(worktree.resolve(".git/index"), "unix:nlink"))
                .isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".envrc",
                ".vscode/tasks.json",
                ".git/config",
                ".git/hooks/pre-commit",
                ".git/HEAD",
                ".git/index",
                ".git/packed-refs"
            })
    void writeThroughMappingIsUndoneOnEveryFileSystem(String name) throws Exception {
        onMemory();
        shell(worktree, USERS_FILES);
        Path file = worktree.resolve(name);
        byte[] content = Files.readAllBytes(file);
        waitForTick(file);
        WorktreeGuard.Command command = guard.begin(ProtectionPlan.NONE);
        FileStatus before = FileStatus.of(file).orElseThrow();

        overwrite(file);

        assertThat(FileStatus.of(file)).as("the write leaves no trace").contains(before);
        assertThat(command.settle()).as(name).hasSize(1);
        if (name.equals(".git/index")) {
            assertThat(file).as("git makes it anew").doesNotExist();
        } else {
            assertThat(file).hasBinaryContent(content);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"AGENTS.md", ".github/workflows/ci.yml"})
    void writeThroughMappingToReportedFileIsReported(String name) throws Exception {
        onMemory();
        shell(worktree, "mkdir -p .github/workflows; printf good > '" + name + "'");
        Path file = worktree.resolve(name);
        waitForTick(file);
        WorktreeGuard.Command command = guard.begin(ProtectionPlan.NONE);

        overwrite(file, "evil");

        assertThat(command.settle()).as(name).singleElement().asString().contains("It stays");
        assertThat(file).hasContent("evil");
        assertThat(command("true")).as("reported once").isEmpty();
    }

    @Test
    void stepsOfRebaseAreComparedByTheirContent() throws Exception {
        onMemory();
        shell(
                worktree,
                "echo b > a; git commit -qam second; GIT_SEQUENCE_EDITOR=\"sed -i 1iedit\\ HEAD\" git rebase -qi HEAD~1"
                        + " || true; test -d .git/rebase-merge; printf 'noop #....' > .git/rebase-merge/git-rebase-todo");
        Path steps = worktree.resolve(".git/rebase-merge/git-rebase-todo");
        waitForTick(steps);
        WorktreeGuard.Command command = guard.begin(ProtectionPlan.NONE);

        overwrite(steps, "exec evil!");

        assertThat(command.settle()).singleElement().asString().contains("git-rebase-todo");
        assertThat(steps).doesNotExist();
    }

    /** The user's own write through a mapping, between two commands, is no command's. */
    @Test
    void usersOwnWriteThroughMappingStays() throws Exception {
        onMemory();
        shell(worktree, USERS_FILES);
        Path direnv = worktree.resolve(".envrc");
        assertThat(command("true")).isEmpty();
        waitForTick(direnv);
        assertThat(command("true")).isEmpty();

        overwrite(direnv, "mine");

        assertThat(command("true")).isEmpty();
        assertThat(direnv).hasContent("mine");
        assertThat(command("printf evil > .envrc")).hasSize(1);
        assertThat(direnv).hasContent("mine");
    }

    @AfterEach
    void removeMemory() throws Exception {
        if (directory.startsWith("/dev/shm")) {
            guard.close();
            shell(Path.of("/"), "rm -rf '" + directory + "'");
        }
    }

    private static void overwrite(Path file) throws IOException {
        overwrite(file, "x".repeat((int) Files.size(file)));
    }

    /** Writes through a mapping whose page was read before: on tmpfs no fault tells the kernel of the write. */
    private static void overwrite(Path file, String content) throws IOException {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes.length);
            mapped.get(new byte[bytes.length]);
            mapped.put(0, bytes);
        }
    }

    /** Moves the worktree to a file system in memory. */
    private void onMemory() throws Exception {
        Path memory = Path.of("/dev/shm");
        assumeTrue(
                Files.isDirectory(memory) && Files.getFileStore(memory).type().equals("tmpfs"), "no tmpfs");
        guard.close();
        directory = Files.createTempDirectory(memory, "paddock-content-").toRealPath();
        worktree = directory.resolve("work tree");
        quarantine = directory.resolve("quarantine");
        copyWorktree();
        guard = guarding(worktree);
    }
}
