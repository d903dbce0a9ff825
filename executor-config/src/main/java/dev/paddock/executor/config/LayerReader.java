package dev.paddock.executor.config;

import dev.paddock.executor.config.spelling.Spelling;
import dev.paddock.executor.policy.HostRule;
import dev.paddock.executor.policy.Mount;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Turns a file's tree into a layer, and refuses every key and value that is not in {@link Key}. */
final class LayerReader {
    private static final List<Tag> TEXTS = List.of(Tag.STR, Tag.INT, Tag.FLOAT);

    private final ConfigFile file;
    private final Map<String, ConfigLayer.Entry> entries = new LinkedHashMap<>();

    private LayerReader(ConfigFile file) {
        this.file = file;
    }

    /**
     * The content of a configuration file.
     *
     * @param layer its settings
     * @param base what it extends: a preset or a path; empty if nothing
     */
    record Read(ConfigLayer layer, Optional<ConfigLayer.Entry> base) {}

    static Read read(ConfigFile file) {
        LayerReader reader = new LayerReader(file);
        reader.map("", file.read());
        if (reader.entries.containsKey(Key.IMAGE.path()) && reader.entries.containsKey(Key.CONTAINER.path())) {
            throw SandboxConfigException.at(
                    new ConfigLayer(reader.entries, false).origin(Key.CONTAINER),
                    "image makes a container and container uses one: give one of them");
        }
        Optional<ConfigLayer.Entry> base = Optional.ofNullable(reader.entries.remove(Key.EXTENDS.path()));
        return new Read(new ConfigLayer(reader.entries, false), base);
    }

    private void map(String parent, Node node) {
        for (Map.Entry<String, NodeTuple> field : fields(parent, node).entrySet()) {
            Key key = key(parent, field.getKey(), field.getValue().getKeyNode());
            value(key, field.getValue().getValueNode());
        }
    }

    private void value(Key key, Node node) {
        switch (key) {
            case EXECUTOR -> put(key.path(), checking(node, () -> Values.checked(key, executor(node))), node);
            case LIMITS, ENVIRONMENT, TMP -> map(key.path(), node);
            case SET -> variables(node);
            case SETTINGS -> settings(node);
            case PASS -> names(key, node, Values::passed);
            case FROM_WORKTREE -> names(key, node, Values::variable);
            case CACHES -> names(key, node, Values::cache);
            case CACHE_FROM_HOME, TMP_EXEC ->
                put(key.path(), checking(node, () -> Values.checked(key, truth(key, node))), node);
            case MOUNTS -> mounts(node);
            case MCP, MODELS -> named(key, node);
            case NETWORK -> network(node);
            case GROUPS -> groups(node);
            default -> put(key.path(), checking(node, () -> Values.checked(key, text(key.path(), node))), node);
        }
    }

    /** Returns one name, or the names of a list, separated by commas. */
    private String executor(Node node) {
        return node instanceof SequenceNode list
                ? list.getValue().stream()
                        .map(item -> text(Key.EXECUTOR.path(), item).replace(",", ", "))
                        .collect(Collectors.joining(","))
                : text(Key.EXECUTOR.path(), node);
    }

    private void network(Node node) {
        if (node instanceof MappingNode) {
            Map<String, NodeTuple> fields = fields(Key.NETWORK.path(), node);
            NodeTuple engine = fields.get(Key.NETWORK_DOCKER.word());
            put(Key.NETWORK.path(), engine == null ? hosts(fields, node) : engineNetwork(engine, fields, node), node);
            return;
        }
        put(Key.NETWORK.path(), checking(node, () -> Values.checked(Key.NETWORK, text("network", node))), node);
    }

    private String engineNetwork(NodeTuple engine, Map<String, NodeTuple> fields, Node node) {
        if (fields.size() > 1) {
            throw refused(node, "network.docker is an open network, and goes with no other key");
        }
        Node name = engine.getValueNode();
        return checking(name, () -> EngineNetwork.text(text(Key.NETWORK_DOCKER.path(), name)));
    }

    private String hosts(Map<String, NodeTuple> fields, Node node) {
        List<String> items = new ArrayList<>();
        Map<Key, String> words = new EnumMap<>(Key.class);
        for (Map.Entry<String, NodeTuple> field : fields.entrySet()) {
            Key key = key(Key.NETWORK.path(), field.getKey(), field.getValue().getKeyNode());
            Node value = field.getValue().getValueNode();
            if (key == Key.ALLOW) {
                items(key, value)
                        .forEach(item -> items.add(checking(item, () -> HostGroup.item(text(key.path(), item)))));
            } else {
                words.put(key, checking(value, () -> Values.checked(key, truth(key, value))));
            }
        }
        return checking(
                node,
                () -> new HostList(
                                items,
                                Values.PROXY_OF_HOST.equals(words.get(Key.ALLOW_PROXY)),
                                Values.TRUE.equals(words.get(Key.PROXY_VARIABLES)))
                        .text());
    }

    private void groups(Node node) {
        fields(Key.GROUPS.path(), node).forEach((name, field) -> {
            List<String> rules = new ArrayList<>();
            for (Node item : items(Key.GROUPS, field.getValueNode())) {
                rules.add(checking(
                        item,
                        () -> HostRule.parse(text(Key.GROUPS.path(), item)).toString()));
            }
            Node at = field.getKeyNode();
            put(Key.GROUPS.path() + "." + name, checking(at, () -> new HostGroup(name, rules)), at);
        });
    }

    private void variables(Node node) {
        fields(Key.SET.path(), node).forEach((name, field) -> {
            Node value = field.getValueNode();
            String text = text(ConfigLayer.SET_PREFIX + name, value);
            checking(value, () -> {
                Values.requireVariable(name, text);
                return text;
            });
            put(ConfigLayer.SET_PREFIX + name, text, value);
        });
    }

    private void settings(Node node) {
        fields(Key.SETTINGS.path(), node).forEach((name, field) -> {
            Node value = field.getValueNode();
            String path = ConfigLayer.SETTINGS_PREFIX + name;
            put(path, checking(value, () -> Values.setting(name, text(path, value))), value);
        });
    }

    private void named(Key key, Node node) {
        fields(key.path(), node).forEach((name, field) -> {
            Map<Key, Object> parts = new EnumMap<>(Key.class);
            fields(key.path() + "." + name, field.getValueNode()).forEach((word, part) -> {
                Key of = key(key.path(), word, part.getKeyNode());
                parts.put(of, part(of, part.getValueNode()));
            });
            Node at = field.getKeyNode();
            put(key.path() + "." + name, checking(at, () -> AgentValues.of(key, name, parts)), at);
        });
    }

    private Object part(Key key, Node node) {
        return switch (key.kind()) {
            case LIST ->
                items(key, node).stream().map(item -> variable(key, item, "")).toList();
            case MAP -> {
                Map<String, String> variables = new LinkedHashMap<>();
                fields(key.path(), node).forEach((name, field) -> {
                    String value = text(key.path(), field.getValueNode());
                    variables.put(variable(key, field.getKeyNode(), value), value);
                });
                yield variables;
            }
            case TEXT ->
                checking(node, () -> {
                    String text = text(key.path(), node);
                    AgentValues.check(key, text);
                    return text;
                });
        };
    }

    private String variable(Key key, Node node, String value) {
        return checking(node, () -> {
            String name = text(key.path(), node);
            Values.requireVariable(name, value);
            return name;
        });
    }

    private void names(Key key, Node node, UnaryOperator<String> check) {
        List<ConfigLayer.Passed> names = new ArrayList<>();
        for (Node item : items(key, node)) {
            String name = checking(item, () -> check.apply(text(key.path(), item)));
            names.add(new ConfigLayer.Passed(name, file.at(item)));
        }
        put(key.path(), names, node);
    }

    private String truth(Key key, Node node) {
        return node instanceof ScalarNode scalar && scalar.getTag().equals(Tag.BOOL)
                ? scalar.getValue()
                : text(key.path(), node);
    }

    private void mounts(Node node) {
        List<ConfiguredMount> mounts = new ArrayList<>();
        Map<String, Integer> lines = new HashMap<>();
        for (Node item : items(Key.MOUNTS, node)) {
            ConfiguredMount mount = mount(item);
            Integer earlier = lines.putIfAbsent(mount.target(), mount.origin().line());
            if (earlier != null) {
                throw refused(
                        item,
                        "the target '" + mount.target() + "' is that of the mount in line " + earlier
                                + ", too; choose another");
            }
            mounts.add(mount);
        }
        put(Key.MOUNTS.path(), mounts, node);
    }

    private ConfiguredMount mount(Node item) {
        Map<Key, Node> parts = new HashMap<>();
        fields(Key.MOUNTS.path(), item)
                .forEach((word, field) ->
                        parts.put(key(Key.MOUNTS.path(), word, field.getKeyNode()), field.getValueNode()));
        Node source = part(item, parts, Key.SOURCE);
        Node target = part(item, parts, Key.TARGET);
        Mount.Access access = Mount.Access.READ_ONLY;
        Node word = parts.get(Key.ACCESS);
        if (word != null) {
            access = switch (text(Key.ACCESS.path(), word)) {
                case "ro" -> Mount.Access.READ_ONLY;
                case "rw" -> Mount.Access.READ_WRITE;
                default -> throw refused(word, "access is ro or rw, not '" + text(Key.ACCESS.path(), word) + "'");
            };
        }
        return new ConfiguredMount(
                checking(source, () -> path(text(Key.SOURCE.path(), source))),
                checking(target, () -> Values.target(text(Key.TARGET.path(), target))),
                access,
                file.at(item));
    }

    private Node part(Node mount, Map<Key, Node> parts, Key key) {
        Node found = parts.get(key);
        if (found == null) {
            throw refused(mount, "the mount lacks its " + key.word() + "; write { source: ..., target: ... }");
        }
        return found;
    }

    private Path path(String text) {
        return path(file.directory(), text);
    }

    /** Resolves a path of a file: from the file's directory, or from the user's home if it begins with ~/. */
    static Path path(Path directory, String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("the path is empty");
        }
        try {
            if (text.equals("~") || text.startsWith("~/")) {
                return Path.of(System.getProperty("user.home", "/"))
                        .resolve(text.substring(Math.min(2, text.length())));
            }
            return directory.resolve(text).normalize();
        } catch (InvalidPathException noPath) {
            throw new IllegalArgumentException("not a path: '" + text.replace("\0", "\\0") + "'", noPath);
        }
    }

    private Map<String, NodeTuple> fields(String parent, Node node) {
        requirePlain(node);
        if (!(node instanceof MappingNode mapping)) {
            String what = parent.isEmpty() ? "a configuration" : parent;
            throw refused(node, what + " is a map of keys and values, not " + kind(node));
        }
        Map<String, NodeTuple> fields = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            Node name = tuple.getKeyNode();
            requirePlain(name);
            String word = name instanceof ScalarNode scalar ? scalar.getValue() : "";
            if (!(name instanceof ScalarNode)) {
                throw refused(name, "a key is a word, not " + kind(name));
            }
            NodeTuple earlier = fields.putIfAbsent(word, tuple);
            if (earlier != null) {
                throw refused(
                        name,
                        "the key '" + word + "' is there twice, first in line "
                                + file.at(earlier.getKeyNode()).line());
            }
        }
        return fields;
    }

    private Key key(String parent, String word, Node at) {
        Optional<Key> found = Key.find(parent, word);
        if (found.isEmpty()) {
            List<String> known = Key.below(parent).stream().map(Key::word).toList();
            throw refused(
                    at,
                    "unknown key '" + word + "'"
                            + (parent.isEmpty() ? "" : " in " + parent)
                            + Spelling.nearest(word, known)
                                    .map(near -> "; did you mean '" + near + "'?")
                                    .orElse("; there are " + String.join(", ", known)));
        }
        return found.get();
    }

    private List<Node> items(Key key, Node node) {
        requirePlain(node);
        if (node instanceof SequenceNode sequence) {
            return sequence.getValue();
        }
        throw refused(node, key.path() + " is a list, not " + kind(node));
    }

    private String text(String path, Node node) {
        requirePlain(node);
        if (node instanceof ScalarNode scalar && TEXTS.contains(scalar.getTag())) {
            return scalar.getValue();
        }
        boolean canQuote =
                node instanceof ScalarNode scalar && !scalar.getValue().isEmpty();
        throw refused(node, path + " is a text, not " + kind(node) + (canQuote ? "; put it in quotes" : ""));
    }

    /** Refuses anchors: an alias could expand a file to any size. */
    private void requirePlain(Node node) {
        if (node.getAnchor().isPresent()) {
            throw refused(node, "anchors and aliases are not read; write the value where it is meant");
        }
    }

    private static String kind(Node node) {
        if (node instanceof MappingNode) {
            return "a map";
        }
        if (node instanceof SequenceNode) {
            return "a list";
        }
        String value = node instanceof ScalarNode scalar ? scalar.getValue() : "";
        return value.isEmpty() ? "nothing" : "'" + value + "'";
    }

    private <T> T checking(Node node, Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException refused) {
            throw refused(node, String.valueOf(refused.getMessage()));
        }
    }

    private void put(String key, Object value, Node node) {
        entries.put(key, new ConfigLayer.Entry(value, file.at(node)));
    }

    private SandboxConfigException refused(Node node, String message) {
        return SandboxConfigException.at(file.at(node), message);
    }
}
