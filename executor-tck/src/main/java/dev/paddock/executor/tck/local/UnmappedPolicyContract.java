package dev.paddock.executor.tck.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the policy check of a backend whose commands see the host's own paths.
 *
 * @since 0.1
 */
public abstract class UnmappedPolicyContract {
    private final String backend;

    @TempDir
    private Path temporary = Path.of("/");

    private Path directory = temporary;
    private Path worktree = temporary;
    private Path data = temporary;

    /**
     * Called by the implementer's class.
     *
     * @param backend the backend's name
     */
    protected UnmappedPolicyContract(String backend) {
        this.backend = backend;
    }

    /**
     * Checks a policy.
     *
     * @param policy the policy
     * @throws UnsupportedPolicyException if the backend cannot enforce it
     */
    protected abstract void check(SandboxPolicy policy);

    @BeforeEach
    final void createDirectories() throws IOException {
        directory = temporary.toRealPath();
        worktree = Files.createDirectory(directory.resolve("worktree"));
        data = Files.createDirectories(directory.resolve("data/sets"));
    }

    /**
     * Returns the test's directory, which contains the others.
     *
     * @return its real path
     */
    protected final Path directory() {
        return directory;
    }

    /**
     * Returns the worktree.
     *
     * @return its real path
     */
    protected final Path worktree() {
        return worktree;
    }

    /**
     * Returns a directory outside the worktree, in a separate parent.
     *
     * @return its real path
     */
    protected final Path data() {
        return data;
    }

    /**
     * Returns the default policy of the worktree.
     *
     * @return a builder
     */
    protected final SandboxPolicy.Builder policy() {
        return SandboxPolicy.builder(PathMapping.same(worktree));
    }

    /**
     * Fails unless the check refuses a policy for exactly these reasons.
     *
     * @param policy the policy
     * @param parts the parts that cannot be enforced, as the messages name them, in order
     */
    protected final void assertRefused(SandboxPolicy policy, String... parts) {
        assertThatThrownBy(() -> check(policy)).isInstanceOfSatisfying(UnsupportedPolicyException.class, refusal -> {
            assertThat(refusal.backend()).isEqualTo(backend);
            assertThat(refusal.unsupported()).hasSameSizeAs(parts);
            for (int index = 0; index < parts.length; index++) {
                assertThat(refusal.unsupported().get(index)).startsWith("cannot " + parts[index] + ": ");
            }
        });
    }

    /**
     * Fails unless the check accepts a policy.
     *
     * @param policy the policy
     */
    protected final void assertAccepted(SandboxPolicy policy) {
        assertThatCode(() -> check(policy)).doesNotThrowAnyException();
    }

    @Test
    final void pathsAreSameOnBothSides() {
        assertRefused(
                SandboxPolicy.builder(new PathMapping(worktree, "/work")).build(),
                "show the worktree '" + worktree + "' at another path, '/work'");
        assertRefused(
                policy().mount(new Mount(data, "/data", Mount.Access.READ_ONLY)).build(),
                "mount '" + data + "' at another path, '/data'");
    }

    @Test
    final void mountUnderNameOfLinkIsAtItsOwnPath() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("link"), data);
        assertAccepted(policy().mount(new Mount(link, link.toString(), Mount.Access.READ_ONLY))
                .build());
    }
}
