package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.ExecutorProviders;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The backends in which the tests of {@code paddock mcp} run their commands. Where this machine
 * lacks one, its tests are skipped; in CI they fail.
 */
enum McpBackend {
    HOST,
    BWRAP,
    LANDLOCK,
    DOCKER;

    private static final String IMAGE = "paddock-test/busybox";

    void require() throws Exception {
        boolean isThere = ExecutorProviders.named(executor()).probe().isUsable()
                && (this != DOCKER
                        || !DockerClient.run("image", "inspect", IMAGE).isEmpty());
        if (System.getenv("CI") == null) {
            assumeTrue(isThere, executor() + " cannot be used here");
        }
        assertThat(isThere).as(executor() + " can be used").isTrue();
    }

    String executor() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    String[] arguments() {
        return this == DOCKER
                ? new String[] {"mcp", "--executor", "docker", "--image", IMAGE}
                : new String[] {"mcp", "--executor", executor()};
    }

    /** Returns the command-side path of the worktree. */
    String commandPath(Path worktree) throws IOException {
        return this == DOCKER ? "/work" : worktree.toRealPath().toString();
    }

    /** Returns the containers that mount the worktree; other tests use other worktrees. */
    static String containers(Path worktree) throws Exception {
        return DockerClient.run("ps", "-aq", "--filter", "volume=" + worktree.toRealPath());
    }
}
