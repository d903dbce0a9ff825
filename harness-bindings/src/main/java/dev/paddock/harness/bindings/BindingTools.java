package dev.paddock.harness.bindings;

import dev.paddock.executor.ExecutorException;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.access.PatternException;
import dev.paddock.harness.files.workspace.Entry;
import dev.paddock.harness.files.workspace.GrepQuery;
import dev.paddock.harness.files.workspace.Written;
import dev.paddock.harness.tools.ExecutionSite;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolContext;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.text.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The bindings of a container as tools of a session. */
final class BindingTools {
    private static final int MAX_CHARACTERS = 100_000;
    private static final String PATH = "path";
    private static final String STRING = "string";

    private BindingTools() {}

    static List<Tool> of(AgentContainer container) {
        return List.of(
                read(container), write(container), edit(container), glob(container), grep(container), bash(container));
    }

    private static Tool read(AgentContainer container) {
        return new BindingTool(
                "read",
                "Reads a text file of the workspace.",
                new Schema().required(PATH, STRING, "The file, relative to the workspace's root."),
                ExecutionSite.WORKTREE,
                true,
                (given, context) -> cut(container.workspace().readText(text(given, PATH))));
    }

    private static Tool write(AgentContainer container) {
        return new BindingTool(
                "write",
                "Writes a text file of the workspace: replaces what it holds, or creates it and its parents.",
                new Schema()
                        .required(PATH, STRING, "The file, relative to the workspace's root.")
                        .required("content", STRING, "All that the file is to hold."),
                ExecutionSite.WORKTREE,
                false,
                (given, context) -> {
                    Written done = container.workspace().writeText(text(given, PATH), text(given, "content"));
                    return (done.created() ? "Created " : "Replaced ") + done.path();
                });
    }

    private static Tool edit(AgentContainer container) {
        return new BindingTool(
                "edit",
                "Replaces one passage of a text file of the workspace. The old passage must occur exactly once.",
                new Schema()
                        .required(PATH, STRING, "The file, relative to the workspace's root.")
                        .required("oldText", STRING, "The passage, exact.")
                        .required("newText", STRING, "The text in its place."),
                ExecutionSite.WORKTREE,
                false,
                (given, context) -> {
                    String path = text(given, PATH);
                    String old = text(given, "oldText");
                    String content = container.workspace().readText(path);
                    int at = content.indexOf(old);
                    if (old.isEmpty() || at < 0 || content.indexOf(old, at + 1) >= 0) {
                        throw new BindingException(
                                BindingException.Reason.INVALID,
                                "the old text does not occur exactly once in " + path + ". Read the file again and give"
                                        + " more of what is around the passage");
                    }
                    container
                            .workspace()
                            .writeText(
                                    path,
                                    content.substring(0, at)
                                            + text(given, "newText")
                                            + content.substring(at + old.length()));
                    return "Changed " + path;
                });
    }

    private static Tool glob(AgentContainer container) {
        return new BindingTool(
                "glob",
                "Finds files of the workspace by their names.",
                new Schema().required("pattern", STRING, "A glob such as src/**/*.ts or *.md."),
                ExecutionSite.WORKTREE,
                true,
                (given, context) -> cut(
                        container.workspace().glob(List.of(text(given, "pattern")), context.signal()).entries().stream()
                                .map(Entry::path)
                                .collect(Collectors.joining("\n"))));
    }

    private static Tool grep(AgentContainer container) {
        return new BindingTool(
                "grep",
                "Finds lines of the workspace's files that contain a text.",
                new Schema()
                        .required("query", STRING, "The text; not a regular expression.")
                        .optional("include", STRING, "A glob of the files to search; all by default."),
                ExecutionSite.WORKTREE,
                true,
                (given, context) -> {
                    GrepQuery query = GrepQuery.text(text(given, "query"));
                    Optional<String> include = given.text("include");
                    return cut(container
                            .workspace()
                            .grep(
                                    include.map(glob -> query.include(List.of(glob)))
                                            .orElse(query),
                                    context.signal())
                            .matches()
                            .stream()
                            .map(line -> line.path() + ":" + line.number() + ":" + line.text())
                            .collect(Collectors.joining("\n")));
                });
    }

    private static Tool bash(AgentContainer container) {
        Schema schema = new Schema()
                .required("command", STRING, "The program's name.")
                .optional("cwd", STRING, "Its directory.")
                .optional(
                        "args",
                        Json.object()
                                .with("type", "array")
                                .with("description", "Its arguments, exact: no shell reads them.")
                                .with("items", Json.object().with("type", STRING)));
        return new BindingTool(
                "bash",
                "Runs one program with its arguments in the workspace's sandbox.",
                schema,
                ExecutionSite.SANDBOX,
                false,
                (given, context) -> {
                    List<String> args = new ArrayList<>();
                    given.get("args").ifPresent(all -> all.elements().forEach(one -> args.add(one.text())));
                    ExecRequest request = ExecRequest.of(text(given, "command"), args.toArray(new String[0]));
                    ExecResult ended = container
                            .exec()
                            .run(given.text("cwd").map(request::in).orElse(request), context.signal());
                    return cut(ended.stdout() + ended.stderr()) + "\n"
                            + (ended.timedOut() ? "Timed out." : "Exit code " + ended.exitCode() + ".");
                });
    }

    private static String text(Json arguments, String name) {
        return arguments.text(name).orElse("");
    }

    private static String cut(String text) {
        return text.length() <= MAX_CHARACTERS
                ? text
                : text.substring(0, MAX_CHARACTERS) + "\n… " + (text.length() - MAX_CHARACTERS)
                        + " more characters; narrow the request";
    }

    /** Executes a tool's call. */
    @FunctionalInterface
    private interface Action {
        String apply(Json arguments, ToolContext context);
    }

    private record BindingTool(
            String name,
            String description,
            Json inputSchema,
            ExecutionSite executionSite,
            boolean isReadOnly,
            Action action)
            implements Tool {

        BindingTool(
                String name,
                String description,
                Schema schema,
                ExecutionSite executionSite,
                boolean isReadOnly,
                Action action) {
            this(name, description, schema.build(), executionSite, isReadOnly, action);
        }

        @Override
        public ToolResult execute(ToolCall call, ToolContext context) {
            try {
                return ToolResult.ok(action.apply(call.arguments(), context));
            } catch (BindingException | ExecutorException | FileException | PatternException refused) {
                return ToolResult.error(String.valueOf(refused.getMessage()));
            }
        }
    }
}
