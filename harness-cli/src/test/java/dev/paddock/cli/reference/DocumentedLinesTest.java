package dev.paddock.cli.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each line of the documents that calls the program names a subcommand and options that this has. */
class DocumentedLinesTest {
    private static final Path ROOT = Path.of("..");

    /** Matches a call within a sentence, or on a line of its own. */
    private static final Pattern CALL =
            Pattern.compile("`(paddock [a-z][^`]*)`|^(?:    |\\$ )?(paddock [a-z].*)$", Pattern.MULTILINE);

    private static final Pattern OPTION = Pattern.compile("(?<= )--[a-z][a-z-]*");

    /** The tests that run the pages' lines for a shell. */
    private static final List<String> RUNNERS = List.of(
            "harness-cli/src/test/java/dev/paddock/cli/PageLinesTest.java",
            "harness-cli/src/test/java/dev/paddock/cli/AgentDocumentTest.java",
            "harness-cli/src/test/java/dev/paddock/cli/audit/AuditWalkTest.java",
            "harness-cli/src/test/java/dev/paddock/cli/guest/GuestCommandTest.java",
            "harness-cli/src/test/java/dev/paddock/cli/release/ReleaseTest.java",
            "harness-cli/src/test/java/dev/paddock/cli/setup/SetupCommandTest.java",
            "harness-cli/src/test/java/dev/paddock/cli/workspace/WorkspaceCommandTest.java",
            "journeys/src/test/java/dev/paddock/journeys/MonorepoTest.java");

    private final Map<String, String> helps = new HashMap<>();

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("SECURITY.md")));
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        return pages;
    }

    private static List<String> calls() throws IOException {
        List<String> calls = new ArrayList<>();
        for (Path page : pages()) {
            CALL.matcher(Files.readString(page).replace("\\\n", ""))
                    .results()
                    .map((MatchResult found) -> found.group(1) == null ? found.group(2) : found.group(1))
                    .map(call -> call.replaceAll("\\s+", " "))
                    .forEach(calls::add);
        }
        return calls;
    }

    /** Returns what the program does not have of a call: its subcommand, or options before the command to run. */
    private List<String> unknown(String call) {
        String own = call.split(" -- | -c | # ", -1)[0];
        String subcommand = own.split(" ", -1)[1];
        String help = helps.computeIfAbsent(subcommand, name -> {
            Cli.Result result = Cli.in(ROOT.toAbsolutePath().normalize()).call("", name, "--help");
            return result.exitCode() == 0 ? result.stdout() : "";
        });
        if (help.isEmpty()) {
            return List.of(subcommand);
        }
        return OPTION.matcher(own)
                .results()
                .map(MatchResult::group)
                .filter(option -> !Pattern.compile(Pattern.quote(option) + "(?![a-z-])")
                        .matcher(help)
                        .find())
                .toList();
    }

    @Test
    void callsNameWhatProgramHas() throws IOException {
        List<String> calls = calls();
        assertThat(calls).hasSizeGreaterThan(100);
        assertThat(calls).allSatisfy(call -> assertThat(unknown(call)).as(call).isEmpty());
    }

    /** Blocks without a language are not run: they need a cluster, another host, or a program of the reader's. */
    @Test
    void pagesWithLinesForShellAreRun() throws IOException {
        List<String> tests = new ArrayList<>();
        for (String runner : RUNNERS) {
            tests.add(Files.readString(ROOT.resolve(runner)));
        }
        for (Path page : pages()) {
            String name = page.getFileName().toString();
            String quoted = '"' + name.replaceFirst("\\.md$", "") + '"';
            if (Files.readString(page).contains("\n```sh\n")) {
                assertThat(tests).as(name).anyMatch(test -> test.contains(name + '"') || test.contains(quoted));
            }
        }
    }

    @Test
    void unknownNameIsFound() {
        assertThat(unknown("paddock exec --allow example.org --nosuch -- git --version"))
                .containsExactly("--nosuch");
        assertThat(unknown("paddock nosuch")).containsExactly("nosuch");
    }
}
