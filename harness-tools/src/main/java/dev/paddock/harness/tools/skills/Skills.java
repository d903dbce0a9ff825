package dev.paddock.harness.tools.skills;

import dev.paddock.harness.tools.ToolSource;
import java.nio.file.Path;
import java.util.List;

/**
 * Loads skills from the file system: directories with a {@code SKILL.md}, which begins with YAML front matter of at
 * least a {@code name} and a {@code description}, followed by instructions. The prompt names each skill in one line;
 * the tool {@code skill} reads its instructions in full, and the other files of its directory.
 *
 * <p>A skill is omitted if it is malformed, has the name of another, is larger than 262,144 bytes, is not UTF-8, or is
 * behind a link that leads out of the given directory; the problems of {@code SessionStarted} name it. At most 200
 * skills are loaded.
 *
 * @since 0.1
 */
public final class Skills {
    private Skills() {}

    /**
     * Returns the skills in directories of the host. Building a session searches the directories; instructions are read
     * when the model requests them.
     *
     * @param directories each one a skill, or a directory of skills; of two skills with one name the first counts
     * @return the source, for {@code AgentSessionBuilder.skills}. Building the session throws if a directory cannot be
     *     read
     */
    public static ToolSource in(Path... directories) {
        return in(List.of(directories));
    }

    /**
     * Returns the skills in directories of the host, as {@link #in(Path...)}.
     *
     * @param directories each one a skill, or a directory of skills
     * @return the source
     */
    public static ToolSource in(List<Path> directories) {
        List<Path> given = List.copyOf(directories);
        return new ToolSource() {
            @Override
            public String name() {
                return "skills";
            }

            @Override
            public Opened open(Place place) {
                return SkillCatalog.of(given);
            }
        };
    }
}
