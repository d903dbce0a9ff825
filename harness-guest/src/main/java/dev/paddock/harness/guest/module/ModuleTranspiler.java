package dev.paddock.harness.guest.module;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.harness.guest.GuestException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Turns TypeScript and JSX into JavaScript, in a guest without bindings that sees the source as
 * data. Results are kept by the SHA-256 of what they were made of. Thread-safe.
 */
public final class ModuleTranspiler {
    private static final int MOST_KEPT = 512;

    private final Function<JsonNode, JsonNode> guest;
    private final Map<String, Transpiled> kept = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Transpiled> eldest) {
            return size() > MOST_KEPT;
        }
    };

    /**
     * Creates a transpiler.
     *
     * @param guest runs the transpiler's own code on an array of requests, in a guest, and returns its
     *     array of answers
     */
    public ModuleTranspiler(Function<JsonNode, JsonNode> guest) {
        this.guest = guest;
    }

    /**
     * Transpiles some modules.
     *
     * @return the results in the same order
     * @throws GuestException if one is malformed; its message has the module's name
     */
    List<Transpiled> transpile(List<ModuleSource> sources) {
        ArrayNode requests = new ObjectMapper().createArrayNode();
        List<String> keys = new ArrayList<>();
        List<ModuleSource> missing = new ArrayList<>();
        for (ModuleSource source : sources) {
            String key = key(source);
            keys.add(key);
            if (find(key) == null) {
                missing.add(source);
                requests.addObject()
                        .put("path", source.name())
                        .put("source", source.text())
                        .put("typescript", source.kind() != ModuleSource.Kind.JS)
                        .put("jsx", source.kind() == ModuleSource.Kind.TSX);
            }
        }
        Map<String, Transpiled> made = new LinkedHashMap<>();
        if (!missing.isEmpty()) {
            JsonNode answers = guest.apply(requests);
            for (int at = 0; at < missing.size(); at++) {
                made.put(key(missing.get(at)), read(missing.get(at), answers.path(at)));
            }
        }
        synchronized (kept) {
            kept.putAll(made);
        }
        return keys.stream()
                .map(key -> {
                    Transpiled result = made.get(key);
                    return result != null ? result : Objects.requireNonNull(find(key));
                })
                .toList();
    }

    private @Nullable Transpiled find(String key) {
        synchronized (kept) {
            return kept.get(key);
        }
    }

    private static Transpiled read(ModuleSource source, JsonNode answer) {
        try {
            JsonNode made = new ObjectMapper().readTree(answer.asText());
            if (!(made instanceof ObjectNode)
                    || made.has("error")
                    || !made.path("code").isTextual()) {
                throw new GuestException(
                        GuestException.Kind.MODULE,
                        "SyntaxError",
                        source.name() + ": " + made.path("error").asText("it could not be read"),
                        "",
                        List.of());
            }
            List<Transpiled.Import> imports = new ArrayList<>();
            made.path("imports").forEach(one -> imports.add(anImport(one, /* dynamic */ false)));
            made.path("dynamic").forEach(one -> imports.add(anImport(one, /* dynamic */ true)));
            return new Transpiled(made.path("code").asText(), imports);
        } catch (JsonProcessingException malformed) {
            throw new GuestException(
                    GuestException.Kind.MODULE, "SyntaxError", source.name() + " could not be read", "", List.of());
        }
    }

    private static Transpiled.Import anImport(JsonNode one, boolean dynamic) {
        return new Transpiled.Import(
                one.path("specifier").asText(), one.path("line").asInt(), dynamic);
    }

    private static String key(ModuleSource source) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update((source.kind() + "\n" + source.name() + "\n").getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest.digest(source.text().getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
