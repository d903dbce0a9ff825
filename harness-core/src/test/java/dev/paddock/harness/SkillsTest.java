package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.model.AssistantTurn;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.skills.Skills;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests skills from real directories, valid and malformed ones. */
class SkillsTest extends SessionTest {
    private static final String KNITTING = """
            ---
            name: knitting
            description: >-
              How to knit: socks,
              and more. Use it when wool is about.
            license: Apache-2.0
            metadata:
              version: "1"
            ---

            # Knitting

            Cast on. See references/socks.md.
            """;

    private final AtomicInteger sessions = new AtomicInteger();
    private Path skills = Path.of("/");

    @BeforeEach
    void makeSkills() throws IOException {
        skills = Files.createDirectory(home.resolve("skills"));
        skill("knitting", KNITTING);
        Files.createDirectory(skills.resolve("knitting/references"));
        Files.writeString(skills.resolve("knitting/references/socks.md"), "Turn the heel.\n");
    }

    private Path skill(String directory, String text) throws IOException {
        Path made = Files.createDirectories(skills.resolve(directory));
        return Files.writeString(made.resolve("SKILL.md"), text);
    }

    private static String simple(String name) {
        return "---\nname: " + name + "\ndescription: For " + name + ".\n---\nDo it.\n";
    }

    /** Returns a builder for sessions whose model answers with its prompt. */
    private AgentSessionBuilder prompting() {
        return prompting(ToolSelection.builder());
    }

    private AgentSessionBuilder prompting(ToolSelection.Builder tools) {
        return builder((request, listener) -> AssistantTurn.saying(request.systemPrompt()))
                .tools(tools.skills(Skills.in(skills)).build());
    }

    private String prompt(AgentSession session) {
        return session.prompt("Go").text();
    }

    private List<String> problems() {
        return events(SessionEvent.SessionStarted.class).getFirst().problems();
    }

    private Message.ToolOutcome read(String... arguments) {
        Json node = Json.object();
        for (int i = 0; i < arguments.length; i += 2) {
            node = node.with(arguments[i], arguments[i + 1]);
        }
        ToolCall call = new ToolCall("1", "skill", node);
        AgentSession session =
                open(builder((request, listener) -> request.messages().size() == 1
                                ? AssistantTurn.calling("", call)
                                : AssistantTurn.saying("Done."))
                        .sessionDirectory(home.resolve("session-" + sessions.incrementAndGet()))
                        .skills(Skills.in(skills)));
        session.prompt("Go");
        Message.ToolOutcome result = results(session).getFirst();
        session.close();
        return result;
    }

    @Test
    void skillsAreNamedInPromptInOneLineEach() throws IOException {
        skill("weaving", simple("weaving"));
        Files.createDirectory(skills.resolve("no-skill"));
        Files.writeString(skills.resolve("README.md"), "Not a skill either.");
        AgentSession session = open(prompting());
        assertThat(prompt(session))
                .endsWith("\n- knitting: How to knit: socks, and more. Use it when wool is about.\n"
                        + "- weaving: For weaving.")
                .contains("read the skill with the tool 'skill'")
                .doesNotContain("Cast on");
        session.close();
        assertThat(problems()).isEmpty();
        assertThat(session.tools().getLast().name()).isEqualTo("skill");
    }

    @Test
    void toolReadsSkillInFull() {
        Message.ToolOutcome result = read("name", "knitting");
        assertThat(result.isError()).isFalse();
        assertThat(result.text())
                .contains(skills.resolve("knitting").toString())
                .endsWith("]\n\n# Knitting\n\nCast on. See references/socks.md.\n")
                .doesNotContain("license");
    }

    @Test
    void byteOrderMarkIsNoPartOfSkill() throws IOException {
        skill("marked", "\ufeff" + simple("marked"));
        assertThat(read("name", "marked").text()).endsWith("]\n\nDo it.\n").doesNotContain("description");
    }

    @Test
    void toolReadsFileThatComesWithSkill() {
        assertThat(read("name", "knitting", "file", "references/socks.md").text())
                .isEqualTo("Turn the heel.\n");
        assertThat(read("name", "knitting", "file", "references/hats.md"))
                .satisfies(missing -> assertThat(missing.isError()).isTrue())
                .satisfies(missing ->
                        assertThat(missing.text()).contains("no such file or directory: references/hats.md"));
    }

    @Test
    void unknownSkillIsAnsweredWithThoseThereAre() {
        Message.ToolOutcome result = read("name", "sewing");
        assertThat(result.isError()).isTrue();
        assertThat(result.text()).isEqualTo("there is no skill named 'sewing'. The skills are knitting");
    }

    @Test
    void nothingOutsideSkillsDirectoryIsRead() throws IOException {
        Path secret = Files.writeString(home.resolve("secret"), "TOPSECRET");
        Files.createSymbolicLink(skills.resolve("knitting/link"), secret);
        Files.createSymbolicLink(skills.resolve("knitting/inside"), Path.of("references/socks.md"));
        for (String file : List.of("link", "../../secret", secret.toString(), "references/../../../secret")) {
            Message.ToolOutcome result = read("name", "knitting", "file", file);
            assertThat(result.isError()).as(file).isTrue();
            assertThat(result.text())
                    .as(file)
                    .contains("outside the directory " + skills.resolve("knitting"))
                    .doesNotContain("TOPSECRET");
        }
        assertThat(read("name", "knitting", "file", "inside").text())
                .as("the control")
                .isEqualTo("Turn the heel.\n");
    }

    @Test
    void malformedSkillIsReportedAndLeavesOthersAsTheyAre() throws IOException {
        skill("a-none", "Just text.\n");
        skill("b-open", "---\nname: open\ndescription: Never closed.\n");
        skill("c-yaml", "---\nname: c\ndescription: Use when: it rains\n---\n");
        skill("d-list", "---\n- name\n---\n");
        skill("e-nameless", "---\ndescription: No name.\n---\n");
        skill("f-undescribed", "---\nname: f\n---\n");
        skill("g-name", "---\nname: G_g\ndescription: Bad name.\n---\n");
        skill("h-number", "---\nname: 12\ndescription: A number.\n---\n");
        skill("i-long", "---\nname: i\ndescription: " + "x".repeat(1_025) + "\n---\n");
        skill("j-huge", simple("j") + "x".repeat(262_144));
        Files.write(skill("k-latin", ""), simple("k").replace("Do", "Dö").getBytes(StandardCharsets.ISO_8859_1));
        skill("l-twice", "---\nname: l\nname: m\ndescription: Two names.\n---\n");
        skill("m-bomb", "---\na: &a [x, x]\n" + bomb() + "name: m\ndescription: d\n---\n");
        skill("n-same", simple("knitting"));
        Files.createDirectories(skills.resolve("o-directory/SKILL.md"));
        skill("p-endless", "---\nname: &a [[*a]]\ndescription: It has itself for a name.\n---\n");
        skill("q-mapping", "---\nname: q\ndescription: &b {b: *b}\n---\n");
        skill("r-digits", "---\nname: " + "9".repeat(10_000) + "\ndescription: A long number.\n---\n");
        skill("s-longest", "---\nname: " + "S".repeat(10_000) + "\ndescription: A long name.\n---\n");
        AgentSession session = open(prompting());
        assertThat(prompt(session))
                .endsWith(
                        "before you begin.\n- knitting: How to knit: socks, and more. Use it when wool" + " is about.");
        session.close();
        List<String> expected = List.of(
                "it has no front matter",
                "its front matter does not end",
                "not valid YAML in line 3",
                "its front matter has no fields",
                "its front matter has no name",
                "its front matter has no description",
                "its name is 'G_g'",
                "its name is no text: 12",
                "its description has 1025 characters",
                "SKILL.md is larger than 262144 bytes",
                "SKILL.md is not UTF-8",
                "duplicate key",
                "aliases",
                "is already that of the skill in " + skills.resolve("knitting"),
                "SKILL.md is a directory",
                "its name is no text: a list",
                "its description is no text: a mapping",
                "its name is no text: 9999",
                "its name is 'SSSS");
        assertThat(problems()).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            assertThat(problems().get(i))
                    .startsWith("the skill in " + skills + "/" + (char) ('a' + i) + "-")
                    .hasSizeLessThan(500)
                    .contains(" is left out: ")
                    .contains(expected.get(i));
        }
    }

    /** Returns YAML aliases, each of which doubles the one before. */
    private static String bomb() {
        StringBuilder lines = new StringBuilder();
        for (char name = 'b'; name < 'z'; name++) {
            char before = (char) (name - 1);
            lines.append("%c: &%c [*%c, *%c]\n".formatted(name, name, before, before));
        }
        return lines.toString();
    }

    @Test
    void targetsOfLinksAreLeftOut() throws IOException {
        Path elsewhere = Files.createDirectory(home.resolve("elsewhere"));
        Path file = Files.writeString(elsewhere.resolve("SKILL.md"), simple("elsewhere"));
        Files.createSymbolicLink(skills.resolve("a-linked"), elsewhere);
        Files.createDirectory(skills.resolve("b-linked"));
        Files.createSymbolicLink(skills.resolve("b-linked/SKILL.md"), file);
        AgentSession session = open(prompting());
        assertThat(prompt(session)).doesNotContain("elsewhere");
        session.close();
        assertThat(problems()).hasSize(2);
        assertThat(problems().getFirst())
                .contains("a-linked")
                .contains("symbolic link")
                .contains("Give the directory");
        assertThat(problems().getLast()).contains("b-linked").contains("outside the directory");
        try (AgentSession named = prompting()
                .skills(Skills.in(skills, elsewhere))
                .sessionDirectory(home.resolve("named"))
                .build()) {
            assertThat(prompt(named)).as("the control: given by name").endsWith("\n- elsewhere: For elsewhere.");
        }
    }

    @Test
    void skillsBeyondLimitAreLeftOut() throws IOException {
        for (int i = 0; i < 205; i++) {
            skill("s%03d".formatted(i), simple("s" + i));
        }
        AgentSession session = open(prompting());
        assertThat(prompt(session)).contains("- s198:").doesNotContain("- s199:");
        session.close();
        assertThat(problems()).singleElement().asString().startsWith("6 skills are left out: there are more than 200");
    }

    @Test
    void directoryThatIsNotThereIsError() {
        Path missing = home.resolve("missing");
        assertThatThrownBy(() -> prompting().skills(Skills.in(missing)).build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot read the directory of skills " + missing)
                .hasMessageContaining("does not exist");
    }

    @Test
    void withToolDisallowedPromptSaysNothingOfSkills() {
        AgentSession session = open(prompting().disallowedTools(List.of("skill")));
        assertThat(prompt(session)).doesNotContain("knitting").doesNotContain("skill");
        assertThat(session.tools()).extracting(Tool::name).contains("bash").doesNotContain("skill");
    }

    @Test
    void closedToolSetHasNoSkills() {
        AgentSession session = open(prompting().closedToolSet(true));
        assertThat(prompt(session)).doesNotContain("knitting").doesNotContain("skill");
        assertThat(session.tools()).extracting(Tool::name).contains("bash").doesNotContain("skill");
    }

    @Test
    void disablingLeavesSkillsOutAltogether() {
        AgentSession session = open(prompting(ToolSelection.builder().disableSkillTool(true)));
        assertThat(prompt(session)).doesNotContain("knitting").doesNotContain("skill");
        assertThat(session.tools()).extracting(Tool::name).contains("bash").doesNotContain("skill");
    }
}
