package dev.paddock.harness.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.harness.workspace.snapshot.TreeCopy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreeCopyTest {
    @TempDir
    Path temporary;

    private Path tree;
    private Path copy;

    @BeforeEach
    void create() throws IOException {
        tree = Files.createDirectory(temporary.resolve("tree"));
        copy = temporary.resolve("copy");
    }

    /** A tree with each kind of entry that a copy has. */
    static void fill(Path tree) throws IOException, InterruptedException {
        Shell.run(tree, """
                mkdir -p a/empty a/b/c closed
                echo one > a/one; printf two > 'a/b/t w\\o'; : > nothing
                head -c 300000 /dev/urandom > a/b/c/large
                ln a/one a/b/same; ln a/one same
                ln -s ../a/one a/link; ln -s /nowhere dangling; ln -s a directory
                printf x > "$(printf 'a/\\377\\376\\nodd')"; printf y > "$(printf 'a/\\303\\244')"
                mkdir "$(printf 'd\\200')"; printf z > "$(printf 'd\\200/\\201')"
                truncate -s 5M sparse; printf end | dd of=sparse bs=1 seek=2000000 conv=notrunc status=none
                chmod 640 a/one; chmod 755 a/b/c/large; chmod 1777 a/empty; chmod 0444 nothing; chmod 4755 a/b/t*
                touch -d '2001-02-03 04:05:06.789' a/one a/empty; touch -h -d '2002-01-01' dangling
                touch -d '1960-01-01' a/b
                echo in > closed/in; chmod 500 closed
                if [ "$(id -u)" = 0 ]; then chmod 0 closed/in; else chmod 400 closed/in; fi # others cannot read the former
                """);
    }

    @Test
    void copiesEveryPropertyOfEveryEntry() throws Exception {
        fill(tree);
        attributes(tree.resolve("a/b")).write("user.note", StandardCharsets.UTF_8.encode("on a directory"));
        attributes(tree.resolve("a/one")).write("user.empty", StandardCharsets.UTF_8.encode(""));

        CopyReport report = TreeCopy.copy(tree, copy);

        assertThat(Shell.listing(copy)).isEqualTo(Shell.listing(tree)).contains("\u00ff\u00fe");
        assertThat(Shell.contents(copy)).isEqualTo(Shell.contents(tree));
        assertThat(attributes(copy.resolve("a/b")).size("user.note")).isEqualTo(14);
        assertThat(attributes(copy.resolve("a/b/same")).list()).containsExactly("user.empty");
        assertThat(blocks(copy.resolve("sparse"))).isLessThan(1000);
        assertThat(Files.getAttribute(copy.resolve("same"), "unix:ino"))
                .isEqualTo(Files.getAttribute(copy.resolve("a/one"), "unix:ino"))
                .isNotEqualTo(Files.getAttribute(tree.resolve("a/one"), "unix:ino"));
        assertThat(report.omissions()).isEmpty();
        assertThat(report.files()).isEqualTo(11);
        assertThat(temporary).isDirectoryNotContaining("glob:**.paddock*");
    }

    static UserDefinedFileAttributeView attributes(Path file) {
        return Files.getFileAttributeView(file, UserDefinedFileAttributeView.class);
    }

    private static long blocks(Path file) throws IOException, InterruptedException {
        return Long.parseLong(Shell.run(file.resolveSibling("."), "stat -c %b " + file.getFileName())
                .strip());
    }

    @Test
    void namesSocketsPipesAndDevicesThatItLeavesOut() throws Exception {
        Shell.run(tree, "mkdir a; mkfifo a/pipe; echo x > file");

        CopyReport report = TreeCopy.copy(tree, copy);

        assertThat(report.omissions()).containsExactly(new Omission(new TreePath("a/pipe"), "a pipe"));
        assertThat(copy.resolve("a")).isEmptyDirectory();
        assertThat(copy.resolve("file")).hasContent("x");
    }

    @Test
    void copiesSingleFileWithItsHolesAndRefusesPipeInItsPlace() throws Exception {
        Shell.run(tree, "truncate -s 1T huge; printf end >>huge; chmod 640 huge; mkfifo pipe");

        TreeCopy.copyFile(tree.resolve("huge"), copy);

        assertThat(copy).hasSize((1L << 40) + 3);
        assertThat(Shell.run(temporary, "stat -c '%a' " + copy + "; [ $(stat -c %b " + copy + ") -lt 1000 ]"))
                .startsWith("640");
        assertThat(Files.getLastModifiedTime(copy)).isEqualTo(Files.getLastModifiedTime(tree.resolve("huge")));
        assertThatThrownBy(() -> TreeCopy.copyFile(tree.resolve("pipe"), temporary.resolve("other")))
                .hasMessageContaining("it is a pipe");
    }

    @Test
    void refusesCopyOverEntryOrIntoItself() {
        assertThatThrownBy(() -> TreeCopy.copy(tree, temporary)).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> TreeCopy.copy(tree, tree.resolve("inside")))
                .hasMessageContaining("the copy would contain itself");
        assertThat(tree).isEmptyDirectory();
    }

    @Test
    void copiesClosedDirectoryWhereUserMayReadIt() throws Exception {
        Shell.run(tree, "mkdir closed; echo x > closed/x; chmod 0 closed");
        boolean superuser = (int) Files.getAttribute(tree, "unix:uid") == 0;

        if (superuser) {
            TreeCopy.copy(tree, copy);
            assertThat(Shell.listing(copy)).isEqualTo(Shell.listing(tree)).contains("./closed|d|0|");
        } else {
            assertThatThrownBy(() -> TreeCopy.copy(tree, copy))
                    .isInstanceOf(TreeException.class)
                    .hasMessage("closed: it cannot be read: permission denied (error 13)");
        }
        Shell.run(temporary, "chmod -R u+rwx .");
    }

    @Test
    void treeThatChangesIsCopiedConsistentlyOrNotAtAll() throws Exception {
        // A storm moves one file around the directories: a consistent copy has it exactly once.
        for (int number = 0; number < 40; number++) {
            Files.createDirectories(tree.resolve("d" + number));
            Files.writeString(tree.resolve("d" + number).resolve("own"), "own");
        }
        Files.writeString(tree.resolve("d0/wanderer"), "x");
        AtomicBoolean stopped = new AtomicBoolean();
        Thread storm = new Thread(() -> {
            for (int number = 0; !stopped.get(); number++) {
                try {
                    Files.move(
                            tree.resolve("d" + number % 40).resolve("wanderer"),
                            tree.resolve("d" + (number + 1) % 40).resolve("wanderer"),
                            StandardCopyOption.ATOMIC_MOVE);
                } catch (IOException fault) {
                    throw new IllegalStateException(fault);
                }
            }
        });
        storm.start();
        int refused = 0;
        for (int turn = 0; turn < 20; turn++) {
            Path target = temporary.resolve("copy" + turn);
            try {
                TreeCopy.copy(tree, target);
                assertThat(Shell.run(target, "find . -name wanderer").lines()).hasSize(1);
            } catch (TreeChangedException changed) {
                refused++;
                assertThat(changed.path().bytes()).isNotEqualTo("own");
                assertThat(target).doesNotExist();
            }
        }
        stopped.set(true);
        storm.join();
        assertThat(refused).isPositive();
        TreeCopy.copy(tree, copy);
        assertThat(Shell.contents(copy)).isEqualTo(Shell.contents(tree));
    }

    @Test
    void followsNoLinkThatReplacesDirectory() throws Exception {
        Path outside = Files.createDirectory(temporary.resolve("outside"));
        Files.writeString(outside.resolve("secret"), "secret");
        Files.createDirectory(tree.resolve("inner"));
        AtomicBoolean stopped = new AtomicBoolean();
        Thread swap = new Thread(() -> {
            try {
                Path aside = tree.resolve("aside");
                while (!stopped.get()) {
                    Files.move(tree.resolve("inner"), aside);
                    Files.createSymbolicLink(tree.resolve("inner"), outside);
                    Files.delete(tree.resolve("inner"));
                    Files.move(aside, tree.resolve("inner"));
                }
            } catch (IOException fault) {
                throw new IllegalStateException(fault);
            }
        });
        swap.start();
        for (int turn = 0; turn < 20; turn++) {
            Path target = temporary.resolve("copy" + turn);
            try {
                TreeCopy.copy(tree, target);
                assertThat(target.resolve("inner/secret").toRealPath(LinkOption.NOFOLLOW_LINKS))
                        .as("only by way of the link itself")
                        .matches(path -> Files.isSymbolicLink(target.resolve("inner")));
            } catch (TreeChangedException | java.nio.file.NoSuchFileException changed) {
                assertThat(target.resolve("inner/secret"))
                        .satisfiesAnyOf(
                                secret -> assertThat(secret).doesNotExist(),
                                secret -> assertThat(target.resolve("inner")).isSymbolicLink());
            }
        }
        stopped.set(true);
        swap.join();
    }

    @Test
    void removesDirectoryOfProcessThatWasKilled() throws Exception {
        Path left = Files.createDirectory(temporary.resolve(".paddock-partial-left"));
        Files.createDirectory(left.resolve("closed"));
        Files.writeString(left.resolve("closed/x"), "x");
        Files.setPosixFilePermissions(left.resolve("closed"), PosixFilePermissions.fromString("---------"));

        TreeCopy.copy(tree, copy);

        assertThat(left).doesNotExist();
        assertThat(copy).isEmptyDirectory();
    }

    @Test
    void treeDeeperThanLimitIsRefused() throws Exception {
        Shell.run(tree, "mkdir -p " + "d/".repeat(251));

        assertThatThrownBy(() -> TreeCopy.copy(tree, copy))
                .isInstanceOf(TreeException.class)
                .hasMessageEndingWith("it is more than 250 directories deep");
        assertThat(copy).doesNotExist();
    }
}
