package dev.paddock.harness.tools.skills;

import dev.paddock.harness.tools.ExecutionSite;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolContext;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.text.Schema;
import java.util.Map;

/** Reads a skill, or a file that comes with one. */
final class SkillTool implements Tool {
    static final String NAME = "skill";

    private final Map<String, Skill> skills;

    SkillTool(Map<String, Skill> skills) {
        this.skills = skills;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String title() {
        return "Read a skill";
    }

    @Override
    public String description() {
        return "Read a skill: the instructions for a particular task. With 'file', read a file that comes with the skill and"
                + " that its instructions name.";
    }

    @Override
    public Json inputSchema() {
        return new Schema()
                .required("name", "string", "The skill's name")
                .optional(
                        "file", "string", "A file in the skill's directory, relative to it (default: its instructions)")
                .build();
    }

    /** Returns {@code HOST}: skills are files of the host, outside the worktree. */
    @Override
    public ExecutionSite executionSite() {
        return ExecutionSite.HOST;
    }

    @Override
    public boolean isReadOnly() {
        return true;
    }

    @Override
    public ToolResult execute(ToolCall call, ToolContext context) {
        String name = call.arguments().text("name").orElse("");
        Skill skill = skills.get(name);
        if (skill == null) {
            return ToolResult.error("there is no skill named '" + name + "'. "
                    + (skills.isEmpty() ? "There are none." : "The skills are " + String.join(", ", skills.keySet())));
        }
        String file = call.arguments().text("file").orElse("");
        if (!file.isEmpty()) {
            return ToolResult.ok(skill.text(file));
        }
        return ToolResult.ok("[The skill '" + name + "'. Its files are in " + skill.directory()
                + " on the host, where commands may not see them; this tool reads them, one at a time, by 'file'.]\n\n"
                + SkillText.bodyOf(skill.text(Skill.FILE)));
    }
}
