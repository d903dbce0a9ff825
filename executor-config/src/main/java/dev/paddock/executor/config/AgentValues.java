package dev.paddock.executor.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Builds the values of {@code mcp} and {@code models} from their parts: texts, lists and maps
 * of texts. Each method throws IllegalArgumentException with the reason.
 */
final class AgentValues {
    static final String HOST = "host";
    static final String SANDBOX = "sandbox";

    private static final Pattern SERVER = Pattern.compile("[A-Za-z0-9-]{1,24}");
    private static final Pattern ALIAS = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Pattern COUNT = Pattern.compile("[1-9]\\d{0,8}");

    private AgentValues() {}

    /** Builds the named value below one of the two keys. */
    static Object of(Key key, String name, Map<Key, Object> parts) {
        return key == Key.MCP ? server(name, parts) : model(name, parts);
    }

    private static McpServer server(String name, Map<Key, Object> parts) {
        if (!SERVER.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "an MCP server's name is 1 to 24 letters, digits and '-', not '" + name + "'");
        }
        Optional<String> command = text(parts, Key.MCP_COMMAND);
        Optional<String> url = text(parts, Key.MCP_URL);
        if (command.isPresent() == url.isPresent()) {
            throw new IllegalArgumentException("the MCP server '" + name
                    + "' is a program or an address: give it a command or a url, one of them");
        }
        if (command.isPresent()) {
            refuse(name, parts, Key.MCP_TOKEN, "a url");
            return new McpServer.Program(
                    name,
                    command.get(),
                    variables(parts),
                    names(parts),
                    text(parts, Key.MCP_RUN).map(SANDBOX::equals).orElse(true));
        }
        for (Key key : List.of(Key.MCP_ENV, Key.MCP_PASS, Key.MCP_RUN)) {
            refuse(name, parts, key, "a command");
        }
        return new McpServer.Remote(name, address(name, url.get()), text(parts, Key.MCP_TOKEN));
    }

    private static void refuse(String name, Map<Key, Object> parts, Key key, String of) {
        if (parts.containsKey(key)) {
            throw new IllegalArgumentException("the MCP server '" + name + "' has " + key.word() + ", which is for "
                    + of + " alone; leave it out");
        }
    }

    private static URI address(String name, String text) {
        try {
            URI url = new URI(text);
            boolean isHttp = List.of("http", "https").contains(String.valueOf(url.getScheme()));
            if (isHttp && url.getHost() != null && url.getUserInfo() == null) {
                return url;
            }
        } catch (URISyntaxException malformed) {
            // Reported below, without the text: it may contain a password.
        }
        throw new IllegalArgumentException("the url of the MCP server '" + name
                + "' is not http or https with a host and without a user; write https://host/mcp, and name the variable"
                + " of a token with 'token'");
    }

    private static ModelAlias model(String name, Map<Key, Object> parts) {
        if (!ALIAS.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "a model's name is 1 to 64 letters, digits, '.', '_' and '-', not '" + name + "'");
        }
        return new ModelAlias(
                name,
                required(name, parts, Key.MODEL_PROVIDER),
                required(name, parts, Key.MODEL_MODEL),
                text(parts, Key.MODEL_BASE_URL),
                text(parts, Key.MODEL_KEY_ENV),
                text(parts, Key.MODEL_MAX_TOKENS)
                        .map(text -> OptionalInt.of(Integer.parseInt(text)))
                        .orElse(OptionalInt.empty()));
    }

    private static String required(String name, Map<Key, Object> parts, Key key) {
        return text(parts, key)
                .orElseThrow(() -> new IllegalArgumentException(
                        "the model '" + name + "' lacks its " + key.word() + "; write { provider: ..., model: ... }"));
    }

    /** Checks the text of a part. */
    static void check(Key key, String text) {
        switch (key) {
            case MCP_RUN -> Values.requireOne(key, text, SANDBOX, HOST);
            case MCP_TOKEN, MODEL_KEY_ENV -> Values.requireVariable(text, "");
            case MODEL_MAX_TOKENS -> {
                if (!COUNT.matcher(text).matches()) {
                    throw new IllegalArgumentException(
                            key.path() + " is a whole number such as 8192, not '" + text + "'");
                }
            }
            default -> {
                if (text.isBlank()) {
                    throw new IllegalArgumentException(key.path() + " is empty; give it a value");
                }
            }
        }
    }

    private static Optional<String> text(Map<Key, Object> parts, Key key) {
        return Optional.ofNullable(parts.get(key)).map(String::valueOf);
    }

    private static List<String> names(Map<Key, Object> parts) {
        List<String> names = new ArrayList<>();
        if (parts.get(Key.MCP_PASS) instanceof List<?> given) {
            given.forEach(name -> names.add(String.valueOf(name)));
        }
        return names;
    }

    private static Map<String, String> variables(Map<Key, Object> parts) {
        Map<String, String> variables = new LinkedHashMap<>();
        if (parts.get(Key.MCP_ENV) instanceof Map<?, ?> given) {
            given.forEach((name, value) -> variables.put(String.valueOf(name), String.valueOf(value)));
        }
        return variables;
    }
}
