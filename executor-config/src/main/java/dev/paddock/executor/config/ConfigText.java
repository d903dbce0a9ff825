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

    static String render(ConfigLayer effective, String executor, NetworkPolicy network) {
        List<String> lines = new ArrayList<>();
        lines.add(line("executor: " + executors(executor), effective.entry(Key.EXECUTOR)));
        effective.entry(Key.IMAGE).ifPresent(entry -> lines.add(text("", Key.IMAGE, entry)));
        effective.entry(Key.CONTAINER).ifPresent(entry -> lines.add(text("", Key.CONTAINER, entry)));
        settings(effective, lines);
        String engineNetwork = effective
                .text(Key.NETWORK)
                .flatMap(EngineNetwork::name)
                .map(name -> "{ docker: " + quoted(name) + " }")
                .orElseGet(() -> network(network));
        lines.add(line("network: " + engineNetwork, effective.entry(Key.NETWORK)));
        effective.entry(Key.UNIX_SOCKETS).ifPresent(entry -> lines.add(text("", Key.UNIX_SOCKETS, entry)));
        groups(effective, lines);
        for (Key key : List.of(Key.TOOLCHAINS, Key.IDENTITY, Key.SHELL)) {
            effective.entry(key).ifPresent(entry -> lines.add(text("", key, entry)));
        }
        caches(effective, lines);
        limits(effective, lines);
        List<String> tmp = new ArrayList<>();
        for (Key key : List.of(Key.TMP_SIZE, Key.TMP_EXEC)) {
            effective.entry(key).ifPresent(entry -> tmp.add(text("  ", key, entry)));
        }
        under(Key.TMP, tmp, lines);
        effective.entry(Key.ROOT).ifPresent(entry -> lines.add(text("", Key.ROOT, entry)));
        if (!effective.mounts().isEmpty()) {
            lines.add("mounts:");
            effective
                    .mounts()
                    .forEach(mount -> lines.add(line(
                            "  - { source: " + quoted(mount.source().toString()) + ", target: " + quoted(mount.target())
                                    + ", access: " + mount.word() + " }",
                            mount.origin())));
        }
        environment(effective, lines);
        effective.entry(Key.AUDIT).ifPresent(entry -> lines.add(text("", Key.AUDIT, entry)));
        servers(effective, lines);
        models(effective, lines);
        return String.join("\n", lines) + "\n";
    }

    private static String executors(String names) {
        return names.indexOf(',') < 0 ? names : "[" + names.replace(",", ", ") + "]";
    }

    private static void settings(ConfigLayer effective, List<String> lines) {
        List<String> shown = new ArrayList<>();
        effective
                .settings()
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

    private static void caches(ConfigLayer effective, List<String> lines) {
        if (!effective.caches().isEmpty()) {
            lines.add("caches:");
            effective.caches().forEach(cache -> lines.add(line("  - " + cache.name(), cache.origin())));
        }
        for (Key key : List.of(Key.CACHE_SCOPE, Key.CACHE_FROM_HOME)) {
            effective.entry(key).ifPresent(entry -> lines.add(line(key.word() + ": " + entry.value(), entry.origin())));
        }
    }

    private static void groups(ConfigLayer effective, List<String> lines) {
        List<String> shown = new ArrayList<>();
        effective
                .named(HostGroup.class)
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

    private static void servers(ConfigLayer effective, List<String> lines) {
        List<String> shown = new ArrayList<>();
        effective
                .named(McpServer.class)
                .forEach((server, origin) -> shown.add(line("  " + server.name() + ": " + flow(server), origin)));
        under(Key.MCP, shown, lines);
    }

    private static void models(ConfigLayer effective, List<String> lines) {
        List<String> shown = new ArrayList<>();
        effective.named(ModelAlias.class).forEach((model, origin) -> {
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

    private static void limits(ConfigLayer effective, List<String> lines) {
        boolean isFirst = true;
        for (Key key : Key.below(Key.LIMITS.path())) {
            Optional<ConfigLayer.Entry> entry = effective.entry(key);
            if (entry.isPresent()) {
                if (isFirst) {
                    lines.add("limits:");
                }
                isFirst = false;
                lines.add(text("  ", key, entry.get()));
            }
        }
    }

    private static void environment(ConfigLayer effective, List<String> lines) {
        Map<String, ConfigLayer.Entry> set = effective.set();
        if (effective.passed().isEmpty() && effective.fromWorktree().isEmpty() && set.isEmpty()) {
            return;
        }
        lines.add("environment:");
        names(Key.PASS, effective.passed(), lines);
        names(Key.FROM_WORKTREE, effective.fromWorktree(), lines);
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
        return origin.paths().isEmpty() ? text : text + "  # " + origin.text().replaceAll("\\p{Cntrl}", "?");
    }

    /** Returns a scalar that YAML reads as this text: plain if possible, otherwise in double quotes. */
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
