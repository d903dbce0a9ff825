package dev.paddock.executor.landlock;

import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.warm.CommandLauncher;
import dev.paddock.executor.sandbox.spawn.StatusMapper;
import dev.paddock.executor.sandbox.spawn.SupervisedSlot;
import java.util.Map;

/** A confined stub that waits for its command. */
final class LandlockSlot extends SupervisedSlot {
    private final CommandLimits limiter;

    LandlockSlot(LandlockSandbox.Parts parts, CommandLauncher starter, ChildProcess child, Map<String, String> env) {
        super(parts.supervisor(), starter, child, env);
        limiter = parts.limiter();
    }

    @Override
    public StatusMapper statusMapper() {
        return limiter.judge()::apply;
    }
}
