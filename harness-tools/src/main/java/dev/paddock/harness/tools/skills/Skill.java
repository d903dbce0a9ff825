package dev.paddock.harness.tools.skills;

import dev.paddock.harness.files.ContainedFiles;
import dev.paddock.harness.files.FileException;
import dev.paddock.harness.tools.text.Excerpt;
import java.nio.file.Path;

/**
 * Holds a skill that the prompt offers to the model.
 *
 * @param name its name
 * @param description one line
 * @param directory where it is, on the host
 * @param files access to files in that directory only
 */
record Skill(String name, String description, Path directory, ContainedFiles files) implements AutoCloseable {
    static final String FILE = "SKILL.md";

    /**
     * Opens the skill in a directory.
     *
     * @throws SkillException if it is malformed or cannot be read; the message says how
     */
    static Skill open(Path directory) {
        ContainedFiles files = ContainedFiles.openReadOnly(directory);
        try {
            SkillText text = SkillText.of(read(files, FILE));
            return new Skill(text.name(), text.description(), directory, files);
        } catch (RuntimeException fault) {
            files.close();
            throw fault;
        }
    }

    /**
     * Reads a file of the skill.
     *
     * @throws SkillException if it cannot be read; the message says why
     */
    String text(String file) {
        return read(files, file);
    }

    private static String read(ContainedFiles files, String file) {
        try {
            return files.text(file, Excerpt.MOST_OF_A_RESULT);
        } catch (FileException fault) {
            throw new SkillException(String.valueOf(fault.getMessage()), fault);
        }
    }

    /** Returns the skill's line in the prompt. */
    String line() {
        return "- " + name + ": " + description;
    }

    @Override
    public void close() {
        files.close();
    }
}
