package dev.paddock.harness.files.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.harness.files.access.AccessRules;
import dev.paddock.harness.files.access.FileRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs the readme's example. */
class ReadmeExampleTest {
    @TempDir
    Path directory;

    private static void example(Path project, Path tables) {
        List<FileRoot> roots = List.of(
                new FileRoot("/work", project, Mount.Access.READ_WRITE),
                new FileRoot("/data", tables, Mount.Access.READ_ONLY));
        AccessRules rules = AccessRules.of(ProtectedPaths.standard(), List.of("*.pem", ".env"));
        try (WorkspaceFiles files = WorkspaceFiles.open(roots, rules)) {
            files.write("notes/today.md", files.read("/data/table.md", 1 << 20));
            files.glob(List.of("*.md")); // notes/today.md, /data/table.md
            files.remove("notes", true); // FileException.reason() says why something is refused
        }
    }

    @Test
    void exampleRuns() throws IOException {
        Path project = Files.createDirectory(directory.toRealPath().resolve("project"));
        Path tables = Files.createDirectory(directory.toRealPath().resolve("tables"));
        Files.writeString(tables.resolve("table.md"), "x");
        example(project, tables);
        assertThat(project).isEmptyDirectory();
    }

    @Test
    void documentShowsThisExample() throws IOException {
        String source = words(
                Files.readString(Path.of("src/test/java", getClass().getName().replace('.', '/') + ".java")));
        List<String> examples = Pattern.compile("(?ms)^```java\\n(.*?)^```$")
                .matcher(Files.readString(Path.of("..", "docs", "java.md")))
                .results()
                .map(found -> found.group(1))
                .filter(example -> example.contains("WorkspaceFiles"))
                .toList();
        assertThat(examples).hasSize(1).allSatisfy(example -> assertThat(source).contains(words(example)));
    }

    private static String words(String code) {
        return code.replaceAll("\\s+", " ").strip();
    }
}
