package dev.paddock.harness.guest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.os.table.OwnerId;
import dev.paddock.harness.bindings.AgentContainer;
import dev.paddock.harness.bindings.ExecPolicy;
import dev.paddock.harness.guest.engine.GuestMain;
import dev.paddock.harness.guest.session.GuestSession;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.workspace.owned.OwnedDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Guests that end, or are killed from outside, and all that they have started. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GuestEndTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final List<Integer> COMMANDS = List.of(0, 1, 5);
    private static final int MAX_COMMANDS = 5;

    /** Also the mark by which the commands are found among the processes. */
    private static final String SECONDS = "47114711";

    private static final GuestOptions OPTIONS = GuestOptions.standard()
            .backend("bwrap", Map.of("warmSlots", "0"))
            .timeout(PATIENCE)
            .warm(0);

    @TempDir
    Path directory;

    private static boolean runs(GuestSession guests) {
        return guests.run(GuestCode.js("export const run = () => 6 * 7;"))
                        .result()
                        .integer()
                == 42;
    }

    private static List<ProcessHandle> processesWith(String word) {
        return ProcessHandle.current()
                .descendants()
                .filter(process -> commandLine(process).contains(word))
                .toList();
    }

    private static String commandLine(ProcessHandle process) {
        return read(process, "cmdline");
    }

    private static String read(ProcessHandle process, String file) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), file), StandardCharsets.ISO_8859_1);
        } catch (IOException ended) {
            return "";
        }
    }

    private long started() {
        try (Stream<String> lines = Files.lines(directory.resolve("started"))) {
            return lines.count();
        } catch (IOException none) {
            return 0;
        }
    }

    @Test
    void guestThatIsKilledAfterNoneOrSomeCallsLeavesNoneOfThemRunning() throws Exception {
        try (AgentContainer container = AgentContainer.builder(directory).build();
                GuestSession guests = GuestSession.open(container, OPTIONS)) {
            assertThat(runs(guests)).isTrue(); // and its class cache exists when it is closed
        }
        try (AgentContainer container = AgentContainer.builder(directory)
                        .backend("bwrap")
                        .exec(ExecPolicy.anyProgram())
                        .build();
                GuestSession guests = GuestSession.open(container, OPTIONS)) {
            for (int wanted : COMMANDS) {
                Files.deleteIfExists(directory.resolve("started"));
                CompletableFuture<GuestException> lost = CompletableFuture.supplyAsync(() -> failure(guests));
                Awaitility.await("the guest runs, and has started " + wanted + " commands")
                        .atMost(PATIENCE)
                        .until(() -> !processesWith(GuestMain.class.getName()).isEmpty() && started() >= wanted);
                assertThat(processesWith(SECONDS)).as("the commands run").hasSizeGreaterThanOrEqualTo(wanted);
                processesWith(GuestMain.class.getName()).forEach(ProcessHandle::destroyForcibly);
                assertThat(lost.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).kind())
                        .isEqualTo(GuestException.Kind.LOST);
                Awaitility.await("the commands of the killed guest end")
                        .atMost(PATIENCE)
                        .until(() -> processesWith(SECONDS).isEmpty());
            }
            assertThat(runs(guests)).isTrue();
        }
    }

    private static GuestException failure(GuestSession guests) {
        try {
            throw new AssertionError(
                    "the code succeeded: " + guests.run(GuestCode.js("""
                            export async function run() {
                              for (let i = 0; i < %d; i++) {
                                EXEC.run('sh', ['-c', 'echo up >>started; exec sleep %s'], { timeoutMs: 0 }).catch(() => {});
                                await WORKSPACE.writeText('step.txt', String(i));
                              }
                              await new Promise((done) => setTimeout(done, 1000000));
                            }""".formatted(MAX_COMMANDS, SECONDS))));
        } catch (GuestException expected) {
            return expected;
        }
    }

    private static final String WAITS_FOR_GO = """
            export async function run(number) {
              await WORKSPACE.writeText('up/' + number, '');
              while ((await WORKSPACE.glob('go')).length === 0) await new Promise((done) => setTimeout(done, 200));
              return number;
            }""";

    /** Runs guests that all run at the same time, and returns what was measured meanwhile. */
    private <T> T atOnce(int number, Supplier<T> meanwhile) throws Exception {
        Files.createDirectory(directory.resolve("up"));
        try (AgentContainer container = AgentContainer.builder(directory).build();
                GuestSession guests = GuestSession.open(container, OPTIONS.timeout(Duration.ofMinutes(4)));
                ExecutorService threads = Executors.newFixedThreadPool(number)) {
            List<Future<Long>> results = IntStream.range(0, number)
                    .mapToObj(one -> threads.submit(
                            () -> guests.run(GuestCode.js(WAITS_FOR_GO).input(Json.of(one)))
                                    .result()
                                    .integer()))
                    .toList();
            Awaitility.await("all guests run")
                    .atMost(Duration.ofMinutes(3))
                    .until(() ->
                            results.stream().anyMatch(Future::isDone) || entries(directory.resolve("up")) == number);
            T measured = meanwhile.get();
            Files.createFile(directory.resolve("go"));
            for (int one = 0; one < number; one++) {
                assertThat(results.get(one).get(4, TimeUnit.MINUTES)).isEqualTo(one);
            }
            return measured;
        }
    }

    private static long entries(Path directory) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.count();
        }
    }

    @Test
    void manyGuestsAtOnceAreAllServedAndEachHasLimitOfItsOwn() throws Exception {
        List<String> limits = atOnce(
                16,
                () -> processesWith(GuestMain.class.getName()).stream()
                        .map(process -> read(process, "limits"))
                        .toList());
        assertThat(limits)
                .filteredOn(text -> text.contains("Max data size             " + ((64L + 256) << 20)))
                .hasSizeGreaterThanOrEqualTo(16);
    }

    @Test
    @Tag("full")
    void thirtyGuestsAtOnceTakeLessThanOneAndHalfGigabytes() throws Exception {
        long kibibytes = atOnce(
                30,
                () -> ProcessHandle.current()
                        .descendants()
                        .flatMap(process -> read(process, "smaps_rollup").lines())
                        .filter(line -> line.startsWith("Pss:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                        .sum());
        assertThat(kibibytes).isBetween(30L << 10, 1_500_000_000L >> 10);
    }

    /** As many as show a leak of a process, a descriptor, a thread or a file. */
    @Test
    @Tag("full")
    void twentyGuestsInRowLeaveNothing() throws Exception {
        long processesBefore = processes();
        try (AgentContainer container = AgentContainer.builder(directory).build();
                GuestSession guests = GuestSession.open(container, OPTIONS.warm(2))) {
            for (int count = 0; count < 8; count++) {
                assertThat(runs(guests)).isTrue();
            }
            long descriptors = descriptors();
            int threads = Thread.activeCount();
            for (int count = 0; count < 20; count++) {
                assertThat(runs(guests)).isTrue();
            }
            assertThat(temporaryDirectories()).as("the session's own").hasSize(1);
            Awaitility.await("the ended guests are closed")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> descriptors() <= descriptors + 10
                            && Thread.activeCount() <= threads + 10
                            && processesWith(GuestMain.class.getName()).size() <= 10);
        }
        Awaitility.await("the session's processes end")
                .atMost(Duration.ofSeconds(30))
                .until(() -> processes() <= processesBefore + 1); // the reaper stays with the JVM
        assertThat(temporaryDirectories()).isEmpty();
    }

    private static long processes() {
        return ProcessHandle.current().descendants().count();
    }

    /** Returns the directories of this JVM's guests; other tests' JVMs have theirs beside them. */
    private static List<Path> temporaryDirectories() throws IOException {
        try (Stream<Path> all = Files.list(OwnedDirectory.temporary())) {
            return all.filter(path -> path.getFileName().toString().startsWith("paddock-guest")
                            && path.getFileName()
                                    .toString()
                                    .contains(OwnerId.current().toString()))
                    .toList();
        }
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }
}
