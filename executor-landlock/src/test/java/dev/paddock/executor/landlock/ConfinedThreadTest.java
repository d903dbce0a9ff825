package dev.paddock.executor.landlock;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.landlock.LaunchAttempt.Rules;
import dev.paddock.executor.landlock.kernel.FileSystemView;
import dev.paddock.executor.landlock.kernel.LandlockKernel;
import dev.paddock.executor.landlock.kernel.LandlockKernel.Program;
import dev.paddock.executor.landlock.kernel.LandlockRules;
import dev.paddock.executor.landlock.kernel.LandlockRules.Grant;
import dev.paddock.executor.landlock.kernel.LandlockRules.SystemRules;
import dev.paddock.executor.landlock.kernel.Rights;
import dev.paddock.executor.landlock.kernel.SystemPaths;
import dev.paddock.executor.os.posix.Architecture;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.LaunchSpec;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.sandbox.seccomp.FilterOption;
import dev.paddock.executor.sandbox.seccomp.SyscallFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Checks that no thread of the JVM stays confined, since such a thread is a hole. */
@EnabledOnOs(OS.LINUX)
class ConfinedThreadTest {

    private static final int LAUNCHES = 64;

    /**
     * Lists which files of each of the JVM's threads a command can open.
     *
     * <p>{@code maps} is read: the kernel lets every process open that of a thread that is ending,
     * which has no memory any more, and the file is empty (tried with a zombie of another user on
     * Linux 6.18).
     */
    private static final String LOOK =
            """
            for t in /proc/JVM/task/*; do
              for f in environ mem fd/0 fd/1 fd/2 fd/3; do
                true < $t/$f && echo "opened $t/$f"
                true >> $t/$f && echo "opened $t/$f to write"
              done
              { IFS= read -r line && echo "read $t/maps"; } < $t/maps
            done 2>/dev/null
            echo looked
            """.replace("JVM", Long.toString(ProcessHandle.current().pid()));

    @TempDir
    private Path directory;

    private final List<AutoCloseable> opened = new ArrayList<>();

    private Path worktree;
    private Path outside;
    private LandlockKernel kernel;

    @BeforeEach
    void prepare() throws IOException {
        kernel = LandlockKernel.find().orElseThrow();
        assumeTrue(kernel.version() > 0, "this kernel has Landlock");
        directory = directory.toRealPath();
        worktree = Files.createDirectory(directory.resolve("worktree"));
        outside = Files.writeString(directory.resolve("outside"), "outside");
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable resource : opened.reversed()) {
            resource.close();
        }
    }

    private <T extends AutoCloseable> T closing(T resource) {
        opened.add(resource);
        return resource;
    }

    private LandlockExecutor executor() {
        return closing(LandlockExecutor.builder().worktree(worktree).build());
    }

    /**
     * Is the positive control: while a confined thread stays, the checks of the other tests find
     * access.
     */
    @Test
    void confinedThreadThatIsNotEndedGivesAccess() throws Exception {
        Supervisor supervisor = closing(Supervisor.create("test", false));
        SandboxPolicy policy = SandboxPolicy.builder(PathMapping.same(worktree)).build();
        LandlockRules rules = LandlockRules.compile(
                policy,
                kernel.version(),
                SystemRules.compile(SystemPaths.ofThisMachine(), kernel.version(), FileSystemView.HOST),
                List.of(new Grant(worktree.toString(), true)),
                FileSystemView.HOST);
        int ruleset = kernel.ruleset(rules);
        opened.add(() -> kernel.close(ruleset));
        Program filter = Program.of(SyscallFilter.compile(
                Architecture.current().orElseThrow(), LandlockExecutorFactory.filterOptions(policy, kernel.version())));
        LaunchSpec spec = LaunchSpec.builder("/bin/sh", "-c", LOOK).build();
        supervisor.discard(supervisor.launch(spec, ConfinedLaunch.preloading(kernel)));
        CountDownLatch launched = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        AtomicReference<ChildProcess> child = new AtomicReference<>();
        Thread staying = Thread.ofPlatform().start(() -> {
            kernel.confine(ruleset, filter);
            child.set(supervisor.launch(spec));
            launched.countDown();
            await(done);
        });
        await(launched);
        try {
            assertThat(new String(child.get().stdout().readAllBytes(), UTF_8))
                    .contains("/environ\n", "/mem\n", "/fd/", "/maps\n")
                    .endsWith("looked\n");
        } finally {
            done.countDown();
            staying.join();
            supervisor.discard(child.get());
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void unconfinedTasksOf64ConcurrentLaunchesCannotBeOpened() throws Exception {
        LandlockExecutor executor = executor();
        List<Future<String>> answers;
        try (ExecutorService callers = Executors.newFixedThreadPool(LAUNCHES)) {
            CountDownLatch together = new CountDownLatch(LAUNCHES);
            answers = callers.invokeAll(IntStream.range(0, LAUNCHES)
                    .mapToObj(number -> (Callable<String>) () -> {
                        together.countDown();
                        await(together);
                        return run(executor, LOOK);
                    })
                    .toList());
        }
        for (Future<String> answer : answers) {
            assertThat(answer.get()).isEqualTo("looked\n");
        }
        Awaitility.await("no confined thread stays")
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(ConfinedThreadTest::assertNoThreadIsConfined);
        everyPoolStillReads();
    }

    /**
     * Reads each thread's status from /proc: the system-call filter is installed together with the
     * rules. The executor prepares its next slot beside, on a thread that ends with the launch.
     */
    private static void assertNoThreadIsConfined() throws IOException {
        Map<Path, String> states = new TreeMap<>();
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            for (Path thread : threads.toList()) {
                states.put(thread, state(thread));
            }
        }
        states.values().removeIf(String::isEmpty);
        assertThat(states).isNotEmpty();
        String main = state(Path.of("/proc/self"));
        assertThat(states.values()).as("NoNewPrivs and Seccomp of every thread").containsOnly(main);
    }

    private static String state(Path thread) {
        try (Stream<String> lines = Files.lines(thread.resolve("status"))) {
            return String.join(
                    ", ",
                    lines.filter(line -> line.startsWith("NoNewPrivs:") || line.startsWith("Seccomp:"))
                            .toList());
        } catch (IOException | UncheckedIOException ended) {
            return "";
        }
    }

    private void everyPoolStillReads() throws Exception {
        Callable<String> read = () -> Files.readString(outside);
        try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<String>> many =
                    IntStream.range(0, 200).mapToObj(number -> read).toList();
            for (Future<String> answer : virtual.invokeAll(many)) {
                assertThat(answer.get()).isEqualTo("outside");
            }
            for (Future<String> answer : ForkJoinPool.commonPool().invokeAll(many)) {
                assertThat(answer.get()).isEqualTo("outside");
            }
        }
        // The JDK's pool that reaps processes: whichever thread starts the first process creates
        // it.
        Process process = new ProcessBuilder("true").start();
        assertThat(process.onExit()
                        .thenApply(ended -> {
                            try {
                                return Files.readString(outside);
                            } catch (IOException fault) {
                                throw new UncheckedIOException(fault);
                            }
                        })
                        .get(1, TimeUnit.MINUTES))
                .isEqualTo("outside");
    }

    @Test
    void threadIsGoneWhenLaunchReturns() throws Exception {
        int ruleset = kernel.ruleset(new LandlockRules(Rights.ofFiles(1), 0, 0, List.of()));
        opened.add(() -> kernel.close(ruleset));
        byte[] filter = SyscallFilter.compile(Architecture.current().orElseThrow(), EnumSet.allOf(FilterOption.class));
        LaunchThreads threads = closing(new LaunchThreads(kernel));
        for (int i = 0; i < 200; i++) {
            long thread;
            try (ConfinedLaunch launch = threads.launch(new Rules(ruleset, Program.of(filter), () -> {}))) {
                thread = launch.call(kernel::thread);
                assertThat(kernel.isThread(thread)).isFalse();
            }
        }
    }

    @Test
    void threadThatHasNothingToLaunchIsGoneWhenItIsClosed() throws Exception {
        int ruleset = kernel.ruleset(new LandlockRules(Rights.ofFiles(1), 0, 0, List.of()));
        opened.add(() -> kernel.close(ruleset));
        byte[] filter = SyscallFilter.compile(Architecture.current().orElseThrow(), EnumSet.allOf(FilterOption.class));
        LaunchThreads threads = closing(new LaunchThreads(kernel));
        AtomicLong thread = new AtomicLong();
        for (int i = 0; i < 200; i++) {
            threads.launch(new Rules(ruleset, Program.of(filter), () -> thread.set(kernel.thread())))
                    .close();
            assertThat(thread.get()).isPositive();
            assertThat(kernel.isThread(thread.get())).isFalse();
        }
    }

    @Test
    void nextThreadIsStartedUnconfined() throws Exception {
        int ruleset = kernel.ruleset(new LandlockRules(Rights.ofFiles(1), 0, 0, List.of()));
        opened.add(() -> kernel.close(ruleset));
        byte[] filter = SyscallFilter.compile(Architecture.current().orElseThrow(), EnumSet.allOf(FilterOption.class));
        Rules rules = new Rules(ruleset, Program.of(filter), () -> {});
        LaunchThreads threads = new LaunchThreads(kernel);
        Awaitility.await("the threads of other tests have ended")
                .atMost(Duration.ofSeconds(30))
                .until(() -> launchThreads().isEmpty());
        try (ConfinedLaunch launch = threads.launch(rules)) {
            launch.call(kernel::thread);
        }
        threads.startNext();
        threads.startNext();
        // A thread sets its name when it runs, which may be later than its start.
        Path waiting = Awaitility.await("the warm launch thread exists")
                .atMost(Duration.ofSeconds(30))
                .until(ConfinedThreadTest::launchThreads, found -> found.size() == 1)
                .get(0);
        assertThat(state(waiting)).isEqualTo(state(Path.of("/proc/self")));
        long used;
        try (ConfinedLaunch launch = threads.launch(rules)) {
            used = launch.call(kernel::thread);
        }
        assertThat(waiting).hasFileName(Long.toString(used));
        Awaitility.await("it was the only one")
                .atMost(Duration.ofSeconds(30))
                .until(() -> launchThreads().isEmpty());
        threads.startNext();
        threads.close();
        Awaitility.await("closing ends what waits")
                .atMost(Duration.ofSeconds(30))
                .until(() -> launchThreads().isEmpty());
    }

    /** Finds the threads by their names, as the kernel truncates them. */
    private static List<Path> launchThreads() throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            return threads.filter(ConfinedThreadTest::isForLaunches).toList();
        }
    }

    private static boolean isForLaunches(Path thread) {
        try {
            return Files.readString(thread.resolve("comm")).startsWith("paddock-landloc");
        } catch (IOException ended) {
            return false;
        }
    }

    private String run(LandlockExecutor executor, String command) throws Exception {
        ProcessLike process = executor.spawn(
                command,
                SpawnOptions.builder(worktree.toString())
                        .stderr(SpawnOptions.Stderr.MERGED)
                        .build());
        String output = new String(process.stdout().readAllBytes(), UTF_8);
        assertThat(process.onExit()
                        .toCompletableFuture()
                        .get(1, TimeUnit.MINUTES)
                        .isSuccess())
                .isTrue();
        return output;
    }
}
