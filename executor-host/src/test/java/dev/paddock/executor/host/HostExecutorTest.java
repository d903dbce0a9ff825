package dev.paddock.executor.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.policy.Enforcement;
import dev.paddock.executor.policy.EnvironmentPolicy;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.variable.ShellVariables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostExecutorTest {
    private static final Set<String> OF_THE_SHELL = Stream.concat(
                    ShellVariables.maintained().stream(), Stream.of(CommandExecutor.MARKER))
            .collect(Collectors.toSet());

    private static String output(CommandExecutor executor, String command) throws IOException {
        return new String(executor.spawn(command, SpawnOptions.in("/")).stdout().readAllBytes(), UTF_8);
    }

    @Test
    void environmentOfHostIsNotInherited() throws IOException {
        try (HostExecutor executor = HostExecutor.create()) {
            assertThat(output(executor, "env").lines().map(line -> line.replaceFirst("=.*", "")))
                    .contains("PATH")
                    .isSubsetOf(Stream.concat(HostEnvironment.minimal().keySet().stream(), OF_THE_SHELL.stream())
                            .toList());
        }
    }

    @Test
    void inheritingMoreIsExplicit() throws IOException {
        Optional<Map.Entry<String, String>> any = HostEnvironment.all().entrySet().stream()
                .filter(variable -> variable.getKey().matches("[A-Z_]+")
                        && variable.getValue().matches("[ -~]+"))
                .filter(variable -> !HostEnvironment.minimal().containsKey(variable.getKey())
                        && !OF_THE_SHELL.contains(variable.getKey()))
                .findAny();
        Assumptions.assumeThat(any).isPresent();
        String line = any.get().getKey() + "=" + any.get().getValue();
        try (HostExecutor named =
                        HostExecutor.builder().inherit(any.get().getKey()).build();
                HostExecutor all = HostExecutor.builder().inheritAll().build();
                HostExecutor none =
                        HostExecutor.builder().inheritAll().clearEnv().build()) {
            assertThat(output(named, "env").lines()).contains(line);
            assertThat(output(all, "env").lines()).contains(line);
            assertThat(output(none, "/usr/bin/env").lines()).doesNotContain(line);
        }
    }

    @Test
    void C2_shellCanBeChosen() throws IOException {
        Assumptions.assumeThat(HostEnvironment.findProgram("bash")).isPresent();
        try (HostExecutor executor = HostExecutor.builder().shell("bash").build()) {
            for (int command = 0; command < 3; command++) {
                assertThat(output(executor, "a=(x y); echo ${a[1]} ${BASH_VERSION:+bash}"))
                        .isEqualTo("y bash\n");
            }
        }
        assertThatThrownBy(() -> HostExecutor.builder().shell("/no/such/shell").build())
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("/no/such/shell");
    }

    @ParameterizedTest
    @EnumSource
    void C8_leftoversMayBeKeptUntilDisposal(HostCommands.Means means) throws Exception {
        HostExecutor executor =
                HostExecutor.builder().keepLeftovers(true).means(means).build();
        ProcessHandle left;
        try (executor) {
            ProcessLike command =
                    executor.spawn("sleep 1000 </dev/null >/dev/null 2>&1 & echo $!", SpawnOptions.in("/"));
            byte[] number = new byte[32];
            int length = command.stdout().read(number);
            command.onClosed().toCompletableFuture().get(30, TimeUnit.SECONDS);
            left = ProcessHandle.of(Long.parseLong(new String(number, 0, length, UTF_8).trim()))
                    .orElseThrow();
            assertThat(left.isAlive()).isTrue();
        }
        left.onExit().get(30, TimeUnit.SECONDS);
    }

    @Test
    void serviceIsFound() {
        assertThat(ExecutorProviders.named("host")).isInstanceOf(HostProvider.class);
        assertThat(new HostProvider().autoPriority(Map.of())).isEmpty();
        assertThat(new HostProvider().probe())
                .isInstanceOfSatisfying(
                        Availability.Usable.class,
                        usable ->
                                assertThat(usable.guarantees()).isSubsetOf(Guarantee.EXACT_STATUS, Guarantee.TERMINAL));
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                refused("network off", policy -> policy.network(NetworkPolicy.off())),
                refused(
                        "memory limit",
                        policy -> policy.limits(ResourceLimits.none().withMemory(1 << 30))),
                refused("CPUs", policy -> policy.limits(ResourceLimits.none().withCpus(1))),
                refused(
                        "processes",
                        policy -> policy.limits(ResourceLimits.none().withProcesses(9))),
                refused(
                        "file size",
                        policy -> policy.limits(ResourceLimits.none().withFileSize(9))),
                refused(
                        "mount '/usr' read-only",
                        policy -> policy.mount(new Mount(Path.of("/usr"), "/usr", Mount.Access.READ_ONLY))),
                refused(
                        "another path",
                        policy -> policy.mount(new Mount(Path.of("/usr"), "/elsewhere", Mount.Access.READ_ONLY))),
                refused(
                        "protected paths",
                        policy ->
                                policy.protectedPaths(ProtectedPaths.standard().withDemand(Enforcement.REQUIRED))));
    }

    private static Arguments refused(String words, UnaryOperator<SandboxPolicy.Builder> change) {
        return Arguments.of(words, change);
    }

    @ParameterizedTest
    @MethodSource("refused")
    void C14_whatCannotBeEnforcedIsRefused(
            String words, UnaryOperator<SandboxPolicy.Builder> change, @TempDir Path worktree) {
        SandboxPolicy.Builder open =
                SandboxPolicy.builder(PathMapping.same(worktree)).network(NetworkPolicy.open());
        assertThatThrownBy(() -> new HostProvider().create(change.apply(open).build(), Map.of()))
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContaining(words);
    }

    @Test
    void C14_worktreeAtAnotherPathIsRefused(@TempDir Path worktree) {
        SandboxPolicy mapped = SandboxPolicy.unconfined(new PathMapping(worktree, "/work"));
        assertThatThrownBy(() -> new HostProvider().create(mapped, Map.of()))
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContaining("/work");
    }

    @Test
    void limitsAskedForAsFarAsPossibleAreNotRefused(@TempDir Path worktree) throws IOException {
        SandboxPolicy policy = SandboxPolicy.builder(PathMapping.same(worktree))
                .network(NetworkPolicy.open())
                .limits(ResourceLimits.none().withMemory(1 << 30).withDemand(Enforcement.BEST_EFFORT))
                .environment(EnvironmentPolicy.empty().with("GIVEN", "value"))
                .build();
        try (CommandExecutor executor = new HostProvider().create(policy, Map.of("shell", "sh"))) {
            assertThat(output(executor, "echo $GIVEN")).isEqualTo("value\n");
        }
    }

    @Test
    void unknownSettingIsRefused(@TempDir Path worktree) {
        SandboxPolicy policy = SandboxPolicy.unconfined(PathMapping.same(worktree));
        assertThatThrownBy(() -> new HostProvider().create(policy, Map.of("image", "debian")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("image");
    }

    @Test
    void providerReportsWhatCommandsOutlive() {
        assertThat(HostProvider.gaps(/* isMac */ false, /* isNative */ true)).isEmpty();
        assertThat(HostProvider.gaps(/* isMac */ false, /* isNative */ false))
                .contains("JDK's own means")
                .doesNotContain("outlive"); // C12 holds there as well
        assertThat(HostProvider.gaps(/* isMac */ true, /* isNative */ true))
                .contains("not tested there by its authors");
        assertThat(HostProvider.gaps(/* isMac */ true, /* isNative */ false))
                .contains("outlive a JVM that is killed")
                .contains("loses its parent");
    }

    /** An executor serves several callers: what one of them left in its thread must not reach another's callback. */
    @Test
    void callbacksInheritNoThreadLocalOfCaller() throws Exception {
        InheritableThreadLocal<String> local = new InheritableThreadLocal<>();
        local.set("the caller's");
        CompletableFuture<String> inherited = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> inherited.complete(local.get())).join();
        assertThat(inherited.join())
                .as("the control: an ordinary thread inherits")
                .isEqualTo("the caller's");
        try (HostExecutor executor = HostExecutor.create()) {
            ProcessLike process = executor.spawn("exit 3", SpawnOptions.in("/"));
            assertThat(process.onExit()
                            .thenApply(status -> String.valueOf(local.get()))
                            .toCompletableFuture()
                            .get(30, TimeUnit.SECONDS))
                    .isEqualTo("null");
        }
    }
}
