package dev.paddock.harness.tools;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads and writes JSON. */
final class JsonSyntax {
    private static final int MAX_CHARACTERS = 1 << 24;
    private static final int MAX_DIGITS = 1_000;
    private static final int MAX_SHOWN = 80;

    /** Permits Jackson one level more than {@link Json#MAX_DEPTH}, so that this class reports the fault. */
    private static final JsonFactory JACKSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Json.MAX_DEPTH + 1)
                    .maxStringLength(MAX_CHARACTERS)
                    .maxNameLength(MAX_CHARACTERS)
                    .maxNumberLength(MAX_DIGITS)
                    .build())
            .streamWriteConstraints(StreamWriteConstraints.builder()
                    .maxNestingDepth(Json.MAX_DEPTH + 1)
                    .build())
            .build();

    private JsonSyntax() {}

    static Json parse(String text) {
        if (text.length() > MAX_CHARACTERS) {
            throw new IllegalArgumentException(
                    "the JSON has " + text.length() + " characters; there may be " + MAX_CHARACTERS);
        }
        try (JsonParser parser = JACKSON.createParser(text)) {
            Json read = value(parser, parser.nextToken(), 0);
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("there is more than one JSON value in the text");
            }
            return read;
        } catch (StreamConstraintsException tooLong) {
            throw new IllegalArgumentException("a number of the JSON has more than " + MAX_DIGITS + " digits", tooLong);
        } catch (JsonProcessingException fault) {
            throw new IllegalArgumentException(
                    "the text is not JSON, at line " + fault.getLocation().getLineNr() + ", column "
                            + fault.getLocation().getColumnNr(),
                    fault);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static Json value(JsonParser parser, @Nullable JsonToken token, int depth) throws IOException {
        if (token == null) {
            throw new IllegalArgumentException("the text has no JSON value");
        }
        return switch (token) {
            case START_OBJECT -> object(parser, Json.requireShallow(depth + 1));
            case START_ARRAY -> array(parser, Json.requireShallow(depth + 1));
            case VALUE_STRING -> Json.of(parser.getText());
            case VALUE_NUMBER_INT -> Json.of(integer(parser));
            case VALUE_NUMBER_FLOAT -> Json.of(decimal(parser));
            case VALUE_TRUE -> Json.of(true);
            case VALUE_FALSE -> Json.of(false);
            case VALUE_NULL -> Json.of(null);
            default -> throw new IllegalStateException("unexpected token " + token);
        };
    }

    private static Json object(JsonParser parser, int depth) throws IOException {
        Map<String, Json> members = new LinkedHashMap<>();
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            if (members.put(name, value(parser, parser.nextToken(), depth)) != null) {
                throw new IllegalArgumentException("an object of the JSON has two members '" + cut(name) + "'");
            }
        }
        return Json.ofMembers(members);
    }

    private static Json array(JsonParser parser, int depth) throws IOException {
        List<Json> elements = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            elements.add(value(parser, token, depth));
        }
        return Json.ofElements(elements);
    }

    private static Number integer(JsonParser parser) throws IOException {
        return parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                ? parser.getBigIntegerValue()
                : parser.getLongValue();
    }

    private static double decimal(JsonParser parser) throws IOException {
        double number = parser.getDoubleValue();
        if (Double.isInfinite(number)) {
            throw new IllegalArgumentException("a number of the JSON is too large: " + cut(parser.getText()));
        }
        return number;
    }

    static String write(Json json) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = JACKSON.createGenerator(text)) {
            write(json, generator);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }

    private static void write(Json json, JsonGenerator generator) throws IOException {
        switch (json.kind()) {
            case OBJECT -> {
                generator.writeStartObject();
                for (Map.Entry<String, Json> member : json.members().entrySet()) {
                    generator.writeFieldName(member.getKey());
                    write(member.getValue(), generator);
                }
                generator.writeEndObject();
            }
            case ARRAY -> {
                generator.writeStartArray();
                for (Json element : json.elements()) {
                    write(element, generator);
                }
                generator.writeEndArray();
            }
            case TEXT -> generator.writeString(json.text());
            case INTEGER -> {
                if (json.value() instanceof BigInteger number) {
                    generator.writeNumber(number);
                } else {
                    generator.writeNumber(json.integer());
                }
            }
            case DECIMAL -> generator.writeNumber(json.number());
            case FLAG -> generator.writeBoolean(json.flag());
            case NULL -> generator.writeNull();
        }
    }

    /** Returns the beginning of a value, for a message. */
    static String shortened(Json json) {
        return cut(write(json));
    }

    private static String cut(String text) {
        return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "…";
    }
}
