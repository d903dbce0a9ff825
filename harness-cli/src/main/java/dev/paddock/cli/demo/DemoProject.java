package dev.paddock.cli.demo;

import dev.paddock.harness.model.ScriptedModel;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The files that {@code paddock demo} works on: a small project with a failing test that needs only {@code sh}, and the
 * model's script that makes the test pass.
 */
public final class DemoProject {

    /** The prompt for the model. */
    public static final String PROMPT = "Make the failing test pass.";

    private static final List<String> FILES = List.of("leap.sh", "test.sh");
    private static final String SCRIPT = "script.json";

    private DemoProject() {}

    /**
     * Writes the project's files.
     *
     * @param directory an existing directory
     * @throws IOException if a file cannot be written
     */
    public static void writeTo(Path directory) throws IOException {
        for (String file : FILES) {
            try (InputStream content = open(file)) {
                Files.copy(content, directory.resolve(file));
            }
        }
    }

    /**
     * Returns a model that reads the project, runs its test, corrects it, and runs the test again.
     *
     * @return the model, at the script's beginning
     * @throws IOException if the script cannot be read
     */
    public static ScriptedModel model() throws IOException {
        try (InputStream script = open(SCRIPT)) {
            return ScriptedModel.parse("demo/" + SCRIPT, new String(script.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private static InputStream open(String name) throws IOException {
        InputStream found = DemoProject.class.getResourceAsStream(name);
        if (found == null) {
            throw new FileNotFoundException("the command's jar lacks demo/" + name);
        }
        return found;
    }
}
