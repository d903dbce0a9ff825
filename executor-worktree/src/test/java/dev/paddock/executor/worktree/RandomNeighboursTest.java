package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests many sessions in nested worktrees that open, run commands and close in random order. The
 * system property {@code paddock.worktree.seconds} sets how long.
 */
class RandomNeighboursTest extends GuardedWorktree {
    private static final int SESSIONS = 8;
    private static final int ROUNDS = 4 * Integer.getInteger("paddock.worktree.seconds", 2);

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void usersFilesStayAndNoJournalIsLeft() throws Exception {
        guard.close();
        List<Path> roots = new ArrayList<>(List.of(worktree));
        for (String name : List.of("sub", "sub/inner", "plain", "plain/deep")) {
            Path root = Files.createDirectories(worktree.resolve(name));
            roots.add(root);
            if (!name.startsWith("plain")) {
                shell(root, "git init -q -b main . && echo a > a && git add a && git commit -qm first");
            }
        }
        shell(worktree, "git worktree add -q linked");
        roots.add(worktree.resolve("linked"));
        for (Path root : roots) {
            Files.writeString(root.resolve(".envrc"), "mine");
        }
        Map<Path, String> before = users(roots);

        List<Callable<List<String>>> sessions = new ArrayList<>();
        for (int number = 0; number < SESSIONS; number++) {
            Random random = new Random(number);
            sessions.add(() -> run(roots, random));
        }
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (Future<List<String>> notices : threads.invokeAll(sessions)) {
                assertThat(notices.get()).isEmpty();
            }
        }
        assertThat(users(roots)).isEqualTo(before);
        assertThat(directory.resolve("journals")).isEmptyDirectory();
        assertThat(directory.resolve("state")).isEmptyDirectory();
    }

    private List<String> run(List<Path> roots, Random random) throws Exception {
        List<String> notices = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            try (WorktreeGuard session = guarding(roots.get(random.nextInt(roots.size())))) {
                for (int commands = random.nextInt(4); commands > 0; commands--) {
                    WorktreeGuard.Command command = session.begin(ProtectionPlan.NONE);
                    if (random.nextBoolean()) {
                        WorktreeGuard.Command second = session.begin(ProtectionPlan.NONE);
                        notices.addAll(second.examine());
                        notices.addAll(second.settle());
                    }
                    notices.addAll(command.settle());
                }
            }
        }
        return notices;
    }

    private static Map<Path, String> users(List<Path> roots) throws Exception {
        Map<Path, String> contents = new TreeMap<>();
        for (Path root : roots) {
            for (String name : List.of(".envrc", ".git/config", ".git/HEAD")) {
                if (Files.isRegularFile(root.resolve(name))) {
                    contents.put(root.resolve(name), Files.readString(root.resolve(name)));
                }
            }
        }
        return contents;
    }
}
