package dev.paddock.harness.guest.module;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.harness.guest.GuestException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Turns TypeScript and JSX into JavaScript, in a guest without bindings that sees the source as
 * data. Results are cached by the SHA-256 of their source, in memory and on disk.
 * Thread-safe.
 */
public final class ModuleTranspiler {
    private static final int MAX_KEPT = 512;

    private final Function<JsonNode, JsonNode> guest;
    private final Supplier<TranspiledFiles> files;
    private final Map<String, Transpiled> kept = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Transpiled> eldest) {
            return size() > MAX_KEPT;
        }
    };

    /**
     * Creates a transpiler.
     *
     * @param guest runs the transpiler on an array of requests, in a guest, and returns its
     *     array of answers
     * @param files returns the modules on disk, the same ones on each call
     */
    public ModuleTranspiler(Function<JsonNode, JsonNode> guest, Supplier<TranspiledFiles> files) {
        this.guest = guest;
        this.files = files;
    }

    /**
     * Transpiles some modules.
     *
     * @return the results in the same order
     * @throws GuestException if one is malformed; its message has the module's name
     */
    List<Transpiled> transpile(List<ModuleSource> sources) {
        Map<String, Transpiled> made = new HashMap<>();
        Map<String, ModuleSource> missing = new LinkedHashMap<>();
        for (ModuleSource source : sources) {
            String key = key(source);
            find(key, source).ifPresentOrElse(found -> made.put(key, found), () -> missing.put(key, source));
        }
        if (!missing.isEmpty()) {
            made.putAll(make(missing));
        }
        synchronized (kept) {
            kept.putAll(made);
        }
        return sources.stream()
                .map(source -> Objects.requireNonNull(made.get(key(source))))
                .toList();
    }

    private Map<String, Transpiled> make(Map<String, ModuleSource> missing) {
        ArrayNode requests = new ObjectMapper().createArrayNode();
        missing.values()
                .forEach(source -> requests.addObject()
                        .put("path", source.name())
                        .put("source", source.text())
                        .put("typescript", source.kind() != ModuleSource.Kind.JS)
                        .put("jsx", source.kind() == ModuleSource.Kind.TSX));
        JsonNode answers = guest.apply(requests);
        Map<String, Transpiled> made = new LinkedHashMap<>();
        int at = 0;
        for (Map.Entry<String, ModuleSource> one : missing.entrySet()) {
            String answer = answers.path(at++).asText();
            made.put(one.getKey(), read(one.getValue(), answer));
            files.get().keep(one.getKey(), answer);
        }
        return made;
    }

    private Optional<Transpiled> find(String key, ModuleSource source) {
        synchronized (kept) {
            Optional<Transpiled> found = Optional.ofNullable(kept.get(key));
            if (found.isPresent()) {
                return found;
            }
        }
        try {
            return files.get().find(key).map(answer -> read(source, answer));
        } catch (GuestException damaged) {
            return Optional.empty(); // never happens: only readable answers were cached
        }
    }

    private static Transpiled read(ModuleSource source, String answer) {
        try {
            JsonNode made = new ObjectMapper().readTree(answer);
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
        return Sha256.hex(source.kind() + "\n" + source.name() + "\n" + source.text());
    }
}
