package dev.paddock.harness.guest;

import static org.assertj.core.api.Assertions.assertThat;

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
    private static final Path CACHE =
            Path.of(Objects.requireNonNull(System.getenv("XDG_CACHE_HOME"))).resolve("paddock/guest");

    @TempDir
    Path directory;

    private static String run(Path root, GuestCode code) {
        try (AgentContainer container = AgentContainer.builder(root).build();
                GuestSession guests = GuestSession.open(container, OPTIONS)) {
            return guests.run(code).result().asText();
        }
    }

    private static List<Path> find(String name) throws IOException {
        try (Stream<Path> all = Files.walk(CACHE)) {
            return all.filter(path -> path.getFileName().toString().equals(name))
                    .toList();
        }
    }

    @Test
    void theClassesAreStoredOnceAndMappedByLaterGuests() throws Exception {
        assertThat(run(directory, GuestCode.js("export const run = () => 'ran';")))
                .isEqualTo("ran");
        List<Path> stored = find("classes.aot");
        assertThat(stored).hasSize(1);
        String cache = stored.getFirst().toString();
        try (AgentContainer container = AgentContainer.builder(directory).build();
                GuestSession guests = GuestSession.open(container, OPTIONS.warm(1))) {
            assertThat(guests.run(GuestCode.js("export const run = () => 2;"))
                            .result()
                            .asInt())
                    .isEqualTo(2);
            Awaitility.await("a guest has mapped the stored classes")
                    .atMost(PATIENCE)
                    .until(() -> ProcessHandle.allProcesses().anyMatch(process -> maps(process.pid(), cache)));
        }
        assertThat(find("classes.aot")).isEqualTo(stored);
        try (Stream<Path> left = Files.list(CACHE)) {
            assertThat(left.map(path -> path.getFileName().toString())).noneMatch(name -> name.contains("-owner-"));
        }
    }

    private static boolean maps(long pid, String file) {
        try {
            Path process = Path.of("/proc", Long.toString(pid));
            return Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1)
                            .contains(GuestMain.class.getName())
                    && Files.readString(process.resolve("maps"), StandardCharsets.ISO_8859_1)
                            .contains(file);
        } catch (IOException ended) {
            return false;
        }
    }

    @Test
    void aTranspiledModuleServesTheNextSessionOfTheSameProjectAlone() throws Exception {
        Path one = Files.createDirectory(directory.resolve("one"));
        Path other = Files.createDirectory(directory.resolve("other"));
        GuestCode code = GuestCode.ts("export const run = (): string => 'as it was written';");
        assertThat(run(one, code)).isEqualTo("as it was written");
        int changed = 0;
        try (Stream<Path> all = Files.walk(CACHE.resolve("transpiled"))) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                String kept = Files.readString(file);
                if (kept.contains("as it was written")) {
                    Files.writeString(file, kept.replace("as it was written", "as it was kept"));
                    changed++;
                }
            }
        }
        assertThat(changed).isEqualTo(1);
        assertThat(run(one, code)).isEqualTo("as it was kept");
        assertThat(run(other, code)).isEqualTo("as it was written");
    }

    @Test
    void aKeptModuleThatIsDamagedIsMadeAnew() throws Exception {
        GuestCode code = GuestCode.ts("export const run = (): string => 'undamaged';");
        assertThat(run(directory, code)).isEqualTo("undamaged");
        try (Stream<Path> all = Files.walk(CACHE.resolve("transpiled"))) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                if (Files.readString(file).contains("undamaged")) {
                    Files.writeString(file, "{\"code\"");
                }
            }
        }
        assertThat(run(directory, code)).isEqualTo("undamaged");
    }
}
