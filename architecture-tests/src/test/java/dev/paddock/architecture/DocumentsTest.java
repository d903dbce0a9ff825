package dev.paddock.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares the pages with the code and with one another. */
class DocumentsTest {
    private static final Path ROOT = Path.of("..");
    private static final int MAX_DECISION_WORDS = 40;

    /** Of all pages together. */
    private static final int MAX_WORDS = 40_000;

    /** The lines that these pages have at most; ReadmeTest counts those of the readme. */
    private static final Map<String, Integer> MAX_LINES = Map.of("SECURITY.md", 110, "docs/performance.md", 90);

    private static final Pattern DRAWN = Pattern.compile("<text [^>]*>(.*?)</text>");

    /** Matches a class's simple name in code font, such as {@code `CommandExecutor.run`}. */
    private static final Pattern CLASS_NAME =
            Pattern.compile("`([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)(?:\\.\\w+(?:\\(\\))?)?`");

    private static final Pattern MODULE_NAME = Pattern.compile("\\b(?:executor|harness)(?:-[a-z0-9]+)+\\b");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:\\s]*)#([^)\\s]+)\\)");

    private static String page(String name) throws IOException {
        return Files.readString(ROOT.resolve(name));
    }

    private static Set<String> names(Pattern pattern, String text, int group) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult found) -> found.group(group))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"));
                Stream<Path> root = Files.list(ROOT)) {
            return Stream.concat(docs, root)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    /** Returns the anchors of a page's headings, as GitHub makes them. */
    private static Set<String> anchors(String text) {
        String prose = text.replaceAll("(?ms)^```.*?^```$", "");
        return Pattern.compile("(?m)^#+ (.*)$")
                .matcher(prose)
                .results()
                .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
                .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    @Test
    void architectureNamesClassesThatExist() throws IOException {
        Set<String> classes =
                Product.CLASSES.stream().map(JavaClass::getSimpleName).collect(Collectors.toSet());

        Set<String> named = names(CLASS_NAME, page("docs/architecture.md"), 1);

        assertThat(named).hasSizeGreaterThan(50).isSubsetOf(classes);
    }

    @Test
    void architectureHasParagraphForEachModule() throws IOException {
        String text = page("docs/architecture.md");
        Set<String> described = names(MODULE_NAME, text.substring(text.indexOf("## The modules")), 0);

        try (Stream<Path> directories = Files.list(ROOT)) {
            Set<String> modules = directories
                    .filter(directory -> Files.exists(directory.resolve("pom.xml")))
                    .map(directory -> directory.getFileName().toString())
                    .filter(name -> MODULE_NAME.matcher(name).matches())
                    .collect(Collectors.toSet());
            assertThat(described).isEqualTo(modules);
        }
    }

    @Test
    void decisionsAreShort() throws IOException {
        List<String> entries = Pattern.compile("(?m)^\\* (.*(?:\\n  .*)*)")
                .matcher(page("docs/decisions.md"))
                .results()
                .map(entry -> entry.group(1))
                .toList();

        assertThat(entries).hasSizeGreaterThan(50).allSatisfy(entry -> {
            assertThat(entry.split("\\s+")).as(entry).hasSizeLessThanOrEqualTo(MAX_DECISION_WORDS);
            assertThat(entry).startsWith("**").contains("*Changes");
        });
    }

    @Test
    void pagesAreShort() throws IOException {
        int words = 0;
        for (Path page : pages()) {
            words += Files.readString(page).strip().split("\\s+", -1).length;
        }
        assertThat(words).isLessThanOrEqualTo(MAX_WORDS);
        for (Map.Entry<String, Integer> most : MAX_LINES.entrySet()) {
            assertThat(page(most.getKey()).lines()).as(most.getKey()).hasSizeLessThanOrEqualTo(most.getValue());
        }
    }

    /** build/draw-figures.py has drawn it from the page as it is. */
    @Test
    void pictureShowsFiguresOfPage() throws Exception {
        Process drawing = new ProcessBuilder("python3", "../build/draw-figures.py", "--print")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String drawn = new String(drawing.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(drawing.waitFor()).isZero();
        assertThat(names(DRAWN, drawn, 1)).contains("bubblewrap, warm", "codex's native program alone");
        assertThat(page("docs/performance.svg")).isEqualTo(drawn);
    }

    @Test
    void linksLeadToHeadings() throws IOException {
        assertThat(pages()).hasSizeGreaterThan(20).allSatisfy(page -> {
            String text = Files.readString(page);
            for (MatchResult link : LINK.matcher(text).results().toList()) {
                Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
                assertThat(anchors(Files.readString(target)))
                        .as("%s: %s", page, link.group())
                        .contains(link.group(2));
            }
        });
    }
}
