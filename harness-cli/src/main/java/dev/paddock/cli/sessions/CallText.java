package dev.paddock.cli.sessions;

import dev.paddock.harness.tools.ToolCall;
import java.util.List;
import java.util.Optional;

/** Describes tool calls. */
public final class CallText {
    private static final List<String> SUBJECTS =
            List.of("command", "path", "pattern", "url", "query", "glob", "name", "shell_id");

    private CallText() {}

    /** Returns a call's first argument that names its subject; empty if there is none. */
    public static Optional<String> subject(ToolCall call) {
        return SUBJECTS.stream()
                .flatMap(argument -> call.arguments().text(argument).stream())
                .findFirst();
    }
}
