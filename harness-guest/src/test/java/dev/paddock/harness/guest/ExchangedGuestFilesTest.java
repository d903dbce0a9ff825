package dev.paddock.harness.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.harness.bindings.AgentContainer;
import dev.paddock.harness.guest.session.GuestSession;
import dev.paddock.harness.tools.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Loads the modules of guests, and reads files for them, while a command exchanges these for pipes and links. */
@Tag("full")
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExchangedGuestFilesTest {
    /** Each successful one takes a guest; the files of a guest are read by the same code as those of {@link #READS}. */
    private static final int MODULES = 5;

    private static final GuestOptions OPTIONS = GuestOptions.standard()
            .backend("bwrap", Map.of("warmSlots", "0"))
            .timeout(Duration.ofSeconds(60))
            .warm(0);

    /** Makes at least so many calls, and more until one of each succeeds: the exchanging thread may stand still. */
    private static final String READS = """
            export async function run(_, { WORKSPACE }) {
              const texts = new Set();
              const calls = [
                () => WORKSPACE.readText('place/part.js'),
                async () => (await WORKSPACE.readBase64('place/part.js')).length,
                async () => (await WORKSPACE.grep('SIDE', { path: 'place' })).map((hit) => hit.content).join(),
                async () => (await WORKSPACE.list('place')).map((entry) => entry.path).join(),
                async () => (await WORKSPACE.glob('place/*')).join(),
              ];
              for (const call of calls) {
                let successes = 0;
                for (let at = 0; at < 150 || successes === 0; at++) {
                  try {
                    const text = String(await call());
                    successes += text === '' ? 0 : 1;
                    texts.add(text);
                  } catch (refused) {}
                }
              }
              return [...texts];
            }
            """;

    @TempDir
    Path directory;

    private volatile boolean stop;

    @ParameterizedTest
    @CsvSource({"place, link", "place/part.js, pipe", "place, pipe"})
    void guestsWaitForNoPipeAndReadNothingOutside(String one, String another) throws Exception {
        assumeTrue(Kernel.isAvailable(), "nothing can be exchanged here");
        Path root = Files.createDirectory(directory.toRealPath().resolve("project"));
        modules(root.resolve("place"), "INSIDE");
        modules(directory.resolve("outside"), "OUTSIDE");
        Files.createFile(directory.resolve("outside/outer"));
        Files.createSymbolicLink(root.resolve("link"), directory.resolve("outside"));
        assertThat(new ProcessBuilder("mkfifo", root.resolve("pipe").toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();

        try (AgentContainer container = AgentContainer.builder(root).build();
                GuestSession guests = GuestSession.open(container, OPTIONS)) {
            CompletableFuture<Integer> exchanges = CompletableFuture.supplyAsync(() -> exchange(root, one, another));
            try {
                Json texts = guests.run(GuestCode.js(READS)).result();
                assertThat(texts.toString()).contains("INSIDE").doesNotContain("OUTSIDE", "outer");
                int loaded = 0;
                for (int call = 0; call < MODULES || loaded == 0; call++) {
                    loaded += isLoaded(guests) ? 1 : 0;
                }
            } finally {
                stop = true;
            }
            assertThat(exchanges.join()).isPositive();
        }
    }

    private static void modules(Path place, String text) throws IOException {
        Files.createDirectory(place);
        Files.writeString(place.resolve("part.js"), "export const part = '" + text + "';");
        Files.writeString(place.resolve("main.js"), "import { part } from './part.js'; export const run = () => part;");
    }

    private static boolean isLoaded(GuestSession guests) {
        try {
            assertThat(guests.run(GuestCode.file("place/main.js")).result().text())
                    .isEqualTo("INSIDE");
            return true;
        } catch (GuestException refused) {
            assertThat(refused.kind()).as(refused.getMessage()).isEqualTo(GuestException.Kind.MODULE);
            return false;
        }
    }

    private int exchange(Path root, String one, String another) {
        try {
            Kernel kernel = Kernel.create();
            int at = kernel.openDirectory(Kernel.NO_DIRECTORY, PathBytes.of(root));
            int exchanges = 0;
            do {
                kernel.exchange(at, one, another);
                exchanges++;
            } while (!stop);
            kernel.close(at);
            return exchanges;
        } catch (IOException fault) {
            throw new AssertionError(fault);
        }
    }
}
