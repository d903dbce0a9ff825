package dev.paddock.cli.setup.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes of settings files keep everything else, in every form that the files have. */
class DocumentTest {
    private static final List<String> SERVER = List.of("servers", "paddock");
    private static final List<String> FEATURE = List.of("features", "shell_tool");

    private static ObjectNode server() {
        ObjectNode server = JsonNodeFactory.instance.objectNode().put("command", "/p");
        server.putArray("args").add("mcp");
        return server;
    }

    private static Document json(String text) {
        return JsonDocument.parse("f.json", text, true);
    }

    private static Document toml(String text) {
        return TomlDocument.parse("f.toml", text);
    }

    static Stream<Arguments> jsonFiles() {
        String entry = """
                {
                  "servers": {
                    "paddock": {
                      "command": "/p",
                      "args": ["mcp"]
                    }
                  }
                }
                """;
        return Stream.of(
                Arguments.of("", entry),
                Arguments.of("{}\n", entry),
                Arguments.of("{ \n}\n", entry),
                // A comment behind the last member, and no comma.
                Arguments.of("""
                        {
                            // mine
                            "a": [1, 2], // "servers": {
                            "b": "}, //" /* , */
                            // the end
                        }
                        """, """
                        {
                            // mine
                            "a": [1, 2], // "servers": {
                            "b": "}, //", /* , */
                            // the end
                            "servers": {
                                "paddock": {
                                    "command": "/p",
                                    "args": ["mcp"]
                                }
                            }
                        }
                        """),
                // A trailing comma, tabs, and a sibling.
                Arguments.of(
                        "{\n\t\"servers\": {\n\t\t\"x\": {}, // last\n\t},\n}",
                        "{\n\t\"servers\": {\n\t\t\"x\": {}, // last\n\t\t\"paddock\": {\n\t\t\t\"command\": \"/p\",\n"
                                + "\t\t\t\"args\": [\"mcp\"]\n\t\t}\n\t},\n}"),
                // One line.
                Arguments.of(
                        "{\"a\": 1, \"servers\": {\"x\": {}}}",
                        "{\"a\": 1, \"servers\": {\"x\": {}, \"paddock\": {\"command\": \"/p\", \"args\": [\"mcp\"]}}}"),
                // Line ends of Windows.
                Arguments.of(
                        "{\r\n  \"a\": 1\r\n}\r\n",
                        entry.replace("{\n  \"servers", "{\n  \"a\": 1,\n  \"servers")
                                .replace("\n", "\r\n")),
                // An entry that is replaced.
                Arguments.of(
                        "{\n  \"servers\": {\n    \"paddock\": {\"url\": \"x\"}, // why\n    \"z\": 1\n  }\n}\n",
                        entry.replace("    }\n", "    }, // why\n    \"z\": 1\n")));
    }

    @ParameterizedTest
    @MethodSource("jsonFiles")
    void entryOfJsonFileIsWrittenInStyleOfFile(String before, String after) {
        assertThat(json(before).put(SERVER, server()).text()).isEqualTo(after);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "[\"Web\"]", "[\n    \"Web\"\n  ]", "[\n    \"Web\", // w\n  ]", "[ /* none */ ]"})
    void wordsAreAppendedToListAndRemovedFromIt(String list) {
        Document before = json("{\n  \"deny\": " + list + "\n}\n");
        Document after = before.append(List.of("deny"), List.of("Bash", "Edit"));

        List<String> words = Document.words(before.settings().path("deny"));
        assertThat(Document.words(after.settings().path("deny")))
                .containsExactlyElementsOf(
                        Stream.concat(words.stream(), Stream.of("Bash", "Edit")).toList());
        Document undone = after.removeWords(List.of("deny"), List.of("Bash", "Edit"));
        assertThat(undone.settings()).isEqualTo(before.settings());
        assertThat(undone.text()).contains(list.contains("//") ? "// w" : "", list.contains("/*") ? "/* none */" : "");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\n  \"a\": 1, // one\n  \"gone\": {\"x\": [1]}, // two\n  \"b\": 2\n}\n",
                "{\n  \"gone\": 1,\n  \"a\": 1\n}\n",
                "{\n  \"a\": 1,\n  // about it\n  \"gone\": 1\n}\n",
                "{\n  \"a\": 1,\n  \"gone\": 1,\n}\n",
                "{\"a\": 1, \"gone\": 1}",
                "{\"gone\": 1, \"a\": 1}",
                "{\"gone\": 1}",
                "{\n  \"gone\": 1\n}\n",
                "{ /* all */ \"gone\": 1 /* of it */ }"
            })
    void memberIsRemovedWithItsCommaAndNothingElse(String text) {
        Document before = json(text);
        ObjectNode expected = before.settings().deepCopy();
        expected.remove("gone");
        Document after = before.remove(List.of("gone"));
        assertThat(after.settings()).isEqualTo(expected);
        for (String comment : List.of("// one", "// two", "// about it", "/* all */", "/* of it */")) {
            assertThat(after.text().contains(comment)).as(comment).isEqualTo(text.contains(comment));
        }
    }

    static Stream<Arguments> tomlFiles() {
        String table = "[servers.paddock]\ncommand = \"/p\"\nargs = [\"mcp\"]\n";
        return Stream.of(
                Arguments.of("", "[features]\nshell_tool = false\n\n" + table),
                Arguments.of("a = 1", "a = 1\n\n[features]\nshell_tool = false\n\n" + table),
                // A comment at the value, and an indent.
                Arguments.of(
                        "[features]\n  shell_tool = true # why\n",
                        "[features]\n  shell_tool = false # why\n\n" + table),
                // Comments before the next table belong to that one.
                Arguments.of(
                        "[features]\n  x = '''\n[servers.paddock]\n''' # s\n\n# of y\n[y]\nz = [ # ]\n  \"]\",\n]\n",
                        "[features]\n  x = '''\n[servers.paddock]\n''' # s\n  shell_tool = false\n\n# of y\n[y]\n"
                                + "z = [ # ]\n  \"]\",\n]\n\n" + table),
                // An entry with tables below it is replaced where it is.
                Arguments.of(
                        "[servers.paddock]\nurl = \"x\"\n\n[servers.paddock.env]\nA = \"b\"\n\n# of f\n[features]\n",
                        table + "\n# of f\n[features]\nshell_tool = false\n"),
                // An entry as an inline table.
                Arguments.of("[servers]\npaddock = { url = \"}\" } # why\n[features]\nshell_tool = false\n", """
                        [servers]
                        paddock = { command = "/p", args = ["mcp"] } # why
                        [features]
                        shell_tool = false
                        """),
                // Quoted names and arrays of tables.
                Arguments.of(
                        "[[list]]\nfeatures = 1\n[\"features\"]\n\"shell_tool\" = true\n",
                        "[[list]]\nfeatures = 1\n[\"features\"]\n\"shell_tool\" = false\n\n" + table));
    }

    @ParameterizedTest
    @MethodSource("tomlFiles")
    void entryOfTomlFileIsWrittenAndEverythingElseStays(String before, String after) {
        Document changed = toml(before).put(FEATURE, BooleanNode.FALSE).put(SERVER, server());
        assertThat(changed.text()).isEqualTo(after);
        assertThat(toml(before.replace("\n", "\r\n"))
                        .put(FEATURE, BooleanNode.FALSE)
                        .put(SERVER, server())
                        .text())
                .isEqualTo(before.contains("\n") ? after.replace("\n", "\r\n") : after);
        assertThat(changed.remove(SERVER).settings().path("servers").has("paddock"))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[servers.paddock]\nurl = \"x\" # u\n\n[servers.paddock.env]\nA = \"b\"\n",
                "[servers]\npaddock = {}\n"
            })
    void replacedEntryOfTomlFileIsRestoredAsItWas(String text) {
        Document before = toml("a = 1\n\n" + text + "\n# of z\n[z]\n");
        Document after = before.put(SERVER, server());
        assertThat(after.restore(SERVER, before.raw(SERVER).orElseThrow()).text())
                .isEqualTo(before.text());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"features = { x = 1 }\n", "features.x = 1\n", "\nservers = { }\n", "[servers]\npaddock.url = 1\n"
            })
    void tableWithoutHeaderIsRefused(String text) {
        assertThatExceptionOfType(SettingsRefusedException.class)
                .isThrownBy(() -> toml(text).put(FEATURE, BooleanNode.FALSE).put(SERVER, server()))
                .withMessageMatching("f\\.toml:[12]: .*(inline table|dotted keys).*below the header \\[.*");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{\n  \"a\": 1\n  \"b\": 2\n}", "{\n\n\"a\": 1, \"a\": 2}", "{\n\n}}", "\n\n[]", "{\n\n\"a"})
    void jsonFileThatDoesNotParseIsRefusedWithItsLine(String text) {
        assertThatExceptionOfType(SettingsRefusedException.class)
                .isThrownBy(() -> json(text))
                .withMessageMatching("f\\.json:3: not the JSON that the client reads: .*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a = 1\n\na = 2\n", "\n\na = \n", "\n[x]\n[x]\n"})
    void tomlFileThatDoesNotParseIsRefusedWithItsLine(String text) {
        assertThatExceptionOfType(SettingsRefusedException.class)
                .isThrownBy(() -> toml(text))
                .withMessageMatching("f\\.toml:3: not TOML: .*");
    }

    @Test
    void commentsAreRefusedWhereClientDoesNotReadThem() {
        assertThatExceptionOfType(SettingsRefusedException.class)
                .isThrownBy(() -> JsonDocument.parse("f.json", "{ // c\n}", false))
                .withMessageStartingWith("f.json:1: ");
    }
}
