package dev.paddock.executor.tck.escape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.subject.ContractSubject;
import dev.paddock.executor.tck.subject.Prerequisite;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The setup of one escape attempt: a directory of the worktree with its host path and its
 * command path, another directory of the host that is not granted, commands inside, and the same
 * commands outside for comparison.
 */
public final class Escape implements AutoCloseable {
    private static final String PROGRAM = "escape.pl";
    private static final int NO_PERL = 96;
    private static final String NO_SETPRIV = "setpriv cannot drop the capabilities of root";

    private final ContractSubject subject;
    private final boolean protects;
    private final boolean mounts;
    private final Path inside;
    private final Path outside;
    private final Deque<Runnable> held = new ArrayDeque<>();

    /** The output of a command, both streams together, and its exit code. */
    record Output(int code, String text) {
        boolean succeeded() {
            return code == 0;
        }
    }

    public Escape(ContractSubject subject, boolean protects, boolean mounts, Path inside, Path outside)
            throws IOException {
        this.subject = subject;
        this.protects = protects;
        this.mounts = mounts;
        this.inside = inside;
        this.outside = outside;
        try (InputStream program = Escape.class.getResourceAsStream(PROGRAM)) {
            if (program == null) {
                throw new IllegalStateException(PROGRAM + " is missing from the suite's jar");
            }
            Files.write(inside.resolve(PROGRAM), program.readAllBytes());
        }
    }

    CommandExecutor executor() {
        return subject.executor();
    }

    void assumeClaimed(Guarantee... guarantees) {
        for (Guarantee guarantee : guarantees) {
            assumeTrue(
                    executor().guarantees().contains(guarantee),
                    () -> executor().name() + " does not claim " + guarantee);
        }
    }

    /** Returns the host path of a file or directory of the worktree. */
    Path inside(String name) {
        return inside.resolve(name);
    }

    /** Returns a file or directory of the host that is not granted. */
    Path outside(String name) {
        return outside.resolve(name);
    }

    /** Creates a file with random content. */
    String secret(Path file) throws IOException {
        String content = "secret-" + UUID.randomUUID();
        Files.writeString(file, content + "\n");
        return content;
    }

    String commandPath(Path path) {
        return subject.shared().toCommand(path).orElseThrow();
    }

    // Commands

    Output run(String command) {
        return run(executor(), command, Map.of());
    }

    Output run(CommandExecutor executor, String command, Map<String, String> env) {
        SpawnOptions options = SpawnOptions.builder(commandPath(inside))
                .env(env)
                .stderr(SpawnOptions.Stderr.MERGED)
                .build();
        ProcessLike process = executor.spawn(command, options);
        CompletableFuture<String> text = CompletableFuture.supplyAsync(() -> read(process.stdout()));
        ExitStatus status = await(process.onExit().toCompletableFuture());
        Output output = new Output(status.code(), await(text));
        await(process.onClosed().toCompletableFuture()); // else settlement would undo the test's next steps
        return output;
    }

    /** Runs a command that may end its own sandbox, and waits until it has closed, or the sandbox was lost. */
    void runToTheEnd(String command) {
        ProcessLike process = start(command, options().stderr(SpawnOptions.Stderr.MERGED));
        CompletableFuture<String> unused = CompletableFuture.supplyAsync(() -> read(process.stdout()));
        Optional<Throwable> fault = await(process.onClosed()
                .handle((report, thrown) -> Optional.ofNullable(thrown).map(Escape::cause))
                .toCompletableFuture());
        assertThat(fault)
                .satisfiesAnyOf(
                        none -> assertThat(none).isEmpty(),
                        loss -> assertThat(loss).containsInstanceOf(SandboxLostException.class));
    }

    private static Throwable cause(Throwable thrown) {
        return thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
    }

    /** Starts a command that runs concurrently with others. The caller ends it. */
    ProcessLike start(String command, SpawnOptions.Builder options) {
        ProcessLike process = executor().spawn(command, options.build());
        held.push(() -> process.kill(Signal.KILL));
        return process;
    }

    SpawnOptions.Builder options() {
        return SpawnOptions.builder(commandPath(inside));
    }

    /** Runs the suite's own program in the sandbox, for actions that a shell cannot express. */
    Output attempt(String... words) {
        Output output = run("command -v perl >/dev/null || exit " + NO_PERL + "; exec perl " + PROGRAM + " "
                + String.join(" ", words) + " </dev/null");
        assumeTrue(output.code() != NO_PERL, "there is no perl where commands run");
        return output;
    }

    /** Runs the same program on the host: the positive control. */
    Output attemptOutside(String... words) {
        return runOutside("perl " + PROGRAM + " " + String.join(" ", words) + " </dev/null");
    }

    /**
     * Runs the same program on the host, with this JVM's user but no capabilities: the
     * control for a filter.
     */
    Output attemptWithoutCapabilities(String... words) {
        String drop = "setpriv --no-new-privs --bounding-set=-all --inh-caps=-all --ambient-caps=-all ";
        Output output =
                runOutside("[ $(id -u) = 0 ] && drop='" + drop + "' || drop=; $drop true || { echo '" + NO_SETPRIV
                        + "'; exit; }; " + "$drop perl " + PROGRAM + " " + String.join(" ", words) + " </dev/null");
        Prerequisite.require(!output.text().endsWith(NO_SETPRIV + "\n"), NO_SETPRIV);
        return output;
    }

    /** Runs a command unconfined: the positive control. */
    Output runOutside(String command) {
        try {
            Process process = new ProcessBuilder("sh", "-c", command)
                    .directory(inside.toFile())
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            String text = read(process.getInputStream());
            return new Output(process.waitFor(), text);
        } catch (IOException fault) {
            throw new UncheckedIOException("the host could not run: " + command, fault);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the host ran: " + command, stopped);
        }
    }

    /** Starts a program on the host that runs until its input ends. */
    Process startOutside(String... argv) throws IOException {
        Process process = new ProcessBuilder(argv)
                .directory(inside.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        held.push(() -> process.destroyForcibly().onExit().join());
        return process;
    }

    /** Creates another executor of this kind with another policy. */
    CommandExecutor with(SandboxPolicy policy) {
        assumeTrue(subject.provider().isPresent(), "there is no provider to make another executor with");
        CommandExecutor made = subject.provider().get().create(policy, subject.settings());
        held.push(made::dispose);
        return made;
    }

    /** Skips the test if commands see no directory of this machine except the worktree. */
    void assumeMounts() {
        assumeTrue(mounts, () -> executor().name() + " has no mounts");
    }

    SandboxPolicy.Builder policy() {
        return policy(subject.shared());
    }

    /**
     * Returns a policy without a network, unless the shared executor has one: a cluster may be unable to
     * switch it off, and everything else is still attacked there.
     */
    private SandboxPolicy.Builder policy(PathMapping worktree) {
        SandboxPolicy.Builder policy = SandboxPolicy.builder(worktree);
        return executor().guarantees().contains(Guarantee.NETWORK_OFF) ? policy : policy.network(NetworkPolicy.open());
    }

    // Worktrees of their own

    /**
     * Skips the test if the executor neither prevents changes to protected paths nor restores them.
     */
    void assumeProtects() {
        assumeTrue(
                protects || executor().guarantees().contains(Guarantee.PROTECTED_PATHS),
                () -> executor().name() + " does not protect paths");
    }

    /**
     * Creates a directory that is not granted to the shared executor, and runs a script in it on
     * the host.
     */
    Path prepared(String name, String script) throws IOException {
        Path directory = outside.toRealPath().resolve(name);
        Output output = onHost(outside, "cp -a '" + template(script) + "' '" + directory + "'");
        if (!output.succeeded()) {
            throw new IOException("the prepared worktree could not be copied: " + output.text());
        }
        return directory;
    }

    /** Returns the directory in which a script has run, once for all tests of a class. */
    private Path template(String script) throws IOException {
        Path template = outside.toRealPath().resolveSibling("prepared-" + Integer.toHexString(script.hashCode()));
        if (!Files.exists(template)) {
            assumeTrue(runOutside("command -v git").succeeded(), "this host has no git");
            Path made = Files.createDirectory(outside.toRealPath().resolve("prepared"));
            Output output = onHost(made, "set -e; " + script);
            if (!output.succeeded()) {
                throw new IOException("the worktree could not be prepared: " + output.text());
            }
            Output opened = onHost(made, "chmod -R a+rwX .");
            if (!opened.succeeded()) {
                throw new IOException("the worktree could not be opened to commands of another user: " + opened.text());
            }
            Files.move(made, template);
        }
        return template;
    }

    /**
     * Runs a command in a sandbox with only this worktree. The text includes the notices of the
     * cleanup report.
     */
    Output in(Path worktree, String command) {
        return in(session(worktree), worktree, command);
    }

    /** Runs a command of a session. The text includes the notices of the cleanup report. */
    Output in(CommandExecutor session, Path worktree, String command) {
        return finish(session.spawn(command, inside(worktree).build()));
    }

    /** Makes an executor with only this worktree. */
    CommandExecutor session(Path worktree) {
        return with(policy(mapping(worktree)).build());
    }

    /** Starts a command of a session, whose input is a pipe. */
    ProcessLike start(CommandExecutor session, Path worktree, String command) {
        return session.spawn(
                command, inside(worktree).stdin(SpawnOptions.Stdin.PIPE).build());
    }

    /** Waits for a command's end, and returns what is left of its output. */
    Output finish(ProcessLike process) {
        String text = read(process.stdout());
        ExitStatus status = await(process.onExit().toCompletableFuture());
        List<String> notices = await(process.onClosed().toCompletableFuture()).notices();
        return new Output(status.code(), text + String.join("\n", notices));
    }

    private SpawnOptions.Builder inside(Path worktree) {
        return SpawnOptions.builder(mapping(worktree).commandPath()).stderr(SpawnOptions.Stderr.MERGED);
    }

    private PathMapping mapping(Path worktree) {
        return subject.shared().isSame()
                ? PathMapping.same(worktree)
                : new PathMapping(worktree, subject.shared().commandPath());
    }

    /** Runs a command as the host's user, without the user's own settings. */
    Output onHost(Path directory, String command) {
        return runOutside("cd '" + directory + "' && export GIT_CONFIG_GLOBAL=/dev/null && " + command);
    }

    private <T> T await(CompletableFuture<T> result) {
        try {
            return result.get(subject.patience().toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException fault) {
            throw new AssertionError("the command did not end normally: " + fault, fault);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a command", stopped);
        }
    }

    private static String read(InputStream stream) {
        try {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException fault) {
            throw new UncheckedIOException("a command's output could not be read", fault);
        }
    }

    @Override
    public void close() {
        held.forEach(Runnable::run);
    }
}
