package dev.paddock.harness.guest.module;

/**
 * The text of a module before it is transpiled.
 *
 * @param name its path from the workspace's root, or its name in stacks
 * @param text its text
 * @param kind what it is
 */
public record ModuleSource(String name, String text, Kind kind) {

    /** The language of a module's file. */
    public enum Kind {
        /** JavaScript. */
        JS,
        /** TypeScript. */
        TS,
        /** TypeScript with JSX. */
        TSX,
        /** JSON, whose value is the default export. */
        JSON,
        /** Text, which is the default export. */
        TEXT;

        boolean isCode() {
            return this == JS || this == TS || this == TSX;
        }
    }
}
