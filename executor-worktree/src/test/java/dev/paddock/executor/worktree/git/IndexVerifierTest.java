package dev.paddock.executor.worktree.git;

import static dev.paddock.executor.worktree.git.GitReferee.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.worktree.git.index.HashFormat;
import dev.paddock.executor.worktree.git.index.IndexReading;
import dev.paddock.executor.worktree.git.index.IndexVerifier;
import dev.paddock.executor.worktree.git.index.ObeyedNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Verifies indexes that the real git has written. */
class IndexVerifierTest {
    private static final String FILES =
            "mkdir -p a/b c/d e && for n in a/b/1 a/b/12 a/b/123 a/c c/d/e e/f longer-name; do echo $n > $n; done;";

    @TempDir
    Path root;

    private IndexReading verify(HashFormat format) throws IOException {
        return IndexVerifier.verify(
                Files.readAllBytes(root.resolve(".git/index")), format, this::shared, ObeyedNames.NONE);
    }

    private Optional<byte[]> shared(String checksum) {
        try {
            return Optional.of(Files.readAllBytes(root.resolve(".git/sharedindex." + checksum)));
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    @ParameterizedTest
    @CsvSource({"2, sha1", "3, sha1", "4, sha1", "2, sha256", "4, sha256"})
    void hiddenFilesAreFoundInEveryVersion(int version, String object) throws Exception {
        shell(
                root,
                "git init -q --object-format=" + object + " . && " + FILES
                        + " git add . && git update-index --index-version " + version);
        HashFormat format = object.equals("sha256") ? HashFormat.SHA_256 : HashFormat.SHA_1;
        assertThat(verify(format)).isEqualTo(new IndexReading.Verified(Set.of()));

        shell(root, "git update-index --assume-unchanged a/b/12 && git update-index --skip-worktree longer-name a/c");

        assertThat(verify(format)).isEqualTo(new IndexReading.Verified(Set.of("a/b/12", "longer-name", "a/c")));
        HashFormat other = format == HashFormat.SHA_1 ? HashFormat.SHA_256 : HashFormat.SHA_1;
        assertThat(verify(other)).isInstanceOf(IndexReading.Refused.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "true",
                "git rm -q --cached -r .",
                "git -c index.threads=3 update-index --force-write-index",
                "git -c index.threads=3 update-index --index-version 4",
                "git commit -qm a",
                "git commit -qm a; echo x > a/c; git add a; git rm -q --cached a/b/12",
                "git commit -qm a; echo x > new; git add -N new; git status",
                "git update-index --split-index; echo x > e/f; echo x > e/g; git add e; git rm -q --cached a/c; ln -s x l; git add l",
                "git update-index --split-index; echo x > e/f; git add e; git update-index --skip-worktree e/f; git commit -qm a",
                "git update-index --split-index --index-version 4; for n in 1 2 3; do echo $n > a/b/$n; git add a/b/$n; done",
                "git commit -qm a; git -c index.sparse=true sparse-checkout set --cone --sparse-index c",
                "git commit -qm a; git sparse-checkout set --no-cone /c",
                "git -c core.untrackedCache=true update-index --untracked-cache; mkdir -p u/v; echo > u/v/w; git status; git status",
                "git -c core.untrackedCache=true update-index --untracked-cache; git init -q sub; echo > .git2; git status",
                "printf '#!/bin/sh\\nprintf \"c:1:2:3:4\\\\0\"' > .git/fs; chmod +x .git/fs; git config core.fsmonitor .git/fs;"
                        + " git update-index --fsmonitor; echo > u; git status; git commit -qm a; git status",
                "printf '#!/bin/sh\\ntrue' > .git/fs; chmod +x .git/fs; git config core.fsmonitor .git/fs; git config"
                        + " core.fsmonitorHookVersion 1; git update-index --split-index --fsmonitor; git add -f a; git status",
                "git commit -qm a; git checkout -qb o; echo o > a/c; git rm -q e/f; mkdir longer; git mv longer-name longer/n;"
                        + " git commit -qam o; git checkout -q -; echo m > a/c; echo m > e/f; git commit -qam m; git merge o || true",
                "git commit -qm a; git checkout -qb o; echo o > a/c; git commit -qam o; git checkout -q -; echo m > a/c;"
                        + " git commit -qam m; git merge o || true; echo r > a/c; git add a/c",
                "git commit -qm a; git checkout -qb o; rm -r a; echo f > a; git add -A; git commit -qm o; git checkout -q -;"
                        + " echo m > a/c; git commit -qam m; git merge -s recursive o || true",
                "git commit -qm a; git checkout -qb o; rm -r a; echo f > a; git add -A; git commit -qm o; git checkout -q -;"
                        + " echo m > a/c; git commit -qam m; git merge -s resolve o || true",
                "git init -q sub; git -C sub commit -q --allow-empty -m s; git add sub; ln -s a link; chmod +x e/f; git add .",
                "n=$(printf '%0250d' 1); mkdir -p $n/$n/$n; echo x > $n/$n/$n/$n; echo x > $n/$n/$n/x; git add .",
                "for n in 'back\\slash' 'git~2' .github 'a b' .gitmodules .gitattributes gitmod~1; do echo > \"$n\"; done; git add ."
            })
    void everyIndexThatGitWritesIsAccepted(String script) throws Exception {
        shell(root, "git init -q . && " + FILES + " git add .");

        shell(root, script);

        assertThat(verify(HashFormat.SHA_1)).isInstanceOf(IndexReading.Verified.class);
    }

    @Test
    void hiddenFilesOfSharedIndexAreThoseOfSplitOne() throws Exception {
        shell(root, "git init -q . && " + FILES + " git add . && git update-index --skip-worktree a/c e/f");

        shell(root, "git update-index --split-index && git update-index --no-skip-worktree e/f --skip-worktree a/b/1");

        assertThat(verify(HashFormat.SHA_1)).isEqualTo(new IndexReading.Verified(Set.of("a/c", "a/b/1")));
    }

    @Test
    void checksumOfZeroesIsAccepted() throws Exception {
        shell(root, "git init -q . && " + FILES + " git add .");
        Path index = root.resolve(".git/index");
        byte[] bytes = Files.readAllBytes(index);
        Arrays.fill(bytes, bytes.length - 20, bytes.length, (byte) 0);
        Files.write(index, bytes);

        assertThat(verify(HashFormat.SHA_1)).isInstanceOf(IndexReading.Verified.class);
    }

    @Test
    void everyPrefixOfIndexIsRefused() throws Exception {
        shell(root, "git init -q . && " + FILES + " git add . && git commit -qm a");
        byte[] whole = Files.readAllBytes(root.resolve(".git/index"));

        for (int length = 0; length < whole.length; length++) {
            assertThat(IndexVerifier.verify(
                            Arrays.copyOf(whole, length), HashFormat.SHA_1, this::shared, ObeyedNames.NONE))
                    .isInstanceOf(IndexReading.Refused.class);
        }
        byte[] short4 = "DIRC\0\0\0\u0004\0\0\0\u0001".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(IndexVerifier.verify(short4, HashFormat.SHA_1, this::shared, ObeyedNames.NONE))
                .isInstanceOf(IndexReading.Refused.class);
    }
}
