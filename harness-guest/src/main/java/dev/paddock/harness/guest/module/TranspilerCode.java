package dev.paddock.harness.guest.module;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The transpiler's own code: sucrase, in one file, created by {@code build/sucrase}. */
public final class TranspilerCode {
    private static final String NAME = "paddock:transpiler";
    private static final String ENTRY =
            "\nexport function run(requests) { return requests.map((one) => __transpile(JSON.stringify(one))); }\n";

    private TranspilerCode() {}

    /** {@return the transpiler as a module of a guest} */
    public static ModuleGraph.Loaded load() {
        return new ModuleGraph.Loaded(NAME, Map.of(NAME, text() + ENTRY), Map.of());
    }

    static String text() {
        try (InputStream in = TranspilerCode.class.getResourceAsStream("transpile.js")) {
            if (in == null) {
                throw new IllegalStateException("the resource transpile.js is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }
}
