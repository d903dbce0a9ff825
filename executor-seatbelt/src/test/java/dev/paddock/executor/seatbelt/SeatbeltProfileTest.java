package dev.paddock.executor.seatbelt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the complete text of profiles, and their meaning by the evaluator. */
class SeatbeltProfileTest {

    @TempDir
    Path directory;

    /** The profiles that were reviewed line by line. */
    enum Golden {
        STANDARD(Profiles::standard),
        OPEN_NETWORK(Profiles::openNetwork),
        ALLOWED_HOSTS(Profiles::allowedHosts),
        LINKED_WORKTREE(Profiles::linked),
        AWKWARD_PATHS(Profiles::awkward);

        @SuppressWarnings("ImmutableEnumChecker") // method references capture nothing
        private final Supplier<String> profile;

        Golden(Supplier<String> profile) {
            this.profile = profile;
        }

        private String text() throws IOException {
            String file = name().toLowerCase(Locale.ROOT) + ".sb";
            try (InputStream text = SeatbeltProfileTest.class.getResourceAsStream(file)) {
                assertThat(text).as(file).isNotNull();
                return new String(text.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void wholeOfIt(Golden golden) throws IOException {
        assertThat(golden.profile.get()).isEqualTo(golden.text());
    }

    private static final ProfileEvaluator OFFLINE = new ProfileEvaluator(Profiles.standard());
    private static final ProfileEvaluator ONLINE = new ProfileEvaluator(Profiles.openNetwork());
    private static final ProfileEvaluator ALLOWED = new ProfileEvaluator(Profiles.allowedHosts());

    static Stream<Case> offline() {
        return Stream.concat(Stream.concat(Case.ofAll(), Case.ofTheWorktree()), Case.ofNoNetwork());
    }

    static Stream<Case> online() {
        return Stream.concat(Stream.concat(Case.ofAll(), Case.ofTheWorktree()), Case.ofAnOpenNetwork());
    }

    static Stream<Case> allowed() {
        return Stream.concat(Stream.concat(Case.ofAll(), Case.ofTheWorktree()), Case.ofAllowedHosts());
    }

    @ParameterizedTest
    @MethodSource("allowed")
    void profileOfAllowedHostsDecides(Case expected) {
        assertThat(expected.holds(ALLOWED))
                .as("%s: %s", expected.allowed() ? "may" : "may not", expected.shows())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', textBlock = """
            (remote ip "localhost:49152") ~ (remote ip "localhost:*")
            (remote ip "localhost:49152") ~ (remote ip "*:49152")
            (remote ip "localhost:49152") ~ (remote ip)
            (allow network-outbound ~ (allow network-inbound
            """)
    void slipOfProxysRuleIsNoticed(String right, String wrong) {
        assertThat(Profiles.allowedHosts()).contains(right);
        assertThat(noticed(Profiles.allowedHosts().replace(right, wrong), allowed()))
                .isTrue();
    }

    @ParameterizedTest
    @MethodSource("offline")
    void standardProfileDecides(Case expected) {
        assertThat(expected.holds(OFFLINE))
                .as("%s: %s", expected.allowed() ? "may" : "may not", expected.shows())
                .isTrue();
    }

    @ParameterizedTest
    @MethodSource("online")
    void profileWithOpenNetworkDecides(Case expected) {
        assertThat(expected.holds(ONLINE))
                .as("%s: %s", expected.allowed() ? "may" : "may not", expected.shows())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "true, /Users/ada/main/.git/objects/aa/bb",
        "true, /Users/ada/main/.git/worktrees/project/index",
        "true, /Users/ada/main/.git/refs/heads/side",
        "false, /Users/ada/main/.git/config",
        "false, /Users/ada/main/.git/hooks/pre-commit",
        "false, /Users/ada/main/.git/HEAD",
        "false, /Users/ada/main/.git/worktrees/other/HEAD",
        "false, /Users/ada/main/.git/worktrees/project/commondir",
        "false, /Users/ada/main/src/Main.java",
        "false, /Users/ada/project/.git",
    })
    void linkedWorktreeMayWriteOnlyCommitData(boolean writable, String path) {
        ProfileEvaluator profile = new ProfileEvaluator(Profiles.linked());
        assertThat(profile.allows(Action.make(path))).isEqualTo(writable);
        assertThat(profile.allows(Action.read(path))).isEqualTo(!path.contains("src"));
        assertThat(profile.allows(Action.rename("/Users/ada/main/.git", "/Users/ada/project/git")))
                .isFalse();
        assertThat(profile.allows(Action.look("/Users/ada/link")))
                .as("the worktree's other name")
                .isTrue();
    }

    @Test
    void mountsGrantWhatTheySayInnerOneCounts() throws IOException {
        Path base = directory.toRealPath();
        Path outer = Files.createDirectories(base.resolve("outer"));
        Path kept = Files.createDirectories(outer.resolve("a/kept"));
        Path inner = Files.createDirectories(kept.resolve("inner"));
        SandboxPolicy policy = Profiles.policy(Profiles.WORKTREE)
                .mount(mount(inner, Mount.Access.READ_WRITE))
                .mount(mount(kept, Mount.Access.READ_ONLY))
                .mount(mount(outer, Mount.Access.READ_WRITE))
                .build();
        ProfileEvaluator profile = new ProfileEvaluator(
                SeatbeltProfile.compile(policy, Profiles.around(Profiles.WORKTREE, List.of(), List.of()))
                        .text());
        assertThat(profile.allows(Action.make(outer + "/x"))).isTrue();
        assertThat(profile.allows(Action.make(kept + "/x"))).isFalse();
        assertThat(profile.allows(Action.read(kept + "/x"))).isTrue();
        assertThat(profile.allows(Action.run(kept + "/x"))).isTrue();
        assertThat(profile.allows(Action.make(inner + "/x"))).isTrue();
        assertThat(profile.allows(Action.rename(outer + "/a", outer + "/b"))).isFalse();
        assertThat(profile.allows(Action.link(kept + "/x", outer + "/x"))).isFalse();
        assertThat(profile.allows(Action.link(outer + "/x", inner + "/x"))).isTrue();
        for (Path root : List.of(outer, kept, inner)) {
            assertThat(profile.allows(Action.rename(root.toString(), Profiles.WORKTREE + "/taken")))
                    .as("taking away %s", root)
                    .isFalse();
        }
        assertThat(profile.allows(Action.read(base + "/other"))).isFalse();
    }

    private static Mount mount(Path path, Mount.Access access) {
        return new Mount(path, path.toString(), access);
    }

    // Paths

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/w/\"",
                "/w/\") (allow file-write* (subpath \"/x",
                "/w/\\",
                "/w/\\\"",
                "/w/\\\") (allow default) (\"",
                "/w/(",
                "/w/)",
                "/w/;",
                "/w/\n(allow default)",
                "/w/#\"",
                "/w/é",
                "/w/ｗ\uD83D\uDE00",
                "/w/.*",
                "/w/[",
                "/w/a|b$",
            })
    void noPathBreaksOutOfItsString(String worktree) {
        assertConfined(worktree);
    }

    @Test
    void noPathOfManyBreaksOutOfItsString() {
        String letters = "\"\\()[]{}|;#^$.*+? \n\ta\u00e9\u4e2d";
        Random random = new Random(4711);
        IntStream.range(0, 100).forEach(number -> {
            StringBuilder path = new StringBuilder("/w/x");
            random.ints(random.nextInt(1, 12), 0, letters.length()).forEach(at -> path.append(letters.charAt(at)));
            assertConfined(path.toString());
        });
    }

    private static void assertConfined(String worktree) {
        String text = Profiles.of(worktree);
        ProfileEvaluator profile = new ProfileEvaluator(text);
        assertThat(Expression.read(text)).hasSameSizeAs(Expression.read(Profiles.of("/w/plain")));
        assertThat(profile.allows(Action.make(worktree + "/file"))).as(worktree).isTrue();
        assertThat(profile.allows(Action.make(worktree + "/.envrc")))
                .as(worktree)
                .isFalse();
        assertThat(profile.allows(Action.make(worktree + "/.ENVRC")))
                .as(worktree)
                .isFalse();
        assertThat(profile.allows(Action.make("/w/elsewhere"))).as(worktree).isFalse();
        assertThat(profile.allows(Action.read("/Users/ada/.ssh/id_ed25519")))
                .as(worktree)
                .isFalse();
    }

    @Test
    void pathHasNoNul() {
        assertThatThrownBy(() -> Sbpl.quote("a\0b")).isInstanceOf(IllegalArgumentException.class);
    }

    // Mutations: the cases must notice every changed rule, or they would prove nothing about it.

    private static List<String> rules(String profile) {
        return List.of(profile.split("(?m)^(?=\\()"));
    }

    private static boolean noticed(String profile, Stream<Case> cases) {
        try {
            ProfileEvaluator evaluator = new ProfileEvaluator(profile);
            return !cases.allMatch(expected -> expected.holds(evaluator));
        } catch (IllegalArgumentException broken) {
            return true;
        }
    }

    @Test
    void everyRuleCounts() {
        List<String> rules = rules(Profiles.openNetwork());
        assertThat(noticed(String.join("", rules), online())).isFalse();
        for (int dropped = 0; dropped < rules.size(); dropped++) {
            List<String> others = new ArrayList<>(rules);
            String rule = others.remove(dropped);
            if (!rule.startsWith(";")) {
                assertThat(noticed(String.join("", others), online()))
                        .as("without %s", rule)
                        .isTrue();
            }
        }
    }

    /**
     * The cases notice a wrong order of rules: a grant that is repeated at the end revokes a
     * denial.
     */
    @Test
    void orderCounts() {
        List<String> rules = rules(Profiles.standard());
        List<String> deniedFirst = new ArrayList<>(
                rules.stream().filter(rule -> !rule.startsWith("(allow")).toList());
        rules.stream().filter(rule -> rule.startsWith("(allow")).forEach(deniedFirst::add);
        assertThat(noticed(String.join("", deniedFirst), offline())).isTrue();
        List<String> grants = rules.stream()
                .filter(rule -> rule.startsWith("(allow file-read* file-write* file-link "))
                .toList();
        assertThat(grants).hasSize(2);
        assertThat(noticed(Profiles.standard() + grants.getFirst(), offline())
                        || noticed(Profiles.standard() + grants.getLast(), offline()))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "(subpath \"/Users/ada/project\") ~ (literal \"/Users/ada/project\")",
                "(subpath \"/Users/ada/project\") ~ (subpath \"/Users/ada\")",
                "(subpath \"/Users/ada/project\") ~ (subpath \"/Users/ada/project/\"/)",
                "(deny default) ~ (allow default)",
                "(literal \"/Users/ada\") ~ (subpath \"/Users/ada\")",
                "(subpath \"/System/Library\") ~ (subpath \"/System\")",
                "(target same-sandbox) ~ (target others)",
                "(allow process-fork) ~ (allow process-fork file-link)",
                "[eE] ~ e",
            })
    void aSlipIsNoticed(String right, String wrong) {
        assertThat(Profiles.standard()).contains(right);
        assertThat(noticed(Profiles.standard().replace(right, wrong), offline()))
                .isTrue();
    }

    /** If the path were written unescaped, it would grant the whole disk, or none at all. */
    @ParameterizedTest
    @ValueSource(strings = {"/w/\") (subpath \"/w", "/w/\"", "/w/a\\\""})
    void unescapedPathIsNoticed(String worktree) {
        String escaped = Sbpl.quote(worktree);
        String profile = Profiles.of(worktree);
        assertThat(profile).contains(escaped);
        String unescaped = profile.replace(escaped, '"' + worktree + '"');
        assertThatThrownBy(() -> {
                    ProfileEvaluator evaluator = new ProfileEvaluator(unescaped);
                    assertThat(evaluator.allows(Action.make("/w/elsewhere"))).isFalse();
                    assertThat(evaluator.allows(Action.make(worktree + "/file")))
                            .isTrue();
                })
                .isInstanceOfAny(IllegalArgumentException.class, AssertionError.class);
    }

    @Test
    void profileThatMeansTwoThingsIsNoticed() {
        String profile = "(version 1)(deny default)(allow file-write-data (literal \"/x\"))"
                + "(deny file-write* (subpath \"/x\"))";
        assertThatThrownBy(() -> new ProfileEvaluator(profile).allows(Action.write("/x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("one thing or the other");
    }
}
