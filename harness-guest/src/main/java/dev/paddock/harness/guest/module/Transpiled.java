package dev.paddock.harness.guest.module;

import java.util.List;

/**
 * A module as JavaScript, and what it imports.
 *
 * @param code the JavaScript, each statement on its line of the source
 * @param imports the imports of types left out
 */
public record Transpiled(String code, List<Import> imports) {
    public Transpiled {
        imports = List.copyOf(imports);
    }

    /**
     * An import.
     *
     * @param specifier as it is written
     * @param line its line in the JavaScript, from 1
     * @param dynamic whether it is a call
     */
    public record Import(String specifier, int line, boolean dynamic) {}
}
