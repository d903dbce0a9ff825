package dev.paddock.executor.worktree.git;

import static dev.paddock.executor.worktree.git.GitReferee.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.path.PathBytes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests which entries the finder takes for a repository, and which it doubts. */
class RepositoryFinderTest {
    @TempDir
    Path directory;

    private Path root;

    @BeforeEach
    void createRoot() throws Exception {
        root = Files.createDirectory(directory.toRealPath().resolve("root"));
    }

    private Findings find() throws Exception {
        return new RepositoryFinder(GitReferee.territory(root)).below(root);
    }

    private List<String> repositories() throws Exception {
        return find().repositories().stream()
                .map(found ->
                        root.relativize(found.gitDirectory()) + " " + found.kind() + (found.mutual() ? "" : " alone"))
                .sorted()
                .toList();
    }

    private List<String> unjudged() throws Exception {
        return find().unjudged().keySet().stream()
                .map(entry -> PathBytes.escaped(root.relativize(entry)))
                .sorted()
                .toList();
    }

    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // quadratic work takes far longer
    void pointersLongerThanAnyPathAreUnjudged() throws Exception {
        Files.createDirectories(root.resolve("lines"));
        Files.writeString(root.resolve("lines/.git"), "gitdir: " + "\n".repeat(1_000_000) + "x");
        Files.createDirectories(root.resolve("names"));
        Files.writeString(root.resolve("names/.git"), "gitdir: " + "\u00e9/".repeat(300_000));

        assertThat(unjudged()).containsExactly("lines/.git", "names/.git");
    }

    @Test
    void everyKindOfRepositoryIsFound() throws Exception {
        shell(
                root,
                "git init -q . && git commit -q --allow-empty -m x && git worktree add -q linked && git init -q --bare any.name"
                        + " && git init -q sub && git -C sub commit -q --allow-empty -m x"
                        + " && git -c protocol.file.allow=always submodule --quiet add ./sub a/b && mkdir partial partial/.git");

        assertThat(repositories())
                .containsExactly(
                        ".git ORDINARY",
                        ".git/modules/a/b BARE",
                        ".git/modules/a/b SUBMODULE",
                        ".git/worktrees/linked LINKED",
                        ".git/worktrees/linked RECORD",
                        "any.name BARE",
                        "partial/.git ORDINARY",
                        "sub/.git ORDINARY");
        assertThat(unjudged()).isEmpty();
    }

    @Test
    void pointersThatLeadElsewhereAreUnjudged() throws Exception {
        shell(
                root,
                "git init -q --bare ../outside && git init -q --bare inside && mkdir a b c d e f && ln -s inside link"
                        + " && echo 'gitdir: ../../outside' > a/.git && echo 'gitdir: ../inside' > b/.git"
                        + " && echo 'gitdir: ../link' > c/.git && echo 'gitdir: nowhere' > d/.git && ln -s ../inside e/.git"
                        + " && echo garbage > f/.git");

        assertThat(unjudged()).containsExactly("a/.git", "c/.git", "d/.git", "e/.git", "f/.git");
        assertThat(repositories()).containsExactly("inside BARE", "inside SUBMODULE alone");
    }

    @Test
    void oddHeadsCountAndBlockNothing() throws Exception {
        shell(
                root,
                "for n in a b c d e; do mkdir -p $n/objects $n/refs; done; ln -s refs/heads/x a/HEAD; mkfifo b/HEAD;"
                        + " echo garbage > c/HEAD; mkdir d/HEAD; printf 'ref:\\t refs/x' > e/HEAD; mkdir f; ln -s ../a f/objects;"
                        + " ln -s ../a f/refs; cp e/HEAD f");

        assertThat(repositories()).containsExactly("a BARE", "b BARE", "e BARE", "f BARE");
    }

    @Test
    void namesAreBytes() throws Exception {
        shell(
                root,
                "d=$(printf 'x\\377\\nz'); mkdir \"$d\"; git init -q \"$d\"; mkdir p; printf 'gitdir: ../x\\377\\nz/.git' > p/.git");

        assertThat(find().repositories())
                .extracting(found -> PathBytes.escaped(root.relativize(found.gitDirectory())))
                .containsExactlyInAnyOrder("x\\xff\\x0az/.git", "x\\xff\\x0az/.git");
    }

    @Test
    void tooDeepDirectoriesAreUnjudged() throws Exception {
        String name = "n".repeat(200);
        Path upper = root.resolve(String.join("/", Collections.nCopies(15, name)));
        Path lower = root.resolve("x/" + String.join("/", Collections.nCopies(10, name)));
        Files.createDirectories(upper);
        Files.createDirectories(lower);
        Files.move(root.resolve("x"), upper.resolve("x"));
        try {
            assertThat(unjudged()).hasSize(1).first().asString().endsWith(name);
        } finally {
            shell(root, "rm -rf " + name);
        }
    }
}
