package dev.paddock.harness.guest;

import dev.paddock.harness.tools.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A module of guest code and its arguments. Immutable: each method returns a changed copy.
 *
 * <p>The module exports a function, {@code run} by default, or a default export. It receives the input and an object of
 * the bindings, and returns the result or a promise of it.
 *
 * @since 0.1
 */
public final class GuestCode {
    private static final String DEFAULT_EXPORT = "run";

    /** Where the code is. */
    public sealed interface Source {}

    /**
     * Code itself, without imports.
     *
     * @param code the code
     * @param language its language
     * @param name its name in messages and stacks
     */
    public record Text(String code, Language language, String name) implements Source {}

    /**
     * A file of the container's workspace; it may import others by relative paths.
     *
     * @param path the file, as {@code WORKSPACE} names it; its extension determines the language
     */
    public record File(String path) implements Source {}

    /** A language of guest code. */
    public enum Language {
        /** JavaScript. */
        JS,
        /** TypeScript, whose types are dropped and not checked. */
        TS,
        /** TypeScript with JSX, for the functions {@code h} and {@code Fragment} in scope. */
        TSX
    }

    private final Source source;
    private final String exportName;
    private final Json input;
    private final Map<String, String> vars;

    private GuestCode(Source source, String exportName, Json input, Map<String, String> vars) {
        vars = Map.copyOf(vars);
        this.source = source;
        this.exportName = exportName;
        this.input = input;
        this.vars = vars;
    }

    /**
     * Returns JavaScript.
     *
     * @param code a module, without imports
     * @return the code
     */
    public static GuestCode js(String code) {
        return of(new Text(code, Language.JS, "guest.js"));
    }

    /**
     * Returns TypeScript.
     *
     * @param code a module, without imports
     * @return the code
     */
    public static GuestCode ts(String code) {
        return of(new Text(code, Language.TS, "guest.ts"));
    }

    /**
     * Returns a file of the workspace.
     *
     * @param path the file, ending in .js, .mjs, .ts or .tsx
     * @return the code
     */
    public static GuestCode file(String path) {
        return of(new File(path));
    }

    /**
     * Returns code from a source.
     *
     * @param source the source
     * @return the code
     */
    public static GuestCode of(Source source) {
        return new GuestCode(source, DEFAULT_EXPORT, Json.of(null), Map.of());
    }

    /**
     * {@return the TypeScript declarations of everything that guest code has in addition to the language, as the text
     * of a {@code .d.ts} file: the bindings, the shapes of their results, and the other global names}
     */
    public static String declarations() {
        try (InputStream in = GuestCode.class.getResourceAsStream("guest.d.ts")) {
            if (in == null) {
                throw new IllegalStateException("the resource guest.d.ts is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    /**
     * Returns this code with another function.
     *
     * @param name the name that the module exports it by
     * @return the code
     */
    public GuestCode export(String name) {
        return new GuestCode(source, name, input, vars);
    }

    /**
     * Returns this code with an input.
     *
     * @param value any JSON
     * @return the code
     */
    public GuestCode input(Json value) {
        return new GuestCode(source, exportName, value, vars);
    }

    /**
     * Returns this code with texts for this run.
     *
     * @param values names and texts
     * @return the code
     */
    public GuestCode vars(Map<String, String> values) {
        return new GuestCode(source, exportName, input, values);
    }

    /** {@return the code or its location} */
    public Source source() {
        return source;
    }

    /** {@return the name of the exported function} */
    public String exportName() {
        return exportName;
    }

    /** {@return the first argument} */
    public Json input() {
        return input;
    }

    /** {@return texts for this run, in the second argument's {@code vars}} */
    public Map<String, String> vars() {
        return vars;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof GuestCode that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return "GuestCode" + parts();
    }

    private List<Object> parts() {
        return List.of(source, exportName, input, vars);
    }
}
