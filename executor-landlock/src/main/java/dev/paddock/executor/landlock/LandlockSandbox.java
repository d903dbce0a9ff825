package dev.paddock.executor.landlock;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.confined.ConfinedCommands;
import dev.paddock.executor.confined.ConfinedCommands.Slot;
import dev.paddock.executor.confined.ConfinedHome;
import dev.paddock.executor.landlock.LandlockKernel.Program;
import dev.paddock.executor.landlock.LandlockRules.Grant;
import dev.paddock.executor.landlock.LaunchAttempt.Rules;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.Child;
import dev.paddock.executor.process.LaunchSpec;
import dev.paddock.executor.process.Starter;
import dev.paddock.executor.process.Supervisor;
import dev.paddock.executor.protect.WorktreeGuard;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The commands of one executor. Each is an order to what was started confined to wait for it: beforehand, or
 * now. There is no other way, since a command must not run before the thread that launched it is gone.
 */
final class LandlockSandbox implements AutoCloseable {
    private static final String REMEDY = "Look at the worktree and at the kernel's log.";

    private final Parts parts;
    private final Starter starter;
    private final Ruleset ruleset;
    private final LaunchThreads threads;
    private final RememberingPlaces places;
    private volatile Compiled latest;
    private final ConfinedCommands<LandlockRules> commands;
    private boolean closed;

    /**
     * What a sandbox is made of; it owns what can be closed.
     *
     * @param env the environment of every command, before its own
     */
    record Parts(
            SandboxPolicy policy,
            String shell,
            Map<String, String> env,
            LandlockKernel kernel,
            int version,
            SystemPaths system,
            Program filter,
            ConfinedHome home,
            WorktreeGuard guard,
            Limiter limiter,
            Supervisor supervisor) {}

    LandlockSandbox(Parts parts, int warmSlots) {
        this.parts = parts;
        starter = Starter.of(parts.supervisor());
        ruleset = new Ruleset(parts.kernel());
        threads = new LaunchThreads(parts.kernel());
        places = new RememberingPlaces(parts.system().all(), Places.HOST, System::nanoTime);
        latest = new Compiled(compile(), places.changes());
        commands = new ConfinedCommands<>(
                new ConfinedCommands.Place(
                        LandlockExecutor.NAME,
                        REMEDY,
                        parts.supervisor(),
                        parts.guard(),
                        starter,
                        parts.limiter()::judge),
                warmSlots,
                this::prepare);
    }

    ProcessLike spawn(String command, SpawnOptions options) {
        ProcessLike process = commands.spawn(command, options, parts.shell(), Map.of(), plans);
        threads.startNext(); // while the command runs
        return process;
    }

    /** Rules, and how often the system's paths had changed when they were compiled. */
    private record Compiled(LandlockRules rules, int changes) {}

    /** Of the system's paths what is remembered is taken first, and looked at while the command is made ready. */
    private final ConfinedCommands.Plans<LandlockRules> plans = new ConfinedCommands.Plans<>() {
        @Override
        public LandlockRules now() {
            Compiled last = latest;
            LandlockRules rules = compile();
            // The same rules as the same object: they are compared with those of each slot, and of the kernel's set.
            if (!rules.equals(last.rules())) {
                latest = new Compiled(rules, last.changes());
                return rules;
            }
            return last.rules();
        }

        @Override
        public boolean stillHolds(LandlockRules rules) {
            int changes = places.changes();
            Compiled last = latest;
            if (last.changes() == changes && last.rules().equals(rules)) {
                return true;
            }
            Compiled now = new Compiled(compile(), changes);
            latest = now;
            return rules.equals(now.rules());
        }
    };

    /** As everything is known to be. */
    private LandlockRules compile() {
        List<Grant> grants = new ArrayList<>();
        parts.guard().linkedGit().map(GitGrants::of).ifPresent(grants::addAll);
        grants.add(new Grant(parts.home().home().toString(), true));
        return LandlockRules.compile(parts.policy(), parts.version(), parts.system(), grants, places);
    }

    /** Starts what waits for a command, confined, with some variables more than others have. */
    private Slot prepare(LandlockRules rules, Map<String, String> given, Runnable meanwhile) throws IOException {
        Map<String, String> env = new HashMap<>(parts.env());
        env.putAll(given);
        env.put(CommandExecutor.MARKER, parts.supervisor().newMarker());
        Child child = launch(rules, env, meanwhile);
        boolean limited = false;
        try {
            parts.limiter().limit(child.pid());
            limited = true;
        } finally {
            if (!limited) {
                parts.supervisor().discard(child);
            }
        }
        return new Slot(child, env);
    }

    /** In the executor's control group, either from birth or by being moved there. */
    private Child launch(LandlockRules rules, Map<String, String> env, Runnable meanwhile) throws IOException {
        AtomicBoolean born = new AtomicBoolean();
        try {
            Child child = launch(rules, env, () -> born.set(parts.limiter().enter()), meanwhile);
            if (born.get()) {
                return child;
            }
            return moved(child);
        } catch (SpawnException full) {
            if (!born.get()) {
                throw full;
            }
            // The group has as many processes as it may. Its next command learns that by itself.
            return moved(launch(rules, env, () -> {}, meanwhile));
        }
    }

    /** The thread is told its rules first of all: to confine itself takes longer than to make ready what it is to launch. */
    private Child launch(LandlockRules rules, Map<String, String> env, Runnable preparation, Runnable meanwhile) {
        try {
            return ruleset.with(rules, descriptor -> {
                Rules confinement = new Rules(descriptor, parts.filter(), preparation);
                try (ConfinedLaunch thread = threads.launch(confinement, meanwhile)) {
                    LaunchSpec spec = starter.launch(parts.shell(), parts.shell())
                            .env(env)
                            .build();
                    return parts.supervisor().launch(spec, thread);
                }
            });
        } catch (KernelFault fault) {
            throw unavailable("the kernel refuses the rules: " + fault.getMessage());
        }
    }

    private Child moved(Child child) throws IOException {
        try {
            parts.limiter().enter(child.pid());
            return child;
        } catch (IOException fault) {
            parts.supervisor().discard(child);
            throw fault;
        }
    }

    private static SandboxUnavailableException unavailable(String reason) {
        return new SandboxUnavailableException(LandlockExecutor.NAME, new Availability.Unusable(reason, REMEDY, true));
    }

    /** Ends the commands, then all that belongs to them; once, and a second call waits for the first. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            commands.close();
        } finally {
            threads.close();
            ruleset.close();
            parts.guard().close();
            parts.limiter().close();
            parts.home().close();
        }
    }
}
