package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.worktree.files.FileStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A real worktree under a guard, in which real git and a real shell act as commands. */
abstract class GuardedWorktree {
    @TempDir
    private static Path pristine;

    @TempDir
    Path directory;

    Path worktree;
    Path quarantine;
    WorktreeGuard guard;

    private final List<AbandonedSession> abandoned = new ArrayList<>();

    @BeforeAll
    static void createPristineWorktree() throws Exception {
        Path first = Files.createDirectory(pristine.resolve("worktree"));
        shell(first, "git init -q -b main . && echo a > a && git add a && git commit -qm first");
    }

    @BeforeEach
    void openGuard() throws Exception {
        directory = directory.toRealPath();
        worktree = directory.resolve("work tree");
        quarantine = directory.resolve("quarantine");
        copyWorktree();
        guard = guarding(worktree);
    }

    /** Makes the worktree in the test's directory, with changes that lie further back than a tick. */
    void copyWorktree() throws Exception {
        shell(directory, "cp -a '" + pristine.resolve("worktree") + "' 'work tree'");
        waitForTick(worktree);
    }

    @AfterEach
    void closeGuard() {
        guard.close();
        abandoned.forEach(AbandonedSession::close);
    }

    WorktreeGuard guarding(Path root) throws IOException {
        return guarding(root, container -> false);
    }

    WorktreeGuard guarding(Path root, Predicate<SessionContainer> ended) throws IOException {
        return guarding(root, List.of(), ended);
    }

    WorktreeGuard guarding(Path root, List<Path> mounts, Predicate<SessionContainer> ended) throws IOException {
        Path state = Files.createDirectories(directory.resolve("state"));
        Map<String, String> environment = Map.of("HOME", directory.toString(), "GIT_CONFIG_SYSTEM", "/dev/null");
        Journals journals = new Journals(directory.resolve("journals"), ended);
        return WorktreeGuard.open(root, ProtectedPaths.standard(), state, journals, quarantine, mounts, environment);
    }

    /** Runs a command in another session, which ends as if its JVM were killed once it has recorded the command. */
    void abandon(Path in, String script) throws Exception {
        abandoned.add(AbandonedSession.run(guarding(in), directory, in, script));
    }

    void refresh() throws IOException {
        guard.close();
        guard = guarding(worktree);
    }

    List<String> command(String script) throws Exception {
        WorktreeGuard.Command command = guard.begin(ProtectionPlan.NONE);
        shell(worktree, script);
        return command.settle();
    }

    List<String> relative(List<Path> paths) {
        return paths.stream().map(path -> worktree.relativize(path).toString()).toList();
    }

    Path inQuarantine(String name) throws IOException {
        try (Stream<Path> all = Files.walk(quarantine)) {
            return all.filter(path -> path.getFileName().toString().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(name + " is not in quarantine"));
        }
    }

    /** Waits until a stamp would prove something: later than the tick of the last change. */
    static void waitForTick(Path path) throws IOException {
        FileStatus.of(path).orElseThrow().awaitTick();
    }

    static Set<Path> children(Path path) throws IOException {
        try (Stream<Path> all = Files.list(path)) {
            return new HashSet<>(all.toList());
        }
    }

    static void shell(Path in, String script) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder("sh", "-ec", script).directory(in.toFile()).redirectErrorStream(true);
        builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
        builder.environment()
                .putAll(Map.of(
                        "GIT_AUTHOR_NAME",
                        "t",
                        "GIT_AUTHOR_EMAIL",
                        "t@example.org",
                        "GIT_COMMITTER_NAME",
                        "t",
                        "GIT_COMMITTER_EMAIL",
                        "t@example.org"));
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }
}
