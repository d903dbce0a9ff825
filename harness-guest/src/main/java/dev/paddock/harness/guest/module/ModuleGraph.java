package dev.paddock.harness.guest.module;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.paddock.harness.bindings.WorkspaceBinding;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.guest.GuestException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The modules of guest code, read only by the workspace's rules: a file, the modules that it imports by relative paths,
 * and so on. Nothing else can be imported.
 */
public final class ModuleGraph {
    private static final int MAX_MODULES = 2_000;
    private static final long MAX_CHARACTERS = 16L << 20;
    private static final List<String> TRIED = List.of(".ts", ".tsx", ".js", ".mjs", ".json");

    private final WorkspaceBinding workspace;
    private final ModuleTranspiler transpiler;
    private final Map<String, String> modules = new LinkedHashMap<>();
    private final Map<String, Map<String, String>> imports = new LinkedHashMap<>();
    private int files;
    private long characters;

    private ModuleGraph(WorkspaceBinding workspace, ModuleTranspiler transpiler) {
        this.workspace = workspace;
        this.transpiler = transpiler;
    }

    /**
     * The code that a guest receives.
     *
     * @param main the name of the first module
     * @param modules the code of all, by name
     * @param imports the resolved module of each import, by module
     */
    public record Loaded(String main, Map<String, String> modules, Map<String, Map<String, String>> imports) {

        /**
         * Writes the modules into a guest's first line.
         *
         * @param order the line's object
         */
        public void writeTo(ObjectNode order) {
            order.put("main", main);
            modules.forEach(order.putObject("modules")::put);
            ObjectNode all = order.putObject("imports");
            imports.forEach((base, names) -> names.forEach(all.withObjectProperty(base)::put));
        }
    }

    /**
     * Loads a file and what it imports.
     *
     * @param path the file
     * @param workspace where files are read
     * @param transpiler turns them into JavaScript
     * @return the modules
     * @throws GuestException if one cannot be loaded
     */
    public static Loaded load(String path, WorkspaceBinding workspace, ModuleTranspiler transpiler) {
        ModuleGraph graph = new ModuleGraph(workspace, transpiler);
        String main = normal(path.replace('\\', '/'), path);
        ModuleSource source = graph.read(main)
                .orElseThrow(() -> refused(main, "there is no such file in the workspace; name an existing one"));
        if (!source.kind().isCode()) {
            throw refused(main, "it is no code; name a file that ends in .js, .mjs, .ts or .tsx");
        }
        graph.loadAll(List.of(source));
        return new Loaded(main, graph.modules, graph.imports);
    }

    /**
     * Loads code that is not in a file and so imports nothing.
     *
     * @param source the code
     * @param transpiler turns it into JavaScript
     * @return the module
     * @throws GuestException if it is malformed or imports something
     */
    public static Loaded load(ModuleSource source, ModuleTranspiler transpiler) {
        String code = source.text();
        if (source.kind() != ModuleSource.Kind.JS) {
            Transpiled made = transpiler.transpile(List.of(source)).getFirst();
            if (!made.imports().isEmpty()) {
                throw refused(
                        source.name(),
                        made.imports().getFirst(),
                        "code that is no file imports nothing; write it to the workspace, and name the file");
            }
            code = made.code();
        }
        return new Loaded(source.name(), Map.of(source.name(), code), Map.of());
    }

    /**
     * Loads the modules and everything that they import, level by level: the transpilation of a
     * level takes one guest.
     */
    private void loadAll(List<ModuleSource> first) {
        List<ModuleSource> level = first;
        while (!level.isEmpty()) {
            List<ModuleSource> code = new ArrayList<>();
            for (ModuleSource source : level) {
                if (source.kind().isCode()) {
                    code.add(source);
                } else {
                    modules.put(source.name(), value(source));
                }
            }
            List<Transpiled> made = transpiler.transpile(code);
            List<ModuleSource> next = new ArrayList<>();
            for (int at = 0; at < code.size(); at++) {
                modules.put(code.get(at).name(), made.get(at).code());
                for (Transpiled.Import one : made.get(at).imports()) {
                    follow(code.get(at).name(), one, next);
                }
            }
            level = next;
        }
    }

    private void follow(String base, Transpiled.Import one, List<ModuleSource> next) {
        String specifier = one.specifier();
        if (one.dynamic()) {
            throw refused(base, one, "dynamic imports are refused; import it at the top of the file");
        }
        if (!specifier.startsWith("./") && !specifier.startsWith("../")) {
            throw refused(base, one, "only relative imports are possible, such as './" + specifier + "'");
        }
        int slash = base.lastIndexOf('/');
        String path = normal((slash < 0 ? "" : base.substring(0, slash + 1)) + specifier, specifier);
        for (String candidate : candidates(path)) {
            boolean known = modules.containsKey(candidate)
                    || next.stream().anyMatch(source -> source.name().equals(candidate));
            Optional<ModuleSource> found = known ? Optional.empty() : read(candidate);
            found.ifPresent(next::add);
            if (known || found.isPresent()) {
                imports.computeIfAbsent(base, name -> new LinkedHashMap<>()).put(specifier, candidate);
                return;
            }
        }
        throw refused(base, one, "there is no such file in the workspace");
    }

    /** Returns the candidate files of an import: as written, .ts for .js, with an extension added. */
    private static List<String> candidates(String path) {
        List<String> candidates = new ArrayList<>();
        if (kind(path).isPresent()) {
            candidates.add(path);
            if (path.endsWith(".js")) {
                String stem = path.substring(0, path.length() - ".js".length());
                candidates.add(stem + ".ts");
                candidates.add(stem + ".tsx");
            }
        } else {
            TRIED.forEach(extension -> candidates.add(path + extension));
        }
        return candidates;
    }

    private Optional<ModuleSource> read(String path) {
        ModuleSource.Kind kind = kind(path)
                .orElseThrow(() -> refused(
                        path, "guest code is .js, .mjs, .ts, .tsx, .json and .txt; other files are read by WORKSPACE"));
        String text;
        try {
            text = workspace.readText(path);
        } catch (FileException fault) {
            if (fault.reason() == FileException.Reason.NOT_FOUND) {
                return Optional.empty();
            }
            throw refused(path, String.valueOf(fault.getMessage()));
        }
        files++;
        characters += text.length();
        if (files > MAX_MODULES || characters > MAX_CHARACTERS) {
            throw refused(
                    path, "the code has more than " + MAX_MODULES + " modules or " + MAX_CHARACTERS + " characters");
        }
        return Optional.of(new ModuleSource(path, text, kind));
    }

    private static Optional<ModuleSource.Kind> kind(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        String extension = name.substring(name.lastIndexOf('.') + 1);
        return switch (name.indexOf('.') < 0 ? "" : extension) {
            case "js", "mjs" -> Optional.of(ModuleSource.Kind.JS);
            case "ts" -> Optional.of(ModuleSource.Kind.TS);
            case "tsx" -> Optional.of(ModuleSource.Kind.TSX);
            case "json" -> Optional.of(ModuleSource.Kind.JSON);
            case "txt" -> Optional.of(ModuleSource.Kind.TEXT);
            case "wasm" -> throw refused(path, "WebAssembly is refused");
            default -> Optional.empty();
        };
    }

    /** Returns the JavaScript of a JSON or text module. */
    private static String value(ModuleSource source) {
        String quoted = new TextNode(source.text())
                .toString()
                .replace("\u2028", "\\u2028")
                .replace("\u2029", "\\u2029");
        return source.kind() == ModuleSource.Kind.JSON
                ? "export default JSON.parse(" + quoted + ");"
                : "export default " + quoted + ";";
    }

    private static String normal(String path, String given) {
        List<String> names = new ArrayList<>();
        for (String name : path.split("/", -1)) {
            if (name.equals("..")) {
                if (names.isEmpty()) {
                    throw refused(given, "it leads out of the workspace");
                }
                names.removeLast();
            } else if (!name.isEmpty() && !name.equals(".")) {
                names.add(name);
            }
        }
        return String.join("/", names);
    }

    private static GuestException refused(String base, Transpiled.Import one, String why) {
        return refused(base + ":" + one.line() + ": cannot import '" + one.specifier() + "'", why);
    }

    private static GuestException refused(String what, String why) {
        return new GuestException(GuestException.Kind.MODULE, "ModuleError", what + ": " + why, "", List.of());
    }
}
