package dev.paddock.executor.worktree.git;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares the finder with the real git on generated trees: every git directory that git uses in
 * some directory of the tree is one that the finder has found, or is reached through an entry that
 * the finder doubts. The system property {@code paddock.git.rounds} sets how many trees; {@code
 * paddock.git.seed} begins elsewhere.
 */
@Tag("full")
class RepositoryRefereeTest {
    private static final int ROUNDS = Integer.getInteger("paddock.git.rounds", 100) / 10;
    private static final List<String> DIRECTORIES =
            List.of("a", "a/b", "a/b/c", "d", "d/.git", ".git", "a/.git", "a/b/.git");
    private static final String COMMIT = "0123456789012345678901234567890123456789";

    @TempDir
    Path temporary;

    @Test
    void finderKnowsEveryRepositoryThatGitUses() throws Exception {
        long seed = Long.getLong("paddock.git.seed", 1);
        Random random = new Random(seed);
        Files.createDirectory(temporary.resolve("elsewhere"));
        int used = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Path root = Files.createDirectory(temporary.toRealPath().resolve("round" + round));
            List<String> steps = generate(root, random);
            Findings findings = new RepositoryFinder(GitReferee.territory(root)).below(root);
            used += requireKnown(root, findings, "seed " + seed + ", round " + round + ": " + steps);
        }
        assertThat(used).as("git found repositories, seed " + seed).isGreaterThan(ROUNDS / 3);
    }

    /** Positive control: without the doubts, or with ordinary repositories alone, some would be unknown. */
    @Test
    void refereeDetectsMissingRepository() throws Exception {
        Path root = Files.createDirectory(temporary.toRealPath().resolve("bare"));
        GitReferee.shell(root, "git init -q --bare x/y");

        assertThat(unknown(used(root), new Findings(List.of(), Map.of()))).isNotEmpty();
        assertThat(unknown(used(root), new RepositoryFinder(GitReferee.territory(root)).below(root)))
                .isEmpty();
    }

    private static int requireKnown(Path root, Findings findings, String as) throws Exception {
        Map<Path, Path> used = used(root);
        assertThat(unknown(used, findings)).as(as).isEmpty();
        return Set.copyOf(used.values()).size();
    }

    /** Returns the directories in which git uses a repository, each with the repository's. */
    private static Map<Path, Path> used(Path root) throws Exception {
        Map<Path, Path> used = new LinkedHashMap<>();
        for (Path directory : directories(root)) {
            gitDirectory(directory).ifPresent(found -> used.put(directory, found));
        }
        return used;
    }

    /** Returns the directories in which git uses a repository that the findings neither have nor doubt. */
    private static List<Path> unknown(Map<Path, Path> used, Findings findings) throws Exception {
        Set<Path> known = new HashSet<>();
        findings.repositories().forEach(repository -> known.add(repository.gitDirectory()));
        for (Path doubt : findings.unjudged().keySet()) {
            leadsTo(doubt).ifPresent(known::add);
        }
        return used.keySet().stream()
                .filter(directory -> !known.contains(used.get(directory)))
                .toList();
    }

    /** Returns the git directory to which a doubted link or pointer leads. */
    private static Optional<Path> leadsTo(Path doubted) throws IOException {
        Path target = GitPointers.gitFile(Files.exists(doubted) ? doubted.toRealPath() : doubted)
                .orElse(doubted);
        return Files.exists(target) ? Optional.of(target.toRealPath()) : Optional.empty();
    }

    private static Optional<Path> gitDirectory(Path directory) throws Exception {
        GitReferee.Answer answer = GitReferee.run(directory, "git", "rev-parse", "--git-dir");
        return answer.status() == 0
                ? Optional.of(directory.resolve(answer.output().strip()).toRealPath())
                : Optional.empty();
    }

    private static List<Path> directories(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
                    .filter(path -> !path.toString().contains("/objects/")
                            && !path.toString().contains("/refs/"))
                    .toList();
        }
    }

    private static List<String> generate(Path root, Random random) throws IOException {
        List<String> steps = new ArrayList<>();
        for (String directory : DIRECTORIES) {
            if (random.nextInt(3) > 0) {
                step(steps, "mkdir " + directory, () -> Files.createDirectories(root.resolve(directory)));
            }
        }
        int layouts = 2 + random.nextInt(4);
        for (int layout = 0; layout < layouts; layout++) {
            layOut(root, pick(random, DIRECTORIES), random, steps);
        }
        for (String directory : List.of("a", "a/b", "d", "e")) {
            String target =
                    pick(random, List.of("../.git", "b", "../a", ".git", "../d", root + "/a/b", "nowhere", "../.."));
            switch (random.nextInt(4)) {
                case 0 -> write(root, directory + "/.git", "gitdir: " + target + "\r\n", steps);
                case 1 ->
                    step(
                            steps,
                            "ln " + directory + "/.git " + target,
                            () -> Files.createSymbolicLink(root.resolve(directory + "/.git"), Path.of(target)));
                default -> {
                    // No pointer there.
                }
            }
        }
        return steps;
    }

    private static void layOut(Path root, String directory, Random random, List<String> steps) throws IOException {
        String head = pick(
                random,
                List.of(
                        "ref: refs/heads/main\n",
                        "ref:refs/x",
                        COMMIT,
                        COMMIT + "tail",
                        "ref: HEAD",
                        "",
                        "ref:\n\t refs/"));
        if (random.nextInt(5) == 0) {
            String target = pick(random, List.of("refs/heads/main", "config", "nowhere"));
            step(
                    steps,
                    "ln " + directory + "/HEAD " + target,
                    () -> Files.createSymbolicLink(root.resolve(directory + "/HEAD"), Path.of(target)));
        } else {
            write(root, directory + "/HEAD", head, steps);
        }
        if (random.nextInt(4) == 0) {
            write(root, directory + "/commondir", pick(random, List.of("..", "../.git\n", ".", "../b\r\n")), steps);
        }
        for (String part : List.of("objects", "refs")) {
            switch (random.nextInt(12)) {
                case 0 -> steps.add("no " + directory + "/" + part);
                case 1 -> write(root, directory + "/" + part, "", steps);
                case 2 ->
                    step(
                            steps,
                            "ln " + directory + "/" + part,
                            () -> Files.createSymbolicLink(
                                    root.resolve(directory + "/" + part), root.resolveSibling("elsewhere")));
                default ->
                    step(
                            steps,
                            "mkdir " + directory + "/" + part,
                            () -> Files.createDirectory(root.resolve(directory + "/" + part)));
            }
        }
    }

    private static void write(Path root, String name, String content, List<String> steps) throws IOException {
        step(steps, "write " + name + " '" + content + "'", () -> Files.writeString(root.resolve(name), content));
    }

    private interface Step {
        void run() throws IOException;
    }

    /** Carries out a step unless an earlier one has left something else in the way. */
    private static void step(List<String> steps, String name, Step step) throws IOException {
        try {
            step.run();
            steps.add(name);
        } catch (FileSystemException occupied) {
            steps.add("(not " + name + ")");
        }
    }

    private static <T> T pick(Random random, List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
