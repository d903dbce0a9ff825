package dev.paddock.executor.config;

import dev.paddock.executor.policy.NetworkPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Renders the effective settings as a file. */
final class ConfigText {
    private ConfigText() {}

    static String render(ConfigLayer counting, String executor, NetworkPolicy network) {
        List<String> lines = new ArrayList<>();
        lines.add(line("executor: " + executors(executor), counting.entry(Key.EXECUTOR)));
        counting.entry(Key.IMAGE).ifPresent(entry -> lines.add(text("", Key.IMAGE, entry)));
        counting.entry(Key.CONTAINER).ifPresent(entry -> lines.add(text("", Key.CONTAINER, entry)));
        settings(counting, lines);
        String engineNetwork = counting.text(Key.NETWORK)
                .flatMap(EngineNetwork::name)
                .map(name -> "{ docker: " + quoted(name) + " }")
                .orElseGet(() -> network(network));
        lines.add(line("network: " + engineNetwork, counting.entry(Key.NETWORK)));
        counting.entry(Key.UNIX_SOCKETS).ifPresent(entry -> lines.add(text("", Key.UNIX_SOCKETS, entry)));
        groups(counting, lines);
        for (Key key : List.of(Key.TOOLCHAINS, Key.IDENTITY, Key.SHELL)) {
            counting.entry(key).ifPresent(entry -> lines.add(text("", key, entry)));
        }
        caches(counting, lines);
        limits(counting, lines);
        List<String> tmp = new ArrayList<>();
        for (Key key : List.of(Key.TMP_SIZE, Key.TMP_EXEC)) {
            counting.entry(key).ifPresent(entry -> tmp.add(text("  ", key, entry)));
        }
        under(Key.TMP, tmp, lines);
        counting.entry(Key.ROOT).ifPresent(entry -> lines.add(text("", Key.ROOT, entry)));
        if (!counting.mounts().isEmpty()) {
            lines.add("mounts:");
            counting.mounts()
                    .forEach(mount -> lines.add(line(
                            "  - { source: " + quoted(mount.source().toString()) + ", target: " + quoted(mount.target())
                                    + ", access: " + mount.word() + " }",
                            mount.origin())));
        }
        environment(counting, lines);
        counting.entry(Key.AUDIT).ifPresent(entry -> lines.add(text("", Key.AUDIT, entry)));
        servers(counting, lines);
        models(counting, lines);
        return String.join("\n", lines) + "\n";
    }

    private static String executors(String names) {
        return names.indexOf(',') < 0 ? names : "[" + names.replace(",", ", ") + "]";
    }

    private static void settings(ConfigLayer counting, List<String> lines) {
        List<String> shown = new ArrayList<>();
        counting.settings()
                .forEach((name, entry) ->
                        shown.add(line("  " + name + ": " + quoted(String.valueOf(entry.value())), entry.origin())));
        under(Key.SETTINGS, shown, lines);
    }

    private static String network(NetworkPolicy network) {
        return network instanceof NetworkPolicy.Allow allow
                ? "{ allow: ["
                        + String.join(
                                ", ",
                                allow.hosts().stream().map(ConfigText::flow).toList())
                        + "]" + (allow.isThroughHostProxy() ? ", proxy: " + Values.PROXY_OF_HOST : "")
                        + (allow.offersProxy() ? ", proxy-variables: " + Values.TRUE : "") + " }"
                : network.text();
    }

    /** Returns a scalar for a one-line list, where a comma would end it. */
    private static String flow(String value) {
        return value.contains(",") || value.startsWith("*") ? "\"" + value + "\"" : value;
    }

    private static void caches(ConfigLayer counting, List<String> lines) {
        if (!counting.caches().isEmpty()) {
            lines.add("caches:");
            counting.caches().forEach(cache -> lines.add(line("  - " + cache.name(), cache.origin())));
        }
        for (Key key : List.of(Key.CACHE_SCOPE, Key.CACHE_FROM_HOME)) {
            counting.entry(key).ifPresent(entry -> lines.add(line(key.word() + ": " + entry.value(), entry.origin())));
        }
    }

    private static void groups(ConfigLayer counting, List<String> lines) {
        List<String> shown = new ArrayList<>();
        counting.named(HostGroup.class)
                .forEach((group, origin) -> shown.add(line(
                        "  " + quoted(group.name()) + ": ["
                                + String.join(
                                        ", ",
                                        group.rules().stream()
                                                .map(ConfigText::flow)
                                                .toList())
                                + "]",
                        origin)));
        under(Key.GROUPS, shown, lines);
    }

    private static void servers(ConfigLayer counting, List<String> lines) {
        List<String> shown = new ArrayList<>();
        counting.named(McpServer.class)
                .forEach((server, origin) -> shown.add(line("  " + server.name() + ": " + flow(server), origin)));
        under(Key.MCP, shown, lines);
    }

    private static void models(ConfigLayer counting, List<String> lines) {
        List<String> shown = new ArrayList<>();
        counting.named(ModelAlias.class).forEach((model, origin) -> {
            List<String> parts = new ArrayList<>();
            parts.add("provider: " + quoted(model.provider()));
            parts.add("model: " + quoted(model.model()));
            model.baseUrl().ifPresent(url -> parts.add("base-url: " + quoted(url)));
            model.keyEnv().ifPresent(name -> parts.add("key-env: " + name));
            model.maxTokens().ifPresent(most -> parts.add("max-tokens: " + most));
            shown.add(line("  " + quoted(model.name()) + ": " + flow(parts), origin));
        });
        under(Key.MODELS, shown, lines);
    }

    private static String flow(McpServer server) {
        List<String> parts = new ArrayList<>();
        switch (server) {
            case McpServer.Program program -> {
                parts.add("command: " + quoted(program.command()));
                parts.add("run: " + (program.inSandbox() ? AgentValues.SANDBOX : AgentValues.HOST));
                if (!program.env().isEmpty()) {
                    parts.add("env: "
                            + flow(new TreeMap<>(program.env())
                                    .entrySet().stream()
                                            .map(set -> set.getKey() + ": \"" + escaped(set.getValue()) + "\"")
                                            .toList()));
                }
                if (!program.pass().isEmpty()) {
                    parts.add("pass: [" + String.join(", ", program.pass()) + "]");
                }
            }
            case McpServer.Remote remote -> {
                parts.add("url: " + quoted(remote.url().toString()));
                remote.token().ifPresent(name -> parts.add("token: " + name));
            }
        }
        return flow(parts);
    }

    private static String flow(List<String> parts) {
        return "{ " + String.join(", ", parts) + " }";
    }

    private static void under(Key key, List<String> shown, List<String> lines) {
        if (!shown.isEmpty()) {
            lines.add(key.word() + ":");
            lines.addAll(shown);
        }
    }

    private static void limits(ConfigLayer counting, List<String> lines) {
        boolean isFirst = true;
        for (Key key : Key.below(Key.LIMITS.path())) {
            Optional<ConfigLayer.Entry> entry = counting.entry(key);
            if (entry.isPresent()) {
                if (isFirst) {
                    lines.add("limits:");
                }
                isFirst = false;
                lines.add(text("  ", key, entry.get()));
            }
        }
    }

    private static void environment(ConfigLayer counting, List<String> lines) {
        Map<String, ConfigLayer.Entry> set = counting.set();
        if (counting.passed().isEmpty() && counting.fromWorktree().isEmpty() && set.isEmpty()) {
            return;
        }
        lines.add("environment:");
        names(Key.PASS, counting.passed(), lines);
        names(Key.FROM_WORKTREE, counting.fromWorktree(), lines);
        if (!set.isEmpty()) {
            lines.add("  set:");
            set.forEach((name, entry) -> lines.add(
                    line("    " + quoted(name) + ": " + quoted(String.valueOf(entry.value())), entry.origin())));
        }
    }

    private static void names(Key key, List<ConfigLayer.Passed> names, List<String> lines) {
        if (!names.isEmpty()) {
            lines.add("  " + key.word() + ":");
            names.forEach(name -> lines.add(line("    - " + quoted(name.name()), name.origin())));
        }
    }

    private static String text(String indent, Key key, ConfigLayer.Entry entry) {
        return line(indent + key.word() + ": " + quoted(String.valueOf(entry.value())), entry.origin());
    }

    private static String line(String text, Optional<ConfigLayer.Entry> entry) {
        return entry.map(found -> line(text, found.origin())).orElse(text + "  # the default");
    }

    private static String line(String text, Origin origin) {
        return origin.places().isEmpty() ? text : text + "  # " + origin.text().replaceAll("\\p{Cntrl}", "?");
    }

    /** Returns a scalar that YAML reads as this text: as it is if it is plain, otherwise in double quotes. */
    private static String quoted(String value) {
        if (value.matches("[A-Za-z0-9_./][A-Za-z0-9_./:@+-]*")
                && !value.endsWith(":")
                && !value.matches("true|false|null")) {
            return value;
        }
        return '"' + escaped(value) + '"';
    }

    private static String escaped(String value) {
        StringBuilder text = new StringBuilder();
        for (int index = 0; index < value.length(); index++) {
            char character = value.charAt(index);
            if (character == '"' || character == '\\') {
                text.append('\\').append(character);
            } else if (character < ' ' || character == 0x7f || character == 0x85) {
                text.append(String.format("\\x%02x", (int) character));
            } else {
                text.append(character);
            }
        }
        return text.toString();
    }
}
