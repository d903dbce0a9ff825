package dev.paddock.harness.acp;

import com.agentclientprotocol.sdk.spec.AcpSchema;
import com.agentclientprotocol.sdk.spec.AcpSchema.ToolKind;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.text.JsonNodes;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Describes a tool call in the protocol's terms.
 *
 * @param worktree the session's directory; empty if it is not known yet
 */
record CallSummary(ToolCall call, Optional<PathMapping> worktree) {

    ToolKind kind() {
        return switch (call.name()) {
            case "read" -> ToolKind.READ;
            case "edit", "write" -> ToolKind.EDIT;
            case "ls", "grep", "find" -> ToolKind.SEARCH;
            case "bash", "bash_output", "write_stdin", "kill_shell" -> ToolKind.EXECUTE;
            case "web_fetch", "web_search" -> ToolKind.FETCH;
            default -> ToolKind.OTHER;
        };
    }

    String title() {
        return switch (call.name()) {
            case "bash" -> Shown.code(argument("command"));
            case "read" -> "Read " + Shown.code(argument("path"));
            case "edit" -> "Edit " + Shown.code(argument("path"));
            case "write" -> "Write " + Shown.code(argument("path"));
            case "ls" -> "List " + Shown.code(argument("path", "."));
            case "grep" -> "Search " + Shown.code(argument("pattern"));
            case "find" -> "Find " + Shown.code(argument("pattern", argument("glob")));
            case "bash_output" -> "Output of " + Shown.code(argument("shell_id"));
            case "kill_shell" -> "End " + Shown.code(argument("shell_id"));
            case "write_stdin" -> "Write to " + Shown.code(argument("shell_id"));
            case "web_fetch" -> "Fetch " + Shown.code(argument("url"));
            case "web_search" -> "Search the web: " + Shown.code(argument("query"));
            default -> Shown.code(call.name());
        };
    }

    private String argument(String name) {
        return argument(name, "");
    }

    private String argument(String name, String otherwise) {
        return call.arguments().text(name).orElse(otherwise);
    }

    /** Returns the file that the call works on, on the host. */
    private Optional<Path> file() {
        String path = argument("path");
        if (path.isEmpty() || worktree.isEmpty()) {
            return Optional.empty();
        }
        try {
            PathMapping mapping = worktree.get();
            return path.startsWith("/")
                    ? mapping.toHost(path)
                    : Optional.of(mapping.hostPath().resolve(path).normalize());
        } catch (InvalidPathException noPath) {
            return Optional.empty();
        }
    }

    List<AcpSchema.ToolCallLocation> locations(Optional<Integer> line) {
        return file().map(path -> List.of(new AcpSchema.ToolCallLocation(path.toString(), line.orElse(null))))
                .orElse(List.of());
    }

    /** Returns the whole intended action: the user cannot judge a part that is not shown. */
    List<AcpSchema.ToolCallContent> intent() {
        String path = file().map(Path::toString).orElse(argument("path"));
        return switch (call.name()) {
            case "edit" ->
                List.of(new AcpSchema.ToolCallDiff(null, path, argument("old_string"), argument("new_string")));
            case "write" -> List.of(new AcpSchema.ToolCallDiff(null, path, null, argument("content")));
            case "bash" -> {
                String cwd = argument("cwd");
                yield List.of(Shown.block((cwd.isEmpty() ? "" : "cd " + cwd + "\n") + argument("command")));
            }
            case "read", "ls", "grep", "find", "bash_output", "kill_shell" -> List.of();
            default -> List.of(Shown.block(JsonNodes.object(call.arguments()).toPrettyString()));
        };
    }

    /** Returns the call's outcome. */
    List<AcpSchema.ToolCallContent> outcome(ToolResult result) {
        String diff = result.details().text("diff").orElse("");
        if (!result.isError() && file().isPresent() && !diff.isEmpty()) {
            return ChangedFile.diffs(file().get().toString(), diff);
        }
        if (!result.isError() && call.name().equals("write")) {
            return intent();
        }
        return result.text().isEmpty() ? List.of() : List.of(Shown.block(result.text()));
    }

    Optional<Integer> line(ToolResult result) {
        OptionalLong line = result.details().integer(call.name().equals("read") ? "firstLine" : "line");
        return line.isPresent() && line.getAsLong() == (int) line.getAsLong()
                ? Optional.of((int) line.getAsLong())
                : Optional.empty();
    }
}
