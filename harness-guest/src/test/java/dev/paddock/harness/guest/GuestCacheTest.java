package dev.paddock.harness.guest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.os.table.OwnerId;
import dev.paddock.harness.bindings.AgentContainer;
import dev.paddock.harness.guest.engine.GuestMain;
import dev.paddock.harness.guest.session.GuestSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The files of guests that outlive a session, in the cache directory of the build. */
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GuestCacheTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final GuestOptions OPTIONS = GuestOptions.standard()
            .backend("bwrap", Map.of("warmSlots", "0"))
            .timeout(PATIENCE)
            .warm(0);
    private static final int SHA_256_DIGITS = 64;
    private static final Path CACHE =
            Path.of(Objects.requireNonNull(System.getenv("XDG_CACHE_HOME"))).resolve("paddock/guest");

    @TempDir
    Path directory;

    private static String run(Path root, GuestCode code) {
        try (AgentContainer container = AgentContainer.builder(root).build();
                GuestSession guests = GuestSession.open(container, OPTIONS)) {
            return guests.run(code).result().text();
        }
    }

    private static List<Path> entries(Path parent) throws IOException {
        try (Stream<Path> all = Files.list(parent)) {
            return all.sorted().toList();
        }
    }

    private static List<Path> classCaches() throws IOException {
        return entries(CACHE).stream()
                .map(store -> store.resolve("classes.aot"))
                .filter(Files::exists)
                .toList();
    }

    @Test
    void classesAreStoredOnceAndMappedByLaterGuests() throws Exception {
        assertThat(run(directory, GuestCode.js("export const run = () => 'ran';")))
                .isEqualTo("ran");
        List<Path> stored = classCaches();
        assertThat(stored).isNotEmpty(); // and more after builds of other engines
        try (AgentContainer container = AgentContainer.builder(directory).build();
                GuestSession guests = GuestSession.open(container, OPTIONS.warm(1))) {
            assertThat(guests.run(GuestCode.js("export const run = () => 2;"))
                            .result()
                            .integer())
                    .isEqualTo(2);
            Awaitility.await("a guest has mapped the stored classes")
                    .atMost(PATIENCE)
                    .until(() -> ProcessHandle.allProcesses().anyMatch(process -> maps(process.pid(), stored)));
        }
        assertThat(classCaches()).isEqualTo(stored);
        assertThat(entries(CACHE))
                .noneMatch(path -> path.toString().contains(OwnerId.current().toString()));
    }

    private static boolean maps(long pid, List<Path> files) {
        try {
            Path process = Path.of("/proc", Long.toString(pid));
            String maps = Files.readString(process.resolve("maps"), StandardCharsets.ISO_8859_1);
            return Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1)
                            .contains(GuestMain.class.getName())
                    && files.stream().anyMatch(file -> maps.contains(file.toString()));
        } catch (IOException ended) {
            return false;
        }
    }

    /** Changes the files that have a text; those of earlier runs of the build are others. */
    private static int change(String text, String replacement) throws IOException {
        int changed = 0;
        for (Path root : entries(CACHE.resolve("transpiled"))) {
            for (Path file : entries(root)) {
                boolean isComplete = file.getFileName().toString().length() == SHA_256_DIGITS;
                if (isComplete && Files.readString(file).contains(text)) {
                    Files.writeString(file, Files.readString(file).replace(text, replacement));
                    changed++;
                }
            }
        }
        return changed;
    }

    private static GuestCode returning(String text) {
        return GuestCode.ts("export const run = (): string => '" + text + "';");
    }

    @Test
    void transpiledModuleServesNextSessionOfSameProjectAlone() throws Exception {
        Path one = Files.createDirectory(directory.resolve("one"));
        Path other = Files.createDirectory(directory.resolve("other"));
        String written = "written in " + directory.getFileName();
        String kept = "kept of " + directory.getFileName();
        assertThat(run(one, returning(written))).isEqualTo(written);
        assertThat(change(written, kept)).isEqualTo(1);
        assertThat(run(one, returning(written))).isEqualTo(kept);
        assertThat(run(other, returning(written))).isEqualTo(written);
    }

    @Test
    void keptModuleThatIsDamagedIsMadeAnew() throws Exception {
        String text = "undamaged in " + directory.getFileName();
        assertThat(run(directory, returning(text))).isEqualTo(text);
        assertThat(change(text, "\"")).as("an answer that is no JSON").isEqualTo(1);
        assertThat(run(directory, returning(text))).isEqualTo(text);
    }
}
