package dev.paddock.samples;

import dev.paddock.harness.model.ScriptedModel;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Holds a small project with a failing test that needs only {@code sh}, and a script that makes the
 * test pass, so that the samples can be tried without a model.
 */
public final class ExampleProject {

    /** The prompt for the model. */
    public static final String PROMPT = "Make the failing test pass.";

    private ExampleProject() {}

    /**
     * Writes the project's files.
     *
     * @param directory an existing directory
     * @throws IOException if a file cannot be written
     */
    public static void writeTo(Path directory) throws IOException {
        Files.writeString(directory.resolve("leap.sh"), text("leap.sh"));
        Files.writeString(directory.resolve("test.sh"), text("test.sh"));
    }

    /**
     * Returns a model that reads the project, runs its test, corrects it, and runs the test again.
     *
     * @return the model, at the script's beginning
     * @throws IOException if the script cannot be read
     */
    public static ScriptedModel model() throws IOException {
        return ScriptedModel.parse("example/script.json", text("script.json"));
    }

    private static String text(String name) throws IOException {
        try (InputStream file = ExampleProject.class.getResourceAsStream("example/" + name)) {
            return new String(
                    Objects.requireNonNull(file, "the samples' jar lacks example/" + name)
                            .readAllBytes(),
                    StandardCharsets.UTF_8);
        }
    }
}
