package dev.paddock.harness.tools.hint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SandboxDescriptionTest {
    private static final Set<Guarantee> KEPT = EnumSet.allOf(Guarantee.class);

    @TempDir
    private Path cache;

    private final SandboxPolicy.Builder policy = SandboxPolicy.builder(PathMapping.same(Path.of("/work")));

    private String description(Set<Guarantee> guarantees) {
        return SandboxDescription.of(new SandboxFacts(policy.build(), guarantees, "", true));
    }

    @Test
    void namesWhatCommandsMayUse() {
        policy.mount(new Mount(cache, "/cache", Mount.Access.READ_WRITE))
                .limits(ResourceLimits.none().withMemory(512L << 20))
                .environment(policy.build().environment().with("GIT_CONFIG_SYSTEM", "/x"));

        assertThat(description(KEPT))
                .contains("The network is off", "may write to the worktree, $HOME, /cache", ".git/hooks")
                .contains("Limits: 512 MiB of memory", "512 processes", "Git has the user's name");
        assertThat(description(Set.of()))
                .isEqualTo("The network is open. Commands have the rights of the user who runs the session.");
    }

    @Test
    void tellsServerOfUsersMachineFromOtherHosts() {
        policy.network(NetworkPolicy.allow("localhost:5432", "example.org"));

        assertThat(description(KEPT))
                .contains("commands reach only localhost:5432, example.org; other names do not exist for them.")
                .contains(" localhost:5432 is the user's server, outside of the sandbox.");
    }

    /** It is a part of each request of a client to its model. */
    @Test
    void listsAreShortAndCountTheRest() {
        policy.network(NetworkPolicy.allow(IntStream.rangeClosed(1, 100)
                .mapToObj(number -> "host" + number + ".example")
                .toArray(String[]::new)));
        IntStream.rangeClosed(1, 100)
                .forEach(number -> policy.mount(new Mount(cache, "/cache" + number, Mount.Access.READ_WRITE)));

        assertThat(description(KEPT))
                .hasSizeLessThan(1_400)
                .contains("host1.example, host2.example")
                .contains(".git/hooks, .git/config")
                .containsPattern("host1[0-9]\\.example and 8[0-9] more; other names")
                .containsPattern("/cache[0-9]+ and [0-9]+ more and temporary files")
                .containsPattern(" and 1[0-9]{2} more\\.");
    }
}
