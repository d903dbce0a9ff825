package dev.paddock.executor.seatbelt;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.executor.Availability;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.network.AllowedNetwork;
import dev.paddock.executor.network.PublishedPorts;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.process.launch.LaunchSpec;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.process.warm.CommandLauncher;
import dev.paddock.executor.process.warm.CommandRequest;
import dev.paddock.executor.sandbox.backend.ConfinedHome;
import dev.paddock.executor.sandbox.local.SandboxOptions;
import dev.paddock.executor.sandbox.policy.RealPaths;
import dev.paddock.executor.sandbox.policy.Violation;
import dev.paddock.executor.sandbox.spawn.StartingSandbox;
import dev.paddock.executor.sandbox.spawn.SupervisedBackend;
import dev.paddock.executor.sandbox.spawn.SupervisedSlot;
import dev.paddock.executor.worktree.WorktreeGuard;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Starts the commands of one executor. Each is a {@link CommandRequest} to a shell stub that
 * {@code sandbox-exec} has started: a warm slot, or a new one. So neither a command nor its
 * variables appear on a command line or pass through {@code sandbox-exec}.
 */
final class SeatbeltSandbox extends SupervisedBackend<SeatbeltProfile> {

    /** All arguments and variables of a program together are limited to 1 MiB. */
    static final int MAX_PROFILE_LENGTH = 512 << 10;

    /** The only shell of macOS whose {@code ulimit} is known to count in POSIX blocks. */
    private static final String LIMITING_SHELL = "/bin/dash";

    private static final CommandRequest.Transport TRANSPORT = CommandRequest.Transport.STANDARD_STREAMS;

    private final SandboxPolicy policy;
    private final String shell;
    private final String program;
    private final ConfinedHome home;
    private final WorktreeGuard guard;
    private final Optional<ProxiedNetwork> network;

    /**
     * Creates a sandbox; the caller closes the home, the guard, the network and the supervisor.
     *
     * @param program {@code sandbox-exec}
     * @param network the network of allowed hosts, if the policy has one
     */
    SeatbeltSandbox(
            SandboxOptions options,
            String program,
            ConfinedHome home,
            WorktreeGuard guard,
            Optional<ProxiedNetwork> network,
            Supervisor supervisor) {
        super(supervisor, CommandLauncher.ofShells(TRANSPORT), Optional.of(guard));
        this.policy = options.policy();
        this.shell = options.shell();
        this.program = program;
        this.home = home;
        this.guard = guard;
        this.network = network;
    }

    /** Returns the network of allowed hosts, if the policy has one. */
    Optional<AllowedNetwork> network() {
        return network.map(ProxiedNetwork::served);
    }

    @Override
    public Supplier<List<String>> observe() {
        return network().map(AllowedNetwork::observe).orElse(List::of);
    }

    /** Returns the environment of every command, which the policy's variables and its own override. */
    private Map<String, String> base() {
        Map<String, String> base = home.environment(MacSystem.SEARCH_PATH);
        network.ifPresent(proxied -> {
            base.putAll(proxied.variables());
            base.merge("JAVA_TOOL_OPTIONS", proxied.javaOptions(), (own, more) -> own + " " + more);
        });
        return base;
    }

    /**
     * Compiles the profile for the current state, from the executor's own data; none of it is
     * stored where a command could change it.
     */
    @Override
    public void requirePublishing(String name, SpawnOptions options) {
        PublishedPorts.refuse(name, policy.network(), options);
    }

    @Override
    public SeatbeltProfile plan() {
        Set<Path> refused = new TreeSet<>();
        for (Path path : guard.refusable()) {
            refused.add(path);
            refused.add(RealPaths.of(path));
        }
        List<Path> gitDirectories = guard.linkedGit()
                .map(git -> Stream.of(git.commonDirectory(), git.gitDirectory())
                        .distinct()
                        .toList())
                .orElse(List.of());
        SeatbeltProfile profile = SeatbeltProfile.compile(
                policy,
                new SeatbeltProfile.Surroundings(
                        RealPaths.of(policy.worktree().hostPath()),
                        home.home(),
                        gitDirectories,
                        new ArrayList<>(refused),
                        network.isPresent() ? OptionalInt.of(network.get().port()) : OptionalInt.empty()));
        int bytes = profile.text().getBytes(UTF_8).length;
        if (bytes > MAX_PROFILE_LENGTH) {
            Violation.refuse(
                    SeatbeltExecutor.NAME,
                    List.of(new Violation(
                            "keep " + refused.size() + " protected paths",
                            "they make a profile of " + bytes + " bytes, and an argument has " + MAX_PROFILE_LENGTH,
                            "protect fewer, or use docker")));
        }
        return profile;
    }

    /** Starts a confined shell stub, which reads its command request after its setup. */
    @Override
    public StartingSandbox prepare(SeatbeltProfile profile, Map<String, String> environment) {
        Map<String, String> env = environment(base(), environment);
        OptionalLong blocks = SeatbeltPolicyCheck.fileBlocks(policy.limits());
        String limit = blocks.isPresent() ? "ulimit -f " + blocks.getAsLong() + " || exit\n" : "";
        LaunchSpec spec = LaunchSpec.builder(
                        program,
                        "-p",
                        profile.text(),
                        blocks.isPresent() ? LIMITING_SHELL : HostEnvironment.SHELL,
                        "-c",
                        limit + TRANSPORT.bootstrap(),
                        shell)
                .env(env)
                .stdin(SpawnOptions.Stdin.PIPE)
                .build();
        ChildProcess child = supervisor().launch(spec);
        return StartingSandbox.started(new SupervisedSlot(supervisor(), launcher(), child, env));
    }

    @Override
    public ExecutorException failure(IOException fault) {
        return new SandboxUnavailableException(
                SeatbeltExecutor.NAME,
                new Availability.Unusable(
                        "the sandboxed shell did not receive the command: " + fault.getMessage(),
                        SeatbeltExecutor.REMEDY,
                        Availability.Outlook.UNDECIDED));
    }
}
