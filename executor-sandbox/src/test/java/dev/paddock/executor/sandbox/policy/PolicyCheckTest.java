package dev.paddock.executor.sandbox.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.launch.HelperCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyCheckTest {
    private static final Capabilities EVERYTHING = Capabilities.of("test");

    @TempDir
    Path directory;

    private Path worktree = Path.of("/");
    private Path data = Path.of("/");
    private Path state = Path.of("/");

    @BeforeEach
    void makeDirectories() throws IOException {
        directory = directory.toRealPath();
        worktree = Files.createDirectories(directory.resolve("src/worktree"));
        data = Files.createDirectory(directory.resolve("data"));
        state = Files.createDirectories(directory.resolve("home/state"));
    }

    private SandboxPolicy.Builder policy() {
        return SandboxPolicy.builder(new PathMapping(worktree, "/work"));
    }

    private SandboxPolicy mounting(Path source) {
        return policy().mount(new Mount(source, "/mnt", Mount.Access.READ_WRITE))
                .build();
    }

    private List<String> refusals(SandboxPolicy policy) {
        return PolicyCheck.of(policy, EVERYTHING)
                .apartFrom(state, directory.resolve("quarantine"))
                .violations()
                .stream()
                .map(Violation::text)
                .toList();
    }

    @Test
    void everyViolationIsReported() {
        Capabilities nothing = EVERYTHING;
        for (Feature feature : Feature.values()) {
            nothing = nothing.without(feature, "there is no " + feature, "do without");
        }
        SandboxPolicy policy = policy().mount(new Mount(data, "/data", Mount.Access.READ_ONLY))
                .network(NetworkPolicy.allow(List.of("example.org")))
                .limits(ResourceLimits.none().withMemory(64 << 20).withCpus(1.5))
                .build();
        PolicyCheck check = PolicyCheck.of(policy, nothing);
        assertThatThrownBy(check::require)
                .isInstanceOfSatisfying(
                        UnsupportedPolicyException.class,
                        refusal -> assertThat(refusal.unsupported())
                                .containsExactly(
                                        "cannot show the worktree '" + worktree
                                                + "' at another path, '/work': there is no WORKTREE_MAPPING; do without",
                                        "cannot mount '" + data + "' at '/data': there is no MOUNTS; do without",
                                        "cannot mount '" + data
                                                + "' at another path, '/data': there is no MOUNT_MAPPING; do without",
                                        "cannot mount '" + data
                                                + "' read-only: there is no READ_ONLY_MOUNTS; do without",
                                        "cannot limit the network to chosen hosts, example.org: there is no NETWORK_ALLOW;"
                                                + " do without",
                                        "cannot keep a memory limit of 67108864 bytes: there is no MEMORY_LIMIT; do without",
                                        "cannot keep a limit of 1.5 CPUs: there is no CPU_LIMIT; do without"))
                .hasMessageContainingAll("the test backend refuses the policy for 7 reasons: (1) cannot", "; (7) ");
    }

    @Test
    void pathsBesideStateDirectoryAreGranted() {
        assertThat(refusals(mounting(data))).isEmpty();
        assertThat(refusals(mounting(directory.resolve("home").resolveSibling("data"))))
                .isEmpty();
    }

    @Test
    void mountMayNotContainStateDirectory() {
        Path home = directory.resolve("home");
        assertThat(refusals(mounting(home)))
                .containsExactly("cannot mount '" + home + "': it contains Paddock's own state directory '" + state
                        + "'; mount a subdirectory, or set XDG_STATE_HOME to another directory");
    }

    @Test
    void mountMayNotLieInStateDirectory() throws IOException {
        Path inside = Files.createDirectory(state.resolve("bwrap-1"));
        for (Path source : List.of(state, inside)) {
            assertThat(refusals(mounting(source)))
                    .singleElement()
                    .asString()
                    .startsWith("cannot mount '" + source + "': it ")
                    .contains("Paddock's own state directory '" + state + "'");
        }
    }

    @Test
    void worktreeMayNotContainStateDirectory() {
        SandboxPolicy policy =
                SandboxPolicy.builder(new PathMapping(directory, "/work")).build();
        assertThat(refusals(policy))
                .contains("cannot use '" + directory + "' as the worktree: it contains Paddock's own state directory '"
                        + state + "'; use a subdirectory, or set XDG_STATE_HOME to another directory");
    }

    @Test
    void commandsCannotChangeEnginesOfGuests() {
        Path home = directory.resolve("home");
        Path engines = home.resolve("cache/paddock/guest");
        SandboxPolicy asWorktree =
                SandboxPolicy.builder(new PathMapping(home, "/work")).build();
        SandboxPolicy readOnly =
                policy().mount(new Mount(home, "/mnt", Mount.Access.READ_ONLY)).build();
        assertThat(granted(asWorktree, engines))
                .containsExactly("cannot use '" + home + "' as the worktree: it contains the engines of guests '"
                        + engines + "'; use a subdirectory, or set XDG_CACHE_HOME to another directory");
        assertThat(granted(mounting(home), engines))
                .containsExactly("cannot mount '" + home + "': it contains the engines of guests '" + engines
                        + "'; mount a subdirectory, or set XDG_CACHE_HOME to another directory");
        assertThat(granted(readOnly, engines)).isEmpty();
        assertThat(granted(policy().build(), worktree.resolveSibling("")))
                .as("the training of an engine works in a directory of its own there")
                .isEmpty();
        assertThat(granted(mounting(data), engines)).isEmpty();
    }

    private List<String> granted(SandboxPolicy policy, Path guests) {
        return new GrantedDirectories(policy)
                .violations(directory.resolve("other"), directory.resolve("quarantine"), Optional.of(guests)).stream()
                        .map(Violation::text)
                        .toList();
    }

    @Test
    void mountIsNoSecondNameOfWorktree() {
        assertThat(refusals(mounting(worktree)))
                .singleElement()
                .asString()
                .contains("it is the worktree '" + worktree + "' under a second name");
        assertThat(refusals(mounting(worktree.resolveSibling(""))))
                .singleElement()
                .asString()
                .contains("it contains the worktree '" + worktree + "'");
    }

    @Test
    void directoriesAreComparedByDeviceAndInode() throws IOException {
        Path alias = Files.createDirectory(directory.resolve("alias"));
        HelperCommand.Result mounted = HelperCommand.run(
                List.of("mount", "--bind", worktree.resolveSibling("").toString(), alias.toString()));
        assumeThat(mounted.succeeded()).as("whether bind mounts can be made").isTrue();
        try {
            assertThat(refusals(mounting(alias)))
                    .singleElement()
                    .asString()
                    .contains("it contains the worktree '" + worktree + "'");
            assertThat(refusals(mounting(alias.resolve("worktree"))))
                    .singleElement()
                    .asString()
                    .contains("under a second name");
        } finally {
            HelperCommand.run(List.of("umount", alias.toString()));
        }
    }

    @Test
    void realPathsAreFoundOfWhatDoesNotExist() throws IOException {
        Files.createSymbolicLink(directory.resolve("link"), data);
        assertThat(RealPaths.of(directory.resolve("link/absent/deeper"))).isEqualTo(data.resolve("absent/deeper"));
        assertThat(RealPaths.of(directory.resolve("link/./absent/../x"))).isEqualTo(data.resolve("x"));
        assertThat(RealPaths.of(directory.resolve("link"))).isEqualTo(data);
    }
}
