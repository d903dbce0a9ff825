package dev.paddock.harness;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.subject.Prerequisite;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The backends that session tests run on: {@code @EnumSource(Backend.class)} for a test, {@link
 * BackendTest} for a test class. If a backend is not available on this machine, its tests are
 * skipped, and fail in CI.
 */
public enum Backend {
    HOST(false),
    BWRAP(true),
    LANDLOCK(false),
    /** A container of the session's own; the image is made by build/test-images.sh. */
    DOCKER(true);

    private final boolean maps;

    Backend(boolean maps) {
        this.maps = maps;
    }

    /** Returns the worktree under both its paths: different ones if the backend supports that. */
    public PathMapping mapping(Path worktree) {
        return maps ? new PathMapping(worktree, "/work") : PathMapping.same(worktree);
    }

    /** Returns an executor for a worktree, with the network off if the backend supports that. */
    public CommandExecutor executor(Path worktree) {
        return executor(worktree, policy -> policy);
    }

    /** Returns an executor for a worktree, with a changed policy. */
    public CommandExecutor executor(Path worktree, UnaryOperator<SandboxPolicy.Builder> changes) {
        ExecutorProvider provider = ExecutorProviders.named(toString());
        if (provider.probe(Map.of(), Duration.ofMinutes(1)) instanceof Availability.Unusable unusable) {
            skip(unusable.reason());
        }
        SandboxPolicy.Builder policy = SandboxPolicy.builder(mapping(worktree));
        if (this == HOST) {
            policy.network(SandboxPolicy.unconfined(mapping(worktree)).network());
        }
        try {
            return provider.create(changes.apply(policy).build(), settings());
        } catch (SandboxUnavailableException absent) {
            skip(absent.toString());
            throw absent;
        }
    }

    private Map<String, String> settings() {
        return this == DOCKER ? Map.of("image", "paddock-test/debian", "pull", "never") : Map.of();
    }

    private void skip(String reason) {
        Prerequisite.require(false, this + " is not available here: " + reason);
    }

    /** Returns the backend's name. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
