package dev.paddock.executor.landlock;

import dev.paddock.executor.Availability;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.TerminalSize;
import dev.paddock.executor.landlock.LaunchAttempt.Rules;
import dev.paddock.executor.landlock.kernel.CachingFileSystemView;
import dev.paddock.executor.landlock.kernel.CurrentRules;
import dev.paddock.executor.landlock.kernel.FileSystemView;
import dev.paddock.executor.landlock.kernel.KernelFault;
import dev.paddock.executor.landlock.kernel.LandlockKernel;
import dev.paddock.executor.landlock.kernel.LandlockKernel.Program;
import dev.paddock.executor.landlock.kernel.LandlockRules;
import dev.paddock.executor.landlock.kernel.LandlockRules.Grant;
import dev.paddock.executor.landlock.kernel.Ruleset;
import dev.paddock.executor.landlock.kernel.SystemPaths;
import dev.paddock.executor.network.PublishedPorts;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.LaunchSpec;
import dev.paddock.executor.process.launch.Terminal;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.process.warm.CommandLauncher;
import dev.paddock.executor.process.warm.CommandRequest;
import dev.paddock.executor.sandbox.backend.EnforcedLimits;
import dev.paddock.executor.sandbox.spawn.StartingSandbox;
import dev.paddock.executor.sandbox.spawn.SupervisedBackend;
import dev.paddock.executor.sandbox.spawn.WarmSlot;
import dev.paddock.executor.worktree.WorktreeGuard;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Starts the commands of one executor. Each is a {@link CommandRequest} to a stub that was started confined, as a warm
 * slot or for this command. A direct launch is impossible, since a command must not run before the thread that launched
 * it has exited.
 */
final class LandlockSandbox extends SupervisedBackend<LandlockRules> {
    /** The path at which every process opens its own controlling terminal. */
    private static final String CONTROLLING_TERMINAL = "/dev/tty";

    private static final String REMEDY = "Check the worktree and the kernel's log.";

    private final Parts parts;
    private final CurrentRules current;

    /**
     * The parts of a sandbox. The executor owns those that can be closed.
     *
     * @param env the base environment of every command; the command's own overrides it
     */
    record Parts(
            SandboxPolicy policy,
            String shell,
            Map<String, String> env,
            LandlockKernel kernel,
            int version,
            SystemPaths system,
            Program filter,
            Path home,
            EnforcedLimits limits,
            Ruleset ruleset,
            LaunchThreads threads,
            Supervisor supervisor,
            WorktreeGuard guard) {}

    LandlockSandbox(Parts parts) {
        super(parts.supervisor(), CommandLauncher.of(parts.supervisor()), Optional.of(parts.guard()));
        this.parts = parts;
        current = rulesOf(parts);
    }

    private static CurrentRules rulesOf(Parts parts) {
        List<Grant> grants = new ArrayList<>();
        parts.guard().linkedGit().map(GitGrants::of).ifPresent(grants::addAll);
        grants.add(new Grant(parts.home().toString(), true));
        parts.limits().shown().values().forEach(group -> grants.add(new Grant(group.toString(), false)));
        SystemPaths system = parts.system();
        CachingFileSystemView files = new CachingFileSystemView(system.all(), FileSystemView.HOST, System::nanoTime);
        return new CurrentRules(parts.policy(), parts.version(), system, grants, files);
    }

    @Override
    public LandlockRules plan() {
        return current.now();
    }

    @Override
    public boolean stillHolds(LandlockRules plan) {
        return current.stillHold(plan);
    }

    @Override
    public StartingSandbox prepare(LandlockRules rules, Map<String, String> environment) {
        return start(rules, environment, Optional.empty(), true);
    }

    @Override
    public StartingSandbox startCold(LandlockRules rules, Map<String, String> environment) {
        return start(rules, environment, Optional.empty(), false);
    }

    /**
     * Grants this command's terminal in addition to the rules; not {@code /dev/pts}, which has the user's other
     * terminals.
     */
    @Override
    public StartingSandbox startWithTerminal(LandlockRules rules, Map<String, String> environment, TerminalSize size) {
        Terminal terminal = supervisor().terminals().orElseThrow().open(size);
        boolean started = false;
        try {
            StartingSandbox starting = start(rules, environment, Optional.of(terminal), false);
            started = true;
            return starting;
        } finally {
            if (!started) {
                terminal.close();
            }
        }
    }

    @Override
    public void requirePublishing(String name, SpawnOptions options) {
        PublishedPorts.refuse(name, parts.policy().network(), options);
    }

    @Override
    public boolean hasTerminal() {
        return supervisor().terminals().isPresent();
    }

    private StartingSandbox start(
            LandlockRules rules, Map<String, String> environment, Optional<Terminal> terminal, boolean inAdvance) {
        Map<String, String> env = environment(parts.env(), environment);
        Ruleset.Held held = hold(rules, terminal);
        boolean started = false;
        try {
            Starting starting = new Starting(held, env, terminal, inAdvance);
            started = true;
            return starting;
        } finally {
            if (!started) {
                held.close();
            }
        }
    }

    private Ruleset.Held hold(LandlockRules rules, Optional<Terminal> terminal) {
        try {
            return terminal.isPresent()
                    ? Ruleset.holdOnce(
                            parts.kernel(),
                            rules.withDevices(
                                    List.of(CONTROLLING_TERMINAL, terminal.get().path()), FileSystemView.HOST))
                    : parts.ruleset().hold(rules);
        } catch (KernelFault fault) {
            throw unavailable("the kernel refuses the rules: " + fault.getMessage());
        }
    }

    /** A thread that confines itself; {@link #await} launches the stub on it. */
    private final class Starting implements StartingSandbox {
        private final Ruleset.Held rules;
        private final Map<String, String> env;
        private final Optional<Terminal> terminal;
        private final boolean inAdvance;
        private final AtomicBoolean born = new AtomicBoolean();
        private final ConfinedLaunch thread;
        private boolean awaited;
        private Optional<ChildProcess> launched = Optional.empty();
        private Optional<LandlockSlot> slot = Optional.empty();

        Starting(Ruleset.Held rules, Map<String, String> env, Optional<Terminal> terminal, boolean inAdvance) {
            this.rules = rules;
            this.env = env;
            this.terminal = terminal;
            this.inAdvance = inAdvance;
            thread = confine(() -> born.set(parts.limits().enterCallingThread()));
        }

        private ConfinedLaunch confine(Runnable preparation) {
            return parts.threads().launch(new Rules(rules.descriptor(), parts.filter(), preparation));
        }

        @Override
        public WarmSlot await() throws IOException {
            awaited = true;
            ChildProcess child;
            try (rules) {
                child = launch();
            }
            launched = Optional.of(child);
            if (!born.get()) {
                parts.limits().enter(child.pid());
            }
            parts.limits().limit(child.pid());
            LandlockSlot waiting = new LandlockSlot(parts, launcher(), child, env);
            slot = Optional.of(waiting);
            if (inAdvance) {
                parts.threads().startNext(); // off the critical path of a command
            }
            return waiting;
        }

        /**
         * Launches the stub in the executor's cgroup. If the cgroup is at its process limit, launches it outside and
         * moves it in afterwards; the command then hits the limit itself.
         */
        private ChildProcess launch() {
            try (thread) {
                return launch(thread);
            } catch (SpawnException full) {
                if (!born.getAndSet(false)) {
                    throw full;
                }
            }
            try (ConfinedLaunch outside = confine(() -> {})) {
                return launch(outside);
            }
        }

        private ChildProcess launch(ConfinedLaunch from) {
            LaunchSpec.Builder spec =
                    launcher().launch(parts.shell(), parts.shell()).env(env);
            terminal.ifPresent(spec::terminal);
            return supervisor().launch(spec.build(), from);
        }

        @Override
        public void discard() {
            if (!awaited) {
                thread.close();
                rules.close();
            }
            slot.ifPresentOrElse(LandlockSlot::discard, () -> launched.ifPresent(supervisor()::discard));
            terminal.ifPresent(Terminal::close);
        }

        @Override
        public CompletionStage<?> onEnd() {
            return slot.<CompletionStage<?>>map(LandlockSlot::onEnd).orElseGet(StartingSandbox.super::onEnd);
        }
    }

    @Override
    public ExecutorException failure(IOException fault) {
        return unavailable("the sandboxed process did not receive the command: " + fault.getMessage());
    }

    private static SandboxUnavailableException unavailable(String reason) {
        return new SandboxUnavailableException(
                LandlockExecutor.NAME, new Availability.Unusable(reason, REMEDY, Availability.Outlook.UNDECIDED));
    }
}
