package dev.paddock.executor.seatbelt;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.process.launch.LaunchSpec;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.process.warm.CommandLauncher;
import dev.paddock.executor.process.warm.CommandRequest;
import dev.paddock.executor.sandbox.policy.RealPaths;
import dev.paddock.executor.sandbox.policy.Violation;
import dev.paddock.executor.sandbox.spawn.ConfinedHome;
import dev.paddock.executor.sandbox.spawn.SandboxBackend;
import dev.paddock.executor.sandbox.spawn.SandboxedSpawner;
import dev.paddock.executor.sandbox.spawn.StartingSandbox;
import dev.paddock.executor.sandbox.spawn.SupervisedSlot;
import dev.paddock.executor.sandbox.worktree.ProtectionPlan;
import dev.paddock.executor.sandbox.worktree.WorktreeGuard;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Starts the commands of one executor. Each is a {@link CommandRequest} to a shell stub that
 * {@code sandbox-exec} has started: a warm slot, or a new one. So neither a command nor its
 * variables appear on a command line or pass through {@code sandbox-exec}.
 */
final class SeatbeltSandbox implements SandboxBackend<SeatbeltProfile> {

    /** All arguments and variables of a program together are limited to 1 MiB. */
    static final int LONGEST_PROFILE = 512 << 10;

    /** The only shell of macOS whose {@code ulimit} counts in POSIX blocks for certain. */
    private static final String LIMITING_SHELL = "/bin/dash";

    private static final CommandRequest.Transport TRANSPORT = CommandRequest.Transport.STANDARD_STREAMS;

    private final Parts parts;
    private final CommandLauncher starter = CommandLauncher.ofShells(TRANSPORT);
    private final SandboxedSpawner<SeatbeltProfile> spawner;
    private boolean disposed;

    /**
     * The parts of a sandbox, which owns those that can be closed.
     *
     * @param program {@code sandbox-exec}
     * @param variables the policy's, for every command
     */
    record Parts(
            SandboxPolicy policy,
            String program,
            String shell,
            Map<String, String> variables,
            ConfinedHome home,
            WorktreeGuard guard,
            Supervisor supervisor) {}

    SeatbeltSandbox(Parts parts, int warmSlots) {
        this.parts = parts;
        spawner = new SandboxedSpawner<>(SeatbeltExecutor.NAME, parts.shell(), warmSlots, this);
    }

    /** Returns whether an exit code is distinguished from death by a signal. */
    boolean isExact() {
        return parts.supervisor().isNative();
    }

    ProcessLike spawn(String command, SpawnOptions options) {
        return spawner.spawn(command, options, parts.variables());
    }

    /**
     * Compiles the profile for the current state, from the executor's own data; none of it is
     * stored where a command could change it.
     */
    SeatbeltProfile profile() {
        Set<Path> refused = new TreeSet<>();
        for (Path path : parts.guard().refusable()) {
            refused.add(path);
            refused.add(RealPaths.of(path));
        }
        List<Path> gitDirectories = parts.guard()
                .linkedGit()
                .map(git -> Stream.of(git.commonDirectory(), git.gitDirectory())
                        .distinct()
                        .toList())
                .orElse(List.of());
        SeatbeltProfile profile = SeatbeltProfile.compile(
                parts.policy(),
                new SeatbeltProfile.Surroundings(
                        RealPaths.of(parts.policy().worktree().hostPath()),
                        parts.home().home(),
                        gitDirectories,
                        new ArrayList<>(refused)));
        int bytes = profile.text().getBytes(UTF_8).length;
        if (bytes > LONGEST_PROFILE) {
            Violation.refuse(
                    SeatbeltExecutor.NAME,
                    List.of(new Violation(
                            "keep " + refused.size() + " protected paths",
                            "they make a profile of " + bytes + " bytes, and an argument has " + LONGEST_PROFILE,
                            "protect fewer, or use docker")));
        }
        return profile;
    }

    @Override
    public SeatbeltProfile plan() {
        return profile();
    }

    @Override
    public Optional<WorktreeGuard.Command> announce(SeatbeltProfile profile) {
        return Optional.of(parts.guard().announce(ProtectionPlan.NONE));
    }

    @Override
    public boolean passesExactly(String name) {
        return starter.passesExactly(Set.of(name));
    }

    /** Starts a confined shell stub, which reads its command request after its setup. */
    @Override
    public StartingSandbox prepare(
            SeatbeltProfile profile, Map<String, String> environment, Optional<CommandRequest> order) {
        Map<String, String> env = new HashMap<>(parts.home().environment(MacSystem.SEARCH_PATH));
        env.putAll(environment);
        env.put(CommandExecutor.MARKER, parts.supervisor().newMarker());
        OptionalLong blocks = SeatbeltPolicyCheck.fileBlocks(parts.policy().limits());
        String limit = blocks.isPresent() ? "ulimit -f " + blocks.getAsLong() + " || exit\n" : "";
        LaunchSpec spec = LaunchSpec.builder(
                        parts.program(),
                        "-p",
                        profile.text(),
                        blocks.isPresent() ? LIMITING_SHELL : HostEnvironment.SHELL,
                        "-c",
                        limit + TRANSPORT.bootstrap(),
                        parts.shell())
                .env(env)
                .stdin(SpawnOptions.Stdin.PIPE)
                .build();
        ChildProcess child = parts.supervisor().launch(spec);
        return StartingSandbox.started(new SupervisedSlot(parts.supervisor(), starter, child, env));
    }

    @Override
    public ExecutorException failure(IOException fault) {
        return new SandboxUnavailableException(
                SeatbeltExecutor.NAME,
                new Availability.Unusable(
                        "a confined shell did not take the command: " + fault.getMessage(),
                        SeatbeltExecutor.REMEDY,
                        true));
    }

    /** Ends the commands. The spawner calls it. */
    @Override
    public void close() {
        parts.supervisor().close();
    }

    /**
     * Ends the commands, then closes the other parts; once, and a second call waits for the first.
     */
    synchronized void dispose() {
        if (disposed) {
            return;
        }
        disposed = true;
        try {
            spawner.close();
        } finally {
            parts.guard().close();
            parts.home().close();
        }
    }
}
