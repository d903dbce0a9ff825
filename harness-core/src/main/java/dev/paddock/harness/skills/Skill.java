package dev.paddock.harness.skills;

import dev.paddock.harness.files.ContainedFiles;
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

    /** As much as one tool result shows of anything. */
    static final int MOST_BYTES = 262_144;

    /**
     * Opens the skill in a directory.
     *
     * @throws dev.paddock.harness.tool.ToolException if it is malformed; the message says how
     */
    static Skill open(Path directory) {
        ContainedFiles files = ContainedFiles.openReadOnly(directory);
        try {
            SkillText text = SkillText.of(files.text(FILE, MOST_BYTES));
            return new Skill(text.name(), text.description(), directory, files);
        } catch (RuntimeException fault) {
            files.close();
            throw fault;
        }
    }

    String text(String file) {
        return files.text(file, MOST_BYTES);
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
