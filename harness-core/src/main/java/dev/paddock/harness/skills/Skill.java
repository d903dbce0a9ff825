package dev.paddock.harness.skills;

import dev.paddock.harness.files.ContainedFiles;
import dev.paddock.harness.text.Excerpt;
import java.nio.file.Path;

/**
 * A skill that the model is told of.
 *
 * @param name its name
 * @param description one line
 * @param directory where it is, on the host
 * @param files reads in there and nowhere else
 */
record Skill(String name, String description, Path directory, ContainedFiles files) implements AutoCloseable {
    static final String FILE = "SKILL.md";

    /**
     * Opens the skill in a directory.
     *
     * @throws dev.paddock.harness.tool.ToolException if it is malformed; the message says how
     */
    static Skill open(Path directory) {
        ContainedFiles files = ContainedFiles.openReadOnly(directory);
        try {
            SkillText text = SkillText.of(files.text(FILE, Excerpt.MOST_OF_A_RESULT));
            return new Skill(text.name(), text.description(), directory, files);
        } catch (RuntimeException fault) {
            files.close();
            throw fault;
        }
    }

    String text(String file) {
        return files.text(file, Excerpt.MOST_OF_A_RESULT);
    }

    /** Its line in the prompt. */
    String line() {
        return "- " + name + ": " + description;
    }

    @Override
    public void close() {
        files.close();
    }
}
