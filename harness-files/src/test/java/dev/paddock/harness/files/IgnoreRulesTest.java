package dev.paddock.harness.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.harness.files.access.AccessRules;
import dev.paddock.harness.files.access.FileRoot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the rules ignore exactly the paths that the installed git ignores. */
class IgnoreRulesTest {
    private static final String[] NAMES = {"a", "b", "ab", "a b", ".x", "b.c", "#a", "!b", "a[b", "aab", "x*"};
    private static final String[] PARTS = {
        "a",
        "b",
        "ab",
        "*",
        "**",
        "?",
        "/",
        "/",
        "[ab]",
        "[!a]",
        "[^b]",
        "[a-b]",
        "[[:alpha:]]",
        "\\",
        "\\*",
        "\\ ",
        ".",
        "c",
        "x",
        "[",
        "]",
        "#",
        "**/",
        "/**",
        "*.",
        " "
    };

    @TempDir
    Path tree;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void gitignoreIsRespectedAsGitDoes(long seed) throws Exception {
        git("init", "-q");
        for (int round = 0; round < 4; round++) {
            Random random = new Random(seed * 1_000 + round);
            Path directory = Files.createDirectory(tree.resolve("r" + round));
            List<Path> directories = new ArrayList<>(List.of(directory));
            for (int i = 0; i < 40; i++) {
                Path in = directories.get(random.nextInt(directories.size()));
                Path entry = in.resolve(NAMES[random.nextInt(NAMES.length)]);
                if (Files.exists(entry)) {
                    continue;
                }
                if (random.nextInt(3) == 0) {
                    directories.add(Files.createDirectory(entry));
                } else {
                    Files.createFile(entry);
                }
            }
            for (Path in : directories) {
                if (in.equals(directory) || random.nextInt(4) == 0) {
                    Files.writeString(in.resolve(".gitignore"), rules(random));
                }
            }
        }
        Files.writeString(tree.resolve(".git/info/exclude"), "/r0/" + rules(new Random(-seed)));
        assertThat(ours()).as(this::allRules).isEqualTo(gits());
    }

    @Test
    void usualIgnoreRulesMatchGit() throws Exception {
        git("init", "-q");
        Files.writeString(
                tree.resolve(".gitignore"), "\ufefftarget/\r\n*.log\n!keep.log\n/top\n# no\n\\#yes\ndoc/**/x\nsp\\ \n");
        Files.writeString(tree.resolve(".git/info/exclude"), "private\n!excluded.log\n");
        for (String file : new String[] {
            "target/x",
            "sub/target/y",
            "a.log",
            "keep.log",
            "top",
            "sub/top",
            "#yes",
            "doc/x",
            "doc/a/b/x",
            "sp ",
            "private",
            "excluded.log",
            "sub/a.log",
            "sub/keep.log",
            "src/target"
        }) {
            Files.createDirectories(tree.resolve(file).getParent());
            Files.writeString(tree.resolve(file), "");
        }
        Files.writeString(tree.resolve("sub/.gitignore"), "!a.log\nkeep.log\n");
        assertThat(ours())
                .isEqualTo(gits())
                .containsExactlyInAnyOrder(
                        ".gitignore", "keep.log", "sub/.gitignore", "sub/a.log", "sub/top", "src/target");
    }

    private static String rules(Random random) {
        return IntStream.range(0, 1 + random.nextInt(4))
                .mapToObj(i -> (random.nextInt(4) == 0 ? "!" : "")
                        + IntStream.range(0, 1 + random.nextInt(5))
                                .mapToObj(j -> PARTS[random.nextInt(PARTS.length)])
                                .collect(Collectors.joining())
                        + (random.nextInt(5) == 0 ? "/" : ""))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private String allRules() {
        try (var files = Files.walk(tree)) {
            return files.filter(file -> file.endsWith(".gitignore") || file.endsWith("exclude"))
                    .map(file -> file + ":\n" + contentOf(file))
                    .collect(Collectors.joining("\n"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String contentOf(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Set<String> ours() throws IOException {
        Set<String> found = new TreeSet<>();
        try (ContainedFiles files =
                        ContainedFiles.open(List.of(FileRoot.of(PathMapping.same(tree))), AccessRules.standard());
                Location root = files.locate(".")) {
            TreeWalk walk = new TreeWalk(files, false, AbortSignal.never(), entry -> {
                return !entry.attributes().isRegularFile() || found.add(entry.path());
            });
            walk.walk(root);
            assertThat(walk.unreadable()).isZero();
        }
        return found;
    }

    private Set<String> gits() throws Exception {
        String files = git("ls-files", "--others", "--exclude-standard", "-z");
        return files.isEmpty() ? new TreeSet<>() : new TreeSet<>(List.of(files.split("\0")));
    }

    private String git(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("git", "-c", "core.excludesFile=/dev/null"));
        command.addAll(List.of(arguments));
        Process git = new ProcessBuilder(command)
                .directory(tree.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(git.waitFor()).isZero();
        return output;
    }
}
