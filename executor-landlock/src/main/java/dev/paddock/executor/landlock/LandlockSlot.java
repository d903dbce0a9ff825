package dev.paddock.executor.landlock;

import dev.paddock.executor.confined.StatusMapper;
import dev.paddock.executor.confined.SupervisedSlot;
import dev.paddock.executor.process.Child;
import dev.paddock.executor.process.Starter;
import java.util.Map;

/** A confined process that waits for its command. */
final class LandlockSlot extends SupervisedSlot {
    private final Limiter limiter;

    LandlockSlot(LandlockSandbox.Parts parts, Starter starter, Child child, Map<String, String> env) {
        super(parts.supervisor(), starter, child, env);
        limiter = parts.limiter();
    }

    @Override
    public StatusMapper statusMapper() {
        return limiter.judge()::apply;
    }
}
