package dev.paddock.executor.landlock;

import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.warm.CommandLauncher;
import dev.paddock.executor.process.warm.CommandRequest;
import dev.paddock.executor.sandbox.spawn.StatusMapper;
import dev.paddock.executor.sandbox.spawn.SupervisedSlot;
import java.io.IOException;
import java.util.Map;

/** A confined stub that waits for its command. */
final class LandlockSlot extends SupervisedSlot {
    private final LandlockSandbox.Parts parts;

    LandlockSlot(LandlockSandbox.Parts parts, CommandLauncher launcher, ChildProcess child, Map<String, String> env) {
        super(parts.supervisor(), launcher, child, env);
        this.parts = parts;
    }

    @Override
    public StatusMapper statusMapper() {
        return parts.limits().statusMapper();
    }

    @Override
    public ProcessLike release(CommandRequest request, SpawnOptions options) throws IOException {
        ProcessLike process = super.release(request, options);
        parts.threads().startNext(); // while the command runs
        return process;
    }
}
