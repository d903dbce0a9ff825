package dev.paddock.harness.tools.skills;

import dev.paddock.harness.files.access.AccessRules;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.access.FileRoot;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import dev.paddock.harness.tools.text.Excerpt;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * A skill that the prompt offers to the model.
 *
 * @param name its name
 * @param description one line
 * @param directory where it is, on the host
 * @param files access to files in that directory only
 */
record Skill(String name, String description, Path directory, WorkspaceFiles files) implements AutoCloseable {
    static final String FILE = "SKILL.md";

    /**
     * Opens the skill in a directory.
     *
     * @throws SkillException if it is malformed or cannot be read; the message says how
     */
    static Skill open(Path directory) {
        WorkspaceFiles files =
                WorkspaceFiles.open(List.of(FileRoot.readOnly(directory.toAbsolutePath())), AccessRules.standard());
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

    private static String read(WorkspaceFiles files, String file) {
        try {
            byte[] content = files.read(file, Excerpt.MAX_RESULT);
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content))
                    .toString();
        } catch (CharacterCodingException fault) {
            throw new SkillException(file + " is not UTF-8 text. Convert it, with iconv for example", fault);
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
