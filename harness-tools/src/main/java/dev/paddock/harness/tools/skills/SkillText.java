package dev.paddock.harness.tools.skills;

import dev.paddock.harness.tools.text.Excerpt;
import java.util.Collection;
import java.util.Map;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Parses a {@code SKILL.md}: YAML between two lines of three dashes, followed by the instructions.
 * Other keys of the front matter are ignored.
 *
 * @param name lower-case letters, digits and single hyphens between them, 1 to
 *     {@value #MAX_NAME_LENGTH}
 * @param description one line of 1 to {@value #MAX_DESCRIPTION_LENGTH} characters
 * @param body the instructions
 */
record SkillText(String name, String description, String body) {
    static final int MAX_NAME_LENGTH = 64;
    static final int MAX_DESCRIPTION_LENGTH = 1_024;

    private static final int MAX_FRONT_MATTER = 65_536;
    private static final int MAX_ALIASES = 16;
    private static final int MAX_SHOWN = 100;
    private static final Pattern NAME = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final String FENCE = "---";
    private static final String BYTE_ORDER_MARK = "\ufeff";

    /**
     * Parses a text.
     *
     * @throws SkillException if it is not a valid skill; the message says where the fault is
     */
    static SkillText of(String text) {
        Parts parts = Parts.of(text);
        Map<?, ?> front = load(parts.frontMatter());
        String name = text(front, "name");
        if (name.length() > MAX_NAME_LENGTH || !NAME.matcher(name).matches()) {
            throw new SkillException("its name is '" + Excerpt.cut(name, MAX_SHOWN) + "'. Use 1 to " + MAX_NAME_LENGTH
                    + " lower-case letters and digits, with single hyphens between them");
        }
        String description = BLANKS.matcher(text(front, "description").strip()).replaceAll(" ");
        if (description.isEmpty()) {
            throw new SkillException("its description is empty. Say what it is for and when to use it");
        }
        if (description.length() > MAX_DESCRIPTION_LENGTH) {
            throw new SkillException("its description has " + description.length() + " characters. Keep it to "
                    + MAX_DESCRIPTION_LENGTH + ": every prompt carries it; put the rest below the front matter");
        }
        return new SkillText(name, description, parts.body());
    }

    /** Returns the instructions of a text; all of it if it has no front matter. */
    static String bodyOf(String text) {
        String content = text.startsWith(BYTE_ORDER_MARK) ? text.substring(BYTE_ORDER_MARK.length()) : text;
        return content.startsWith(FENCE) ? Parts.of(content).body() : content;
    }

    private static Map<?, ?> load(String yaml) {
        LoadSettings settings = LoadSettings.builder()
                .setAllowDuplicateKeys(false)
                .setCodePointLimit(MAX_FRONT_MATTER)
                .setMaxAliasesForCollections(MAX_ALIASES)
                .build();
        Object loaded;
        try {
            loaded = new Load(settings).loadFromString(yaml);
        } catch (MarkedYamlEngineException fault) {
            // The first line of the front matter is the second of the file; marks count from 0.
            String where = fault.getProblemMark()
                    .map(mark -> " in line " + (mark.getLine() + 2))
                    .orElse("");
            throw new SkillException("its front matter is not valid YAML" + where + ": " + fault.getProblem()
                    + ". Put a text with ': ' or '#' in it in quotes");
        } catch (YamlEngineException fault) {
            throw new SkillException("its front matter cannot be read as YAML: " + fault.getMessage());
        } catch (StackOverflowError deep) {
            throw new SkillException("its front matter is nested too deeply");
        }
        if (loaded instanceof Map<?, ?> map) {
            return map;
        }
        throw new SkillException("its front matter has no fields. Give it lines 'name: …' and 'description: …'");
    }

    private static String text(Map<?, ?> front, String field) {
        Object value = front.get(field);
        if (value == null) {
            throw new SkillException("its front matter has no " + field + ". Add a line '" + field + ": …'");
        }
        if (value instanceof String text) {
            return text;
        }
        throw new SkillException("its " + field + " is no text: " + shown(value) + ". Put it in quotes");
    }

    /**
     * Formats a YAML value for an error message. Omits a value that is not a scalar: it may contain itself, and aliases
     * can expand it to any size.
     */
    private static String shown(Object value) {
        return switch (value) {
            case Map<?, ?> map -> "a mapping";
            case Collection<?> list -> "a list";
            default -> Excerpt.cut(value.toString(), MAX_SHOWN);
        };
    }

    private record Parts(String frontMatter, String body) {
        static Parts of(String text) {
            StringBuilder front = new StringBuilder();
            int at = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length() : 0;
            boolean first = true;
            while (at < text.length()) {
                int newline = text.indexOf('\n', at);
                int next = newline < 0 ? text.length() : newline + 1;
                String line = text.substring(at, next).stripTrailing();
                at = next;
                if (first && !line.equals(FENCE)) {
                    break;
                }
                if (!first && line.equals(FENCE)) {
                    return new Parts(front.toString(), text.substring(at).stripLeading());
                }
                if (!first) {
                    front.append(line).append('\n');
                }
                first = false;
            }
            throw new SkillException(
                    first
                            ? "it has no front matter. Begin it with a line of three dashes, the lines 'name: …' and"
                                    + " 'description: …', and three dashes again"
                            : "its front matter does not end. Close it with a line of three dashes");
        }
    }
}
