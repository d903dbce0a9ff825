package dev.paddock.harness.tools.skills;

import dev.paddock.harness.tools.ToolException;
import java.io.Serial;

/** Reports a fault in a skill, worded for the skill's author and for the model. */
final class SkillException extends ToolException {
    @Serial
    private static final long serialVersionUID = 1L;

    SkillException(String message) {
        super(message);
    }

    SkillException(String message, Throwable cause) {
        super(message, cause);
    }
}
