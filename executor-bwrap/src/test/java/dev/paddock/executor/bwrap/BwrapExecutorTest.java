package dev.paddock.executor.bwrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.Availability;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.SpawnOptions.Stdin;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.os.state.PrivateState;
import dev.paddock.executor.os.table.OwnerId;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.upkeep.SweepMode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.Assumptions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BwrapExecutorTest {
    private static final String WORK = "/work";

    @TempDir
    Path directory;

    private Path worktree = Path.of("/");

    @SuppressWarnings("NullAway.Init") // set before each test
    private BwrapExecutor executor;

    @BeforeEach
    void make() throws IOException {
        worktree = Files.createDirectory(directory.toRealPath().resolve("tree"));
        executor = builder().build();
    }

    @AfterEach
    void dispose() {
        executor.dispose();
    }

    private BwrapExecutor.Builder builder() {
        return BwrapExecutor.builder().policy(policy().build()).quarantine(directory.resolve("quarantine"));
    }

    private SandboxPolicy.Builder policy() {
        return SandboxPolicy.builder(new PathMapping(worktree, WORK));
    }

    private static String run(BwrapExecutor executor, String command) throws IOException {
        ProcessLike process = executor.spawn(
                command,
                SpawnOptions.builder(WORK).stderr(SpawnOptions.Stderr.MERGED).build());
        String output = new String(process.stdout().readAllBytes(), StandardCharsets.UTF_8);
        ExitStatus status = process.onExit().toCompletableFuture().join();
        process.onClosed().toCompletableFuture().join();
        return status.isSuccess() ? output : status + ": " + output;
    }

    private static ProcessLike waiting(BwrapExecutor executor) throws IOException {
        ProcessLike process = executor.spawn(
                "echo up; read -r line; echo \"got $line\"",
                SpawnOptions.builder(WORK).stdin(Stdin.PIPE).build());
        assertThat(new String(process.stdout().readNBytes(3), StandardCharsets.UTF_8))
                .isEqualTo("up\n");
        return process;
    }

    /**
     * The kernel sends the parent-death signal when the thread that started a process ends, not
     * when its process does.
     */
    @Test
    void C12_sandboxOutlivesThreadThatAskedForIt() throws Exception {
        for (int slots = 0; slots < 2; slots++) {
            try (BwrapExecutor lasting = builder().warmSlots(slots).build()) {
                run(lasting, "true");
                AtomicReference<ProcessLike> started = new AtomicReference<>();
                Thread brief = Thread.ofPlatform().start(() -> {
                    try {
                        started.set(waiting(lasting));
                    } catch (IOException fault) {
                        throw new IllegalStateException(fault);
                    }
                });
                brief.join();
                ProcessLike process = started.get();
                process.stdin().write("news\n".getBytes(StandardCharsets.UTF_8));
                process.stdin().close();
                assertThat(process.stdout().readAllBytes()).asString().isEqualTo("got news\n");
                assertThat(process.onExit().toCompletableFuture().join().isSuccess())
                        .isTrue();
            }
        }
        assertThat(bareFromABriefThread()).as("the trap").isEqualTo(137);
    }

    private static int bareFromABriefThread() throws Exception {
        AtomicReference<Process> started = new AtomicReference<>();
        Thread brief = Thread.ofPlatform().start(() -> {
            try {
                Process bare = new ProcessBuilder(
                                "bwrap",
                                "--ro-bind",
                                "/",
                                "/",
                                "--die-with-parent",
                                "sh",
                                "-c",
                                "echo up; read -r line")
                        .start();
                assertThat(bare.getInputStream().read()).isEqualTo('u');
                started.set(bare);
            } catch (IOException fault) {
                throw new IllegalStateException(fault);
            }
        });
        brief.join();
        return started.get().waitFor();
    }

    @Test
    void C15_holdersEndIsLossAndNotLast() throws Exception {
        ProcessLike process = waiting(executor);
        long before = executor.holderPid();
        assertThat(ProcessHandle.of(before).orElseThrow().destroyForcibly()).isTrue();
        assertThatThrownBy(() -> process.onExit().toCompletableFuture().join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(SandboxLostException.class);
        assertThat(run(executor, "echo again")).isEqualTo("again\n");
        assertThat(executor.holderPid()).isNotEqualTo(before);
    }

    @Test
    void C7_exitCodeIsDistinguishedFromSignal() {
        if (executor.guarantees().contains(Guarantee.EXACT_STATUS)) {
            for (int code : new int[] {129, 137, 143, 192}) {
                ProcessLike process = executor.spawn("exit " + code, SpawnOptions.in(WORK));
                assertThat(process.onExit().toCompletableFuture().join()).isEqualTo(new ExitStatus.Exited(code));
            }
        }
        ProcessLike killed = executor.spawn("kill -9 $$", SpawnOptions.in(WORK));
        assertThat(killed.onExit().toCompletableFuture().join()).isEqualTo(new ExitStatus.Signaled(Signal.KILL));
    }

    @Test
    void C2_shellCanBeChosen() throws IOException {
        Assumptions.assumeThat(Path.of("/bin/bash")).isExecutable();
        try (BwrapExecutor bash = builder().shell("/bin/bash").build()) {
            for (int command = 0; command < 3; command++) {
                assertThat(run(bash, "a=(x y); echo ${a[1]} ${BASH_VERSION:+bash}"))
                        .isEqualTo("y bash\n");
            }
        }
        try (BwrapExecutor missing = builder().shell("/no/such/shell").build()) {
            assertThatThrownBy(() -> run(missing, "true"))
                    .isInstanceOf(SpawnException.class)
                    .hasMessageContaining("/no/such/shell");
        }
    }

    @Test
    void commandCannotTellWarmFromColdSandbox() throws IOException {
        String everything = "env | sort | grep -v PADDOCK_COMMAND; cat /proc/self/mountinfo | cut -d' ' -f 4- | sort;"
                + " ls /proc/$$/fd; id; umask; ulimit -a; cat /proc/self/status | grep -E 'Sig|Cap|Seccomp|NSpid|Threads';"
                + " tr '\\0' ' ' < /proc/1/cmdline | cut -c 1-40; echo; ls -A / /etc /tmp ~";
        run(executor, "true");
        String warm = run(executor, everything);
        try (BwrapExecutor without = builder().warmSlots(0).build()) {
            String cold = run(without, everything);
            assertThat(forgetTimes(warm)).isEqualTo(forgetTimes(cold));
        }
    }

    /** Replaces the times: each executor has its own directories, created at different times. */
    private static String forgetTimes(String text) {
        return text.replaceAll("bwrap-[0-9a-z]+", "state").replaceAll("[A-Z][a-z]{2} +\\d+ +\\d+:\\d+", "then");
    }

    @Test
    void slotServesOnlyForPlanOfNow() throws IOException {
        run(executor, "true");
        run(executor, "true");
        Path hooks = Files.createDirectories(worktree.resolve(".git/hooks"));
        Files.createFile(worktree.resolve(".git/config"));
        assertThat(run(executor, "echo x > .git/hooks/post-checkout")).contains("Read-only file system");
        assertThat(run(executor, "mv .git gone")).contains("busy");
        assertThat(hooks).isEmptyDirectory();
    }

    @Test
    void linkedWorktreeWorksAndItsConfigurationStays() throws Exception {
        Path main = Files.createDirectory(directory.toRealPath().resolve("main"));
        host(
                main,
                "git init -q . && git config user.email a@example.org && git config user.name A"
                        + " && git commit -q --allow-empty -m first && git worktree add -q ../linked");
        worktree = main.resolveSibling("linked");
        try (BwrapExecutor linked = builder().build()) {
            assertThat(run(linked, "echo new > file && git add file && git commit -qm second && git status --short"))
                    .isEmpty();
            assertThat(run(linked, "git log --format=%s")).isEqualTo("second\nfirst\n");
            for (String protectedFile : List.of("config", "hooks/post-commit", "worktrees/linked/commondir", "HEAD")) {
                String file = main.resolve(".git").resolve(protectedFile).toString();
                assertThat(run(linked, "echo x > '" + file + "'"))
                        .as(protectedFile)
                        .startsWith("Exited");
            }
            assertThat(run(linked, "echo gitdir: /tmp > .git")).startsWith("Exited");
        }
        assertThat(host(worktree, "git status --short && git log --format=%s")).isEqualTo("second\nfirst\n");
    }

    private static String host(Path directory, String command) throws Exception {
        Process process = new ProcessBuilder("sh", "-c", command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    @Test
    void fileGrowsNoLargerThanItsLimit() throws IOException {
        SandboxPolicy limited =
                policy().limits(ResourceLimits.none().withFileSize(1 << 20)).build();
        try (BwrapExecutor small = BwrapExecutor.builder().policy(limited).build()) {
            assertThat(run(small, "head -c 1048577 /dev/zero > large")).startsWith("Exited");
            assertThat(worktree.resolve("large")).hasSize(1 << 20);
            assertThat(run(small, "head -c 1048576 /dev/zero > fits && echo fine"))
                    .isEqualTo("fine\n");
        }
    }

    @Test
    void disposalRemovesFilesOfCommands() throws IOException {
        run(executor, "mkdir -p /tmp/a/b ~/c && echo x > /tmp/a/b/f && chmod 0 /tmp/a/b /tmp/a && chmod 500 ~/c");
        Path state = executor.stateDirectory();
        assertThat(state).exists();
        executor.dispose();
        assertThat(state).doesNotExist();
    }

    @Test
    void C12_whatDeadLeftIsSweptAndNothingElse() throws IOException {
        OwnerId here = OwnerId.current();
        OwnerId dead = new OwnerId(here.machine(), here.boot(), here.namespace(), here.pid(), here.started() + 1);
        Path abandoned = stateOf(dead.toString());
        Path foreign = stateOf(new OwnerId("0", here.boot(), here.namespace(), 1, 1).toString());
        Path unlabelled = stateOf("");
        // A sweep covers the whole machine: that of another test's JVM may be removing the directory
        // just now, and then this one does not report it.
        Awaitility.await("a sweep removes the dead owner's directory")
                .atMost(Duration.ofSeconds(30))
                .until(() -> new BwrapProvider()
                                .sweep(SweepMode.REMOVE).stream()
                                        .anyMatch(phrase -> phrase.equals("removed the directory " + abandoned))
                        || !Files.exists(abandoned));
        for (Path kept : List.of(foreign, unlabelled, executor.stateDirectory())) {
            assertThat(kept).exists();
        }
        for (Path ours : List.of(foreign, unlabelled)) {
            Files.delete(ours.resolve("owner"));
            Files.delete(ours);
        }
    }

    private static Path stateOf(String owner) throws IOException {
        Path made = Files.createTempDirectory(PrivateState.root(), "bwrap-");
        Files.writeString(made.resolve("owner"), owner);
        return made;
    }

    @Test
    void paddocksOwnDirectoriesAreNotGranted() throws IOException {
        Path state = PrivateState.root();
        Path beside = Files.createDirectory(directory.toRealPath().resolve("beside"));
        assertThatThrownBy(() -> executorWith(state.resolveSibling("")))
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContaining("cannot mount '" + state.resolveSibling("")
                        + "': it contains Paddock's own state directory '" + state + "'");
        assertThatThrownBy(() -> executorWith(executor.stateDirectory()))
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContaining("it lies in Paddock's own state directory");
        executorWith(beside).dispose();
    }

    private BwrapExecutor executorWith(Path mounted) {
        return builder()
                .policy(policy().mount(new Mount(mounted, "/mnt", Mount.Access.READ_ONLY))
                        .build())
                .build();
    }

    @Test
    void probeReallyRunsSandbox() {
        Availability availability = new BwrapProvider().probe();
        assertThat(availability).isInstanceOfSatisfying(Availability.Usable.class, usable -> {
            assertThat(usable.version()).startsWith("bubblewrap ");
            assertThat(usable.guarantees()).isEqualTo(executor.guarantees());
        });
    }

    @Test
    void C14_missingProgramIsReported() {
        assertThatThrownBy(() -> builder().program(Path.of("/nowhere/bwrap")).build())
                .isInstanceOfSatisfying(SandboxUnavailableException.class, unavailable -> {
                    assertThat(unavailable.reason()).contains("/nowhere/bwrap");
                    assertThat(unavailable.remedy()).contains("apt install bubblewrap");
                });
    }
}
