package dev.paddock.harness.bindings.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.bindings.AgentContainer;
import dev.paddock.harness.bindings.BindingEvent;
import dev.paddock.harness.bindings.BindingException;
import dev.paddock.harness.bindings.BindingException.Reason;
import dev.paddock.harness.bindings.EnvBinding;
import dev.paddock.harness.bindings.ExecRequest;
import dev.paddock.harness.bindings.ExecResult;
import dev.paddock.harness.files.workspace.Entry;
import dev.paddock.harness.files.workspace.GlobResult;
import dev.paddock.harness.files.workspace.GrepQuery;
import dev.paddock.harness.files.workspace.GrepResult;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;

/** Calls a container's bindings by name. Thread-safe. */
public final class BindingCalls {
    private static final Set<String> EXEC =
            Set.of("command", "args", "cwd", "stdin", "timeoutMs", "env", "envKeys", "includeSecrets");
    private static final String PATH = "path";

    private final AgentContainer container;
    private final Map<String, Operation> operations = new HashMap<>();

    private record Operation(Set<String> arguments, Call call) {}

    @FunctionalInterface
    private interface Call {
        JsonNode apply(CallArguments arguments, AbortSignal signal);
    }

    /** Creates the calls of a container. */
    public BindingCalls(AgentContainer container) {
        this.container = container;
        on(
                "workspace.readText",
                Set.of(PATH),
                (given, signal) -> text(container.workspace().readText(given.text(PATH))));
        on(
                "workspace.read",
                Set.of(PATH),
                (given, signal) -> text(
                        Base64.getEncoder().encodeToString(container.workspace().read(given.text(PATH)))));
        on("workspace.writeText", Set.of(PATH, "text"), (given, signal) -> {
            container.workspace().writeText(given.text(PATH), given.content("text"));
            return nothing();
        });
        on("workspace.write", Set.of(PATH, "base64"), (given, signal) -> {
            container.workspace().write(given.text(PATH), bytes(given));
            return nothing();
        });
        on(
                "workspace.list",
                Set.of(PATH),
                (given, signal) -> entries(
                        container.workspace().list(given.optionalText(PATH).orElse("."))));
        on(
                "workspace.stat",
                Set.of(PATH),
                (given, signal) -> entry(container.workspace().stat(given.text(PATH))));
        on("workspace.glob", Set.of("pattern"), this::glob);
        on("workspace.grep", Set.of("query", "include", "caseSensitive", "maxResults", PATH), this::grep);
        on("workspace.remove", Set.of(PATH, "recursive", "force"), (given, signal) -> {
            container
                    .workspace()
                    .remove(
                            given.text(PATH),
                            given.flag("recursive", /* otherwise */ false),
                            given.flag("force", /* otherwise */ false));
            return nothing();
        });
        on("exec.run", EXEC, (given, signal) -> result(container.exec().run(request(given, "command"), signal)));
        on(
                "exec.shell",
                Set.of("script", "cwd", "stdin", "timeoutMs", "env", "envKeys", "includeSecrets"),
                (given, signal) -> result(container.exec().shell(request(given, "script"), signal)));
        variables("env", container.env());
        variables("secrets", container.secrets());
        on("observe.emit", Set.of("scope", "action", "outcome", "target", "detail"), this::emit);
    }

    private void on(String method, Set<String> arguments, Call call) {
        operations.put(method, new Operation(arguments, call));
    }

    private void variables(String name, EnvBinding binding) {
        on(name + ".keys", Set.of(), (given, signal) -> texts(binding.keys()));
        on(
                name + ".get",
                Set.of("name"),
                (given, signal) ->
                        binding.get(given.text("name")).map(BindingCalls::text).orElseGet(BindingCalls::nothing));
    }

    /**
     * Carries out a call.
     *
     * @param method the binding and its operation, such as {@code workspace.readText}
     * @param arguments an object of its arguments
     * @param signal ends the call
     * @return the result as JSON
     * @throws BindingException if there is no such operation, its arguments are malformed, or a rule
     *     refuses it
     * @throws RuntimeException as the operation does
     */
    public JsonNode call(String method, JsonNode arguments, AbortSignal signal) {
        Operation operation = operations.get(method);
        if (operation == null) {
            throw new BindingException(
                    Reason.UNKNOWN,
                    "there is no operation '" + method + "'; there are "
                            + String.join(", ", new TreeSet<>(operations.keySet())));
        }
        return operation.call().apply(new CallArguments(method, arguments, operation.arguments()), signal);
    }

    private JsonNode glob(CallArguments given, AbortSignal signal) {
        List<String> patterns =
                given.texts("pattern").orElseThrow(() -> given.invalid("the argument 'pattern' is missing"));
        GlobResult found = container.workspace().glob(patterns, signal);
        return texts(found.entries().stream().map(Entry::path).toList());
    }

    private JsonNode grep(CallArguments given, AbortSignal signal) {
        GrepQuery query = GrepQuery.text(given.content("query"))
                .ignoreCase(!given.flag("caseSensitive", /* otherwise */ true))
                .include(given.texts("include").orElse(List.of()))
                .most(given.number("maxResults").orElse(Integer.MAX_VALUE));
        Optional<String> path = given.optionalText(PATH);
        GrepResult found = container.workspace().grep(path.isPresent() ? query.in(path.get()) : query, signal);
        ArrayNode lines = array();
        for (GrepResult.Line line : found.matches()) {
            lines.addObject()
                    .put(PATH, line.path())
                    .put("line", line.number())
                    .put("column", line.column().orElse(1))
                    .put("content", line.text());
        }
        return lines;
    }

    private static ExecRequest request(CallArguments given, String command) {
        boolean isScript = command.equals("script");
        List<String> args = isScript ? List.of() : given.texts("args").orElse(List.of());
        ExecRequest request = ExecRequest.of(given.text(command), args.toArray(String[]::new));
        request = with(request, given.optionalText("cwd"), ExecRequest::in);
        request = with(request, given.optionalContent("stdin"), ExecRequest::stdin);
        request = with(request, given.milliseconds("timeoutMs"), ExecRequest::timeout);
        request = request.env(given.variables("env"));
        request = with(request, given.texts("envKeys"), ExecRequest::envKeys);
        return given.flag("includeSecrets", /* otherwise */ false) ? request.withSecrets() : request;
    }

    private static <T> ExecRequest with(
            ExecRequest request, Optional<T> given, BiFunction<ExecRequest, T, ExecRequest> change) {
        return given.map(value -> change.apply(request, value)).orElse(request);
    }

    private JsonNode emit(CallArguments given, AbortSignal signal) {
        BindingEvent.Scope scope = constant(given, "scope", BindingEvent.Scope.values());
        BindingEvent.Outcome outcome = constant(given, "outcome", BindingEvent.Outcome.values());
        try {
            container.observe(new BindingEvent(
                    scope, given.text("action"), outcome, given.optionalText("target"), given.optionalText("detail")));
        } catch (IllegalArgumentException malformed) {
            throw given.invalid(String.valueOf(malformed.getMessage()));
        }
        return nothing();
    }

    private static <E extends Enum<E>> E constant(CallArguments given, String name, E[] values) {
        String text = given.text(name);
        for (E value : values) {
            if (value.name().toLowerCase(Locale.ROOT).equals(text)) {
                return value;
            }
        }
        throw given.invalid("'" + name + "' is one of "
                + String.join(
                        ", ",
                        List.of(values).stream()
                                .map(value -> value.name().toLowerCase(Locale.ROOT))
                                .toList()));
    }

    private static byte[] bytes(CallArguments given) {
        try {
            return Base64.getDecoder().decode(given.text("base64"));
        } catch (IllegalArgumentException malformed) {
            throw given.invalid("'base64' is no text in base 64");
        }
    }

    private static JsonNode result(ExecResult ended) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("exitCode", ended.exitCode())
                .put("stdout", ended.stdout())
                .put("stderr", ended.stderr())
                .put("timedOut", ended.timedOut())
                .put("durationMs", ended.took().toMillis());
    }

    private static ObjectNode entry(Entry entry) {
        return JsonNodeFactory.instance
                .objectNode()
                .put(PATH, entry.path())
                .put(
                        "kind",
                        entry.kind() == Entry.Kind.LINK
                                ? "symlink"
                                : entry.kind().name().toLowerCase(Locale.ROOT))
                .put("size", entry.size());
    }

    private static ArrayNode entries(List<Entry> entries) {
        ArrayNode array = array();
        entries.forEach(one -> array.add(entry(one)));
        return array;
    }

    private static ArrayNode texts(List<String> texts) {
        ArrayNode array = array();
        texts.forEach(array::add);
        return array;
    }

    private static ArrayNode array() {
        return JsonNodeFactory.instance.arrayNode();
    }

    private static JsonNode text(String value) {
        return JsonNodeFactory.instance.textNode(value);
    }

    private static JsonNode nothing() {
        return JsonNodeFactory.instance.nullNode();
    }
}
