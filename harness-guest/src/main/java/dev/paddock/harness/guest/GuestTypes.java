package dev.paddock.harness.guest;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The TypeScript declarations of everything that guest code has in addition to the language.
 *
 * @since 0.1
 */
public final class GuestTypes {
    private GuestTypes() {}

    /**
     * Returns the declarations: the bindings, the shapes of their results, and the other global names.
     *
     * @return the text of a file with the extension {@code .d.ts}
     */
    public static String declarations() {
        try (InputStream in = GuestTypes.class.getResourceAsStream("guest.d.ts")) {
            if (in == null) {
                throw new IllegalStateException("the resource guest.d.ts is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }
}
