package dev.paddock.cli.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.cli.terminal.Style;
import dev.paddock.harness.StoredSession;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A transcript is not trusted: what is exported and shown of it is text, whatever it contains. */
class TranscriptPageTest {
    private static final Pattern TAG = Pattern.compile("<(/?[a-zA-Z!][^\\s>/]*)");
    private static final List<String> OWN = List.of(
            "!doctype",
            "html",
            "head",
            "meta",
            "title",
            "style",
            "body",
            "h1",
            "dl",
            "dt",
            "dd",
            "main",
            "div",
            "section",
            "p",
            "span",
            "pre",
            "details",
            "summary",
            "del",
            "ins",
            "footer");
    private static final int SECONDS = 60;

    @TempDir
    private Path directory;

    private String page() throws IOException {
        StoredSession session = StoredSession.at(HostileSession.writeTo(directory.resolve("session")));
        return TranscriptPage.of(session, SessionNote.of(session));
    }

    @Test
    void noTextOfTranscriptBecomesMarkup() throws IOException {
        String page = page();
        assertThat(TAG.matcher(page).results().map(found -> found.group(1).replace("/", "")))
                .isSubsetOf(OWN)
                .doesNotContain("script", "img");
        assertThat(page)
                .contains("&lt;script&gt;document.title=&#39;owned&#39;&lt;/script&gt;")
                .contains("default-src 'none'")
                .contains("^[[31mred", "^@", "&lt;202E&gt;")
                .doesNotContain("owned'", "onerror=\"");
        assertThat(page.chars().filter(one -> one < ' ' && one != '\n' && one != '\t'))
                .as("control characters")
                .isEmpty();
        assertThat(page).doesNotContain("\u009b", "\u202e");
        assertThat(new String(page.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                .as("nothing is lost in the page's encoding")
                .isEqualTo(page);
    }

    @Test
    void noTextOfTranscriptSteersTerminal() throws IOException {
        StoredSession session = StoredSession.at(HostileSession.writeTo(directory.resolve("session")));
        List<String> lines = TranscriptText.lines(session, SessionNote.of(session), new Style(false));
        assertThat(String.join("\n", lines))
                .contains("^[[31mred")
                .doesNotContain("\u001b", "\u0000", "\u009b", "\u202e");
    }

    /** A real browser shows the page, and runs nothing of it. */
    @Test
    @Tag("full")
    void browserShowsPageAndRunsNothingOfIt() throws Exception {
        Path file = Files.writeString(directory.resolve("page.html"), page());
        String dom = chromium("--dump-dom", file.toUri().toString());
        assertThat(dom).contains("<title>&lt;/pre&gt;").doesNotContain("id=\"owned\"", "<title>owned");
        // The same text outside of its place would run: the browser is one that runs scripts.
        Path bare = directory.resolve("bare.html");
        Files.write(bare, ("<title>x" + HostileSession.ATTACK + "</title>").getBytes(StandardCharsets.UTF_8));
        assertThat(chromium("--dump-dom", bare.toUri().toString())).contains("<title>owned");

        Path picture = directory.resolve("page.png");
        chromium(
                "--window-size=900,1200",
                "--screenshot=" + picture,
                file.toUri().toString());
        BufferedImage image = ImageIO.read(picture.toFile());
        assertThat(image.getWidth()).isEqualTo(900);
        long colors = java.util.stream.IntStream.range(0, image.getWidth() * image.getHeight())
                .map(at -> image.getRGB(at % image.getWidth(), at / image.getWidth()))
                .distinct()
                .count();
        assertThat(colors).as("colors of the picture").isGreaterThan(20);
    }

    private String chromium(String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of(
                "chromium",
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--user-data-dir=" + directory.resolve("profile"),
                "--virtual-time-budget=2000"));
        words.addAll(List.of(arguments));
        Path output = directory.resolve("output");
        Process browser;
        try {
            browser = new ProcessBuilder(words)
                    .redirectOutput(output.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException absent) {
            assertThat(System.getenv("CI"))
                    .as("continuous integration has chromium")
                    .isNull();
            assumeTrue(false, "this test takes chromium");
            throw absent;
        }
        assertThat(browser.waitFor(SECONDS, TimeUnit.SECONDS))
                .as("chromium has ended")
                .isTrue();
        assertThat(browser.exitValue()).isZero();
        return Files.readString(output);
    }
}
