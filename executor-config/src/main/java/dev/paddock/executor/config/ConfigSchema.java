package dev.paddock.executor.config;

import dev.paddock.executor.config.grant.CacheKind;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes the JSON Schema of the files from the table of keys. */
final class ConfigSchema {
    private static final String BYTES = "^[0-9]{1,18}[bkmgBKMG]?$";

    private ConfigSchema() {}

    static String json() {
        return "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
                + "  \"title\": \"paddock.yaml\",\n"
                + "  \"description\": \"What Paddock's sandbox grants to commands\",\n"
                + object("", "  ") + "\n}\n";
    }

    private static String object(String parent, String indent) {
        String fields = Key.below(parent).stream()
                .map(key -> indent + "  \"" + key.word() + "\": {\n" + indent + "    \"description\": \"" + key.help()
                        + "\",\n" + form(key, indent + "    ") + "\n" + indent + "  }")
                .collect(Collectors.joining(",\n"));
        String exclusive =
                parent.isEmpty() ? ",\n" + indent + "\"not\": { \"required\": [\"image\", \"container\"] }" : "";
        return indent + "\"type\": \"object\",\n" + indent + "\"additionalProperties\": false,\n" + indent
                + "\"properties\": {\n" + fields + "\n" + indent + "}" + exclusive;
    }

    private static String form(Key key, String indent) {
        return switch (key) {
            case LIMITS, ENVIRONMENT, TMP -> object(key.path(), indent);
            case NETWORK ->
                indent + "\"anyOf\": [\n" + indent + "  {\n"
                        + choice(indent + "    ", List.of("off", "open")) + "\n" + indent + "  },\n" + indent + "  {\n"
                        + object(key.path(), indent + "    ") + ",\n" + indent
                        + "    \"oneOf\": [{ \"required\": [\"allow\"] }, { \"required\": [\"docker\"] }]\n" + indent
                        + "  }\n" + indent + "]";
            case MCP, MODELS ->
                indent + "\"type\": \"object\",\n" + indent + "\"additionalProperties\": {\n"
                        + object(key.path(), indent + "  ") + required(key, indent) + "\n" + indent + "}";
            case MCP_RUN -> choice(indent, List.of(AgentValues.SANDBOX, AgentValues.HOST));
            case MODEL_MAX_TOKENS -> indent + "\"type\": \"integer\",\n" + indent + "\"minimum\": 1";
            case AUDIT -> choice(indent, List.of("on", "required", "off"));
            case ACCESS -> choice(indent, List.of("ro", "rw"));
            case MEMORY, FILE_SIZE, TMP_SIZE ->
                indent + "\"type\": [\"string\", \"integer\"],\n" + indent + "\"pattern\": \"" + BYTES + "\"";
            case CPUS -> indent + "\"type\": \"number\",\n" + indent + "\"exclusiveMinimum\": 0";
            case PROCESSES -> indent + "\"type\": \"integer\",\n" + indent + "\"minimum\": 1";
            case TOOLCHAINS -> choice(indent, List.of(Values.TOOLCHAINS_OF_PATH, "off"));
            case ROOT -> choice(indent, List.of("read-only", Values.WRITABLE));
            case UNIX_SOCKETS -> choice(indent, List.of("on", Values.OFF));
            case SHELL -> choice(indent, List.of(Values.BASH, "sh"));
            case IDENTITY -> choice(indent, List.of(Values.IDENTITY_OF_USER, "none"));
            case ALLOW_PROXY -> choice(indent, List.of(Values.PROXY_OF_HOST, "none"));
            case CACHE_SCOPE -> choice(indent, List.of("worktree", Values.SCOPE_OF_USER));
            case CACHE_FROM_HOME, PROXY_VARIABLES, TMP_EXEC -> indent + "\"type\": \"boolean\"";
            case CACHES ->
                indent + "\"type\": \"array\",\n" + indent + "\"items\": { \"enum\": "
                        + words(Stream.of(CacheKind.values())
                                .map(CacheKind::word)
                                .toList()) + " }";
            case PASS, FROM_WORKTREE, ALLOW, MCP_PASS ->
                indent + "\"type\": \"array\",\n" + indent + "\"items\": { \"type\": \"string\", \"minLength\": 1 }";
            case SET, SETTINGS, MCP_ENV ->
                indent + "\"type\": \"object\",\n" + indent
                        + "\"additionalProperties\": { \"type\": [\"string\", \"number\"] }";
            case GROUPS ->
                indent + "\"type\": \"object\",\n" + indent
                        + "\"additionalProperties\": { \"type\": \"array\", \"items\": { \"type\": \"string\" },"
                        + " \"minItems\": 1 }";
            case MOUNTS ->
                indent + "\"type\": \"array\",\n" + indent + "\"items\": {\n" + object(key.path(), indent + "  ")
                        + ",\n" + indent + "  \"required\": [\"source\", \"target\"]\n" + indent + "}";
            case EXECUTOR ->
                indent + "\"type\": [\"string\", \"array\"],\n" + indent
                        + "\"items\": { \"type\": \"string\", \"minLength\": 1 },\n" + indent
                        + "\"minItems\": 1,\n" + indent + "\"examples\": " + words(Values.BACKENDS);
            case EXTENDS -> indent + "\"type\": \"string\",\n" + indent + "\"examples\": " + words(Presets.NAMES);
            case TARGET -> indent + "\"type\": \"string\",\n" + indent + "\"pattern\": \"^(/|~/)\"";
            default -> indent + "\"type\": \"string\",\n" + indent + "\"minLength\": 1";
        };
    }

    private static String required(Key key, String indent) {
        return key == Key.MODELS
                ? ",\n" + indent + "  \"required\": [\"provider\", \"model\"]"
                : ",\n" + indent + "  \"oneOf\": [{ \"required\": [\"command\"] }, { \"required\": [\"url\"] }]";
    }

    private static String choice(String indent, List<String> words) {
        return indent + "\"enum\": " + words(words);
    }

    private static String words(List<String> words) {
        return words.stream().map(word -> "\"" + word + "\"").collect(Collectors.joining(", ", "[", "]"));
    }
}
