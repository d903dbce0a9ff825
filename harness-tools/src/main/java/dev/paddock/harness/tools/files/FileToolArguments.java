package dev.paddock.harness.tools.files;

import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads the arguments of a call, and words the errors for invalid ones. */
record FileToolArguments(Json values) {

    String text(String name) {
        return optionalText(name)
                .orElseThrow(() -> new ToolException("'" + name + "' is missing. Give it as a string"));
    }

    Optional<String> optionalText(String name) {
        return given(name).map(value -> {
            if (value.kind() != Json.Kind.TEXT) {
                throw new ToolException("'" + name + "' is not a string: " + value);
            }
            return value.text();
        });
    }

    Optional<TextEncoding> encoding() {
        return optionalText("encoding").filter(name -> !name.isEmpty()).map(TextEncoding::named);
    }

    /** Returns the path argument, or the worktree if there is none. */
    String pathOrRoot() {
        return optionalText("path").filter(path -> !path.isEmpty()).orElse(".");
    }

    boolean flag(String name) {
        return given(name)
                .map(value -> {
                    if (value.kind() != Json.Kind.FLAG) {
                        throw new ToolException("'" + name + "' is not true or false: " + value);
                    }
                    return value.flag();
                })
                .orElse(false);
    }

    long number(String name, long least, long most, long otherwise) {
        return given(name)
                .map(value -> {
                    double number = isNumber(value) ? value.number() : Double.NaN;
                    if (number != Math.rint(number) || number < least || number > most) {
                        String range = most == Long.MAX_VALUE ? least + " or more" : least + " to " + most;
                        throw new ToolException("'" + name + "' is " + value + ". Give a whole number, " + range);
                    }
                    return (long) number;
                })
                .orElse(otherwise);
    }

    /** Encodes a text as UTF-8; rejects a lone surrogate, which would become a replacement character. */
    byte[] utf8(String name) {
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text(name)));
            byte[] exact = new byte[bytes.remaining()];
            bytes.get(exact);
            return exact;
        } catch (CharacterCodingException e) {
            throw new ToolException(
                    "'" + name + "' contains half of a surrogate pair, which cannot be written as UTF-8");
        }
    }

    private static boolean isNumber(Json value) {
        return value.kind() == Json.Kind.INTEGER || value.kind() == Json.Kind.DECIMAL;
    }

    private Optional<Json> given(String name) {
        return values.get(name).filter(value -> value.kind() != Json.Kind.NULL);
    }
}
