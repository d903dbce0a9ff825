package dev.paddock.executor.worktree.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.git.config.GitConfiguration;
import dev.paddock.executor.worktree.git.config.Setting;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares the parser and the rules for configurations with the real git on generated files. The
 * system property {@code paddock.git.rounds} sets how many; {@code paddock.git.seed} begins elsewhere.
 */
class ConfigurationRefereeTest {
    private static final int ROUNDS = Integer.getInteger("paddock.git.rounds", 100);

    /**
     * Settings by which git runs a program or reads further configuration, whatever the rules think. The file that
     * {@code extensions.worktreeConfig} makes git read is judged itself.
     */
    private static final Pattern PROGRAM = Pattern.compile(
            "core\\.(fsmonitor|hookspath|sshcommand|pager|editor|askpass|gitproxy|alternaterefscommand|attributesfile)"
                    + "|include\\.path|includeif\\..*\\.path|alias\\..*|credential\\..*|filter\\..*|diff\\..*|merge\\..*"
                    + "|gpg\\..*|sequence\\.editor|remote\\..*\\.(uploadpack|receivepack|vcs)|url\\..*"
                    + "|submodule\\..*\\.update");

    private static final List<String> PIECES = List.of(
            "[core]",
            "[core ]",
            "[CORE]",
            "[include]",
            "[includeIf \"gitdir:/\"]",
            "[alias]",
            "[remote \"origin\"]",
            "[remote.origin]",
            "[filter \"x\"]",
            "[filter.x]",
            "[user]",
            "[branch \"a b\"]",
            "[url \"ext::\"]",
            "[a\"b\"]",
            "[credential]",
            "[extensions]",
            "[",
            "]",
            "[core",
            "\"",
            "\\",
            "\\\n",
            "\\\r\n",
            "\n",
            "\n\n",
            "\r\n",
            "\r",
            "\t",
            " ",
            "  ",
            ";",
            "#",
            "# note\n",
            "= ",
            "=",
            " = ",
            "fsmonitor",
            "hooksPath = x",
            "sshCommand=evil\n",
            "path = y",
            "url = ext::sh",
            "url = https://h/p\n",
            "clean = c",
            "name",
            "bare = false\n",
            "st = !sh",
            "worktreeConfig = true",
            "helper",
            "insteadOf = a",
            "vcs = x",
            "0",
            "9-",
            "_",
            ".",
            "\u00ef\u00bb\u00bf",
            "\u00ff",
            "\u000b",
            "\u000c",
            "\\t",
            "\\n",
            "\\b",
            "\\x",
            "value \"quoted ; \" tail # c\n");

    @TempDir
    Path directory;

    @Test
    void parserAgreesWithGitAndProgramsOffend() throws Exception {
        long seed = Long.getLong("paddock.git.seed", 1);
        Random random = new Random(seed);
        int agreed = 0;
        int programs = 0;
        for (int round = 0; round < ROUNDS; round++) {
            String content = generate(random);
            GitReferee.Answer git = judgedByGit(content);
            Optional<GitConfiguration> parsed = GitConfiguration.parse(content);
            String as = "seed " + seed + ", round " + round + ": " + PathBytes.escaped(content);
            if (parsed.isEmpty()) {
                continue; // refused: the whole file goes to the quarantine
            }
            assertThat(git.status()).as(as).isZero();
            List<Setting> settings = GitReferee.parse(git.output());
            assertThat(collapsed(parsed.get().settings())).as(as).isEqualTo(collapsed(settings));
            agreed += settings.isEmpty() ? 0 : 1;
            programs += requireOffence(as, parsed.get(), settings) ? 1 : 0;
        }
        assertThat(agreed).as("files with settings, seed " + seed).isGreaterThan(ROUNDS / 20);
        assertThat(programs).as("files with programs, seed " + seed).isGreaterThan(ROUNDS / 50);
    }

    @Test
    void cleanedConfigurationsHaveNoPrograms() throws Exception {
        String dirty =
                "[core]\n\tbare = false\n\tfsmonitor = x\n[remote \"o\\\\\\\"p\"]\n\turl = https://h/p\n\tvcs = y\n";
        ConfigurationRules.Review review =
                rules().review(GitConfiguration.parse(dirty).orElseThrow());

        assertThat(GitReferee.parse(judgedByGit(review.kept().content()).output()))
                .extracting(Setting::name)
                .containsExactly("core.bare", "remote.o\\\"p.url");
    }

    /** Positive control: a parser that takes one header a line would not pass. */
    @Test
    void gitReadsWhatLineOrientedParserMisses() throws Exception {
        assertThat(GitReferee.parse(judgedByGit("[a][core]fsmonitor=x\n").output()))
                .extracting(Setting::name)
                .containsExactly("core.fsmonitor");
    }

    private boolean requireOffence(String as, GitConfiguration parsed, List<Setting> settings) {
        List<String> programs = settings.stream()
                .map(Setting::name)
                .filter(PROGRAM.asMatchPredicate())
                .toList();
        ConfigurationRules.Review review = rules().review(parsed);
        programs.forEach(name -> assertThat(review.offending())
                .as(as)
                .anySatisfy(offence -> assertThat(offence).startsWith(PathBytes.escaped(name))));
        return !programs.isEmpty();
    }

    private ConfigurationRules rules() {
        return new ConfigurationRules(directory, new Territory(List.of(directory), Set.of()), false);
    }

    /** Newer versions of git keep a tab or several spaces in a value as they are. */
    private static List<String> collapsed(List<Setting> settings) {
        return settings.stream()
                .map(setting ->
                        setting.name() + "=" + setting.value().map(value -> value.replaceAll("[ \\t\\r]+", " ")))
                .toList();
    }

    private GitReferee.Answer judgedByGit(String content) throws Exception {
        Path file = directory.resolve("config");
        Files.write(file, content.getBytes(StandardCharsets.ISO_8859_1));
        return GitReferee.settings(file);
    }

    private static String generate(Random random) {
        StringBuilder content = new StringBuilder(random.nextInt(8) == 0 ? "\u00ef\u00bb\u00bf" : "");
        int statements = 1 + random.nextInt(5);
        for (int statement = 0; statement < statements; statement++) {
            content.append(PIECES.get(random.nextInt(16)));
            int pieces = random.nextInt(4);
            for (int piece = 0; piece < pieces; piece++) {
                content.append(
                        PIECES.get(random.nextInt(4) == 0 ? random.nextInt(PIECES.size()) : 22 + random.nextInt(28)));
            }
            content.append(random.nextInt(3) == 0 ? "" : "\n");
        }
        return content.toString();
    }
}
