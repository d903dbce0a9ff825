package dev.paddock.executor.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the published schema and page are those of the reader. */
class SchemaTest {
    private static final Path DOCS = Path.of("..", "docs");

    @TempDir
    private Path directory;

    @Test
    void publishedSchemaIsGeneratedOne() throws IOException {
        assertThat(DOCS.resolve("paddock.schema.json")).hasContent(SandboxConfig.schema());
    }

    @Test
    void schemaHasEveryKeyThatIsReadAndNoOther() {
        List<String> words = new ArrayList<>();
        for (Key key : Key.values()) {
            words.add('"' + key.word() + "\": {");
        }
        assertThat(SandboxConfig.schema()).contains(words);
    }

    static Stream<String> examples() throws IOException {
        List<String> examples = new ArrayList<>();
        for (String page : List.of("configuration.md", "agent.md", "cookbook.md")) {
            Pattern.compile("(?ms)^```yaml\\n(.*?)^```$")
                    .matcher(Files.readString(DOCS.resolve(page)))
                    .results()
                    .forEach((MatchResult found) -> examples.add(found.group(1)));
        }
        return examples.stream();
    }

    @Test
    void examplesOfPageAreConfigurations() throws IOException {
        assertThat(examples()).hasSizeGreaterThan(2);
        for (String example : examples().toList()) {
            SandboxConfig.read(Files.writeString(directory.resolve("paddock.yaml"), example));
        }
    }
}
