package dev.paddock.executor.tck.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests a sandbox whose commands see the host's own paths, with a home that belongs to the
 * executor.
 *
 * @param <E> the executor
 * @since 0.1
 */
public abstract class UnmappedSandboxContract<E extends CommandExecutor> {
    private static final int LIMIT_BYTES = 10_240;

    private final List<AutoCloseable> opened = new ArrayList<>();

    @TempDir
    private Path temporary = Path.of("/");

    private Path directory = temporary;
    private Path worktree = temporary;

    /** Called by the implementer's class. */
    protected UnmappedSandboxContract() {}

    /**
     * The result of a command.
     *
     * @param status its exit status
     * @param text its output, standard error included
     * @param notices those of its cleanup report
     */
    protected record Result(ExitStatus status, String text, List<String> notices) {}

    /**
     * Creates an executor; the suite closes it.
     *
     * @param policy its policy
     * @return the executor, which keeps its quarantine in {@code quarantine} of
     *     {@link #directory()}
     * @throws Exception if it cannot be created
     */
    protected abstract E create(SandboxPolicy policy) throws Exception;

    @BeforeEach
    final void createDirectories() throws IOException {
        directory = temporary.toRealPath();
        worktree = Files.createDirectory(directory.resolve("worktree"));
    }

    @AfterEach
    final void closeExecutors() throws Exception {
        for (AutoCloseable resource : opened.reversed()) {
            resource.close();
        }
    }

    /**
     * Returns the test's directory, which contains the worktree.
     *
     * @return its real path
     */
    protected final Path directory() {
        return directory;
    }

    /**
     * Returns the worktree.
     *
     * @return its real path
     */
    protected final Path worktree() {
        return worktree;
    }

    /**
     * Creates an executor.
     *
     * @param change changes the default policy of the worktree
     * @return the executor; closed after the test
     * @throws Exception if it cannot be created
     */
    protected final E executor(UnaryOperator<SandboxPolicy.Builder> change) throws Exception {
        return closedLater(create(
                change.apply(SandboxPolicy.builder(PathMapping.same(worktree))).build()));
    }

    /**
     * Registers an executor to be closed after the test.
     *
     * @param executor the executor
     * @return the executor
     */
    protected final E closedLater(E executor) {
        opened.add(executor);
        return executor;
    }

    /**
     * Runs a command in the worktree.
     *
     * @param executor the executor
     * @param command the command
     * @return the result
     * @throws Exception if the command does not start or does not end
     */
    protected final Result run(E executor, String command) throws Exception {
        return run(executor, command, Map.of());
    }

    /**
     * Runs a command in the worktree.
     *
     * @param executor the executor
     * @param command the command
     * @param env its variables
     * @return the result
     * @throws Exception if the command does not start or does not end
     */
    protected final Result run(E executor, String command, Map<String, String> env) throws Exception {
        ProcessLike process = executor.spawn(
                command,
                SpawnOptions.builder(worktree.toString())
                        .env(env)
                        .stderr(SpawnOptions.Stderr.MERGED)
                        .build());
        String text = new String(process.stdout().readAllBytes(), UTF_8);
        return new Result(
                process.onExit().toCompletableFuture().get(1, TimeUnit.MINUTES),
                text,
                process.onClosed()
                        .toCompletableFuture()
                        .get(1, TimeUnit.MINUTES)
                        .notices());
    }

    @Test
    final void C17_homeEndsWithExecutor() throws Exception {
        E executor = executor(policy -> policy);
        Path home = home(executor, "mkdir ~/closed; : > ~/closed/x; chmod 500 ~/closed; ");
        assertThat(run(executor, "echo ${TMPDIR#$HOME}; mktemp").text()).startsWith("/tmp\n" + home);
        assertThat(home).isDirectory();
        executor.dispose();
        assertThat(home.getParent()).doesNotExist();
    }

    private Path home(E executor, String before) throws Exception {
        return Path.of(run(executor, before + "echo $HOME").text().strip());
    }

    @Test
    final void paddocksOwnDirectoriesAreNotGranted() throws Exception {
        Path state = home(executor(policy -> policy), "").resolve("../..").normalize();
        Path parent = state.resolve("..").normalize();
        assertThatThrownBy(() ->
                        executor(policy -> policy.mount(new Mount(parent, parent.toString(), Mount.Access.READ_ONLY))))
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContaining(
                        "cannot mount '" + parent + "': it contains Paddock's own state directory '" + state + "'");
        Path beside = Files.createDirectory(directory.resolve("beside"));
        executor(policy -> policy.mount(new Mount(beside, beside.toString(), Mount.Access.READ_ONLY)));
    }

    @Test
    final void fileIsNoLargerThanLimit() throws Exception {
        E executor = executor(policy -> policy.limits(ResourceLimits.none().withFileSize(LIMIT_BYTES)));
        assertThat(run(executor, "head -c " + LIMIT_BYTES + " /dev/zero > fits")
                        .status()
                        .isSuccess())
                .isTrue();
        assertThat(run(executor, "head -c " + (LIMIT_BYTES + 1) + " /dev/zero > larger")
                        .status()
                        .isSuccess())
                .isFalse();
        assertThat(worktree.resolve("larger")).hasSize(LIMIT_BYTES);
    }

    @Test
    final void addedProtectedFilesAreMovedAndChangedOnesRestored() throws Exception {
        Files.writeString(worktree.resolve(".envrc"), "mine");
        E executor = executor(policy -> policy);
        Result result = run(executor, "echo theirs > .envrc; echo x > .mcp.json; echo x > plain");
        assertThat(result.notices()).hasSize(2);
        assertThat(worktree.resolve(".envrc")).hasContent("mine");
        assertThat(worktree.resolve(".mcp.json")).doesNotExist();
        assertThat(worktree.resolve("plain")).exists();
        assertThat(directory.resolve("quarantine")).isDirectoryRecursivelyContaining("glob:**/.mcp.json");
        assertThat(run(executor, "echo quiet").notices()).isEmpty();
    }
}
