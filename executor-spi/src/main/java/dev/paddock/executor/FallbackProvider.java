package dev.paddock.executor;

import dev.paddock.executor.policy.SandboxPolicy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A backend that was chosen in place of a preferred one; its executors report why.
 *
 * @param chosen the backend
 * @param why a sentence, for people and models
 */
record FallbackProvider(ExecutorProvider chosen, String why) implements ExecutorProvider {

    private static final class FallbackExecutor extends ForwardingExecutor {
        private final String why;

        FallbackExecutor(CommandExecutor executor, String why) {
            super(executor);
            this.why = why;
        }

        /** Forwarded, so that an executor's own way to run a command stays in effect. */
        @Override
        public CommandResult run(String command, RunOptions options) throws InterruptedException {
            return delegate().run(command, options);
        }

        @Override
        public Optional<String> fallback() {
            return Optional.of(why);
        }
    }

    /** Returns the executor with the sentence. */
    CommandExecutor mark(CommandExecutor executor) {
        return new FallbackExecutor(executor, why);
    }

    @Override
    public String name() {
        return chosen.name();
    }

    @Override
    public Availability probe() {
        return chosen.probe();
    }

    @Override
    public Availability probe(Map<String, String> settings, Duration bound) {
        return chosen.probe(settings, bound);
    }

    @Override
    public Availability probe(SandboxPolicy policy, Map<String, String> settings) {
        return chosen.probe(policy, settings);
    }

    @Override
    public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
        return mark(chosen.create(policy, settings));
    }

    @Override
    public CommandExecutor create(ExecutorOptions options) {
        return mark(chosen.create(options));
    }

    @Override
    public boolean hasSetting(String setting) {
        return chosen.hasSetting(setting);
    }
}
