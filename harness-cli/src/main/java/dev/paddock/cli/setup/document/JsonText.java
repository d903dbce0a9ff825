package dev.paddock.cli.setup.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds where the values of a JSON text are. */
final class JsonText {
    private static final JsonFactory STRICT = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private static final JsonFactory WITH_COMMENTS = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
            .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
            .build();

    private final JsonParser parser;

    private JsonText(JsonParser parser) {
        this.parser = parser;
    }

    /**
     * A value and its range.
     *
     * @param start the offset of the first character
     * @param end the offset after the last character
     * @param items the members or elements, in the text's order
     */
    record Span(int start, int end, List<Item> items) {

        /** Returns the item with this name. */
        Optional<Item> item(String name) {
            return items.stream().filter(item -> item.name().equals(name)).findFirst();
        }
    }

    /**
     * A member of an object, or an element of an array.
     *
     * @param name the member's name; an element's text, empty if it is none
     * @param start where the name begins, or the element
     * @param value the value
     */
    record Item(String name, int start, Span value) {}

    /** Returns the factory of a dialect's parsers. */
    static JsonFactory factory(boolean allowsComments) {
        return allowsComments ? WITH_COMMENTS : STRICT;
    }

    /**
     * Parses a text that is one object.
     *
     * @throws JsonProcessingException if it is anything else
     */
    static Span parse(String text, boolean allowsComments) throws JsonProcessingException {
        try (JsonParser parser = factory(allowsComments).createParser(text)) {
            parser.nextToken();
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                throw new com.fasterxml.jackson.core.JsonParseException(parser, "the file is no object");
            }
            Span root = new JsonText(parser).span();
            if (parser.nextToken() != null) {
                throw new com.fasterxml.jackson.core.JsonParseException(parser, "text behind the object");
            }
            return root;
        } catch (JsonProcessingException malformed) {
            throw malformed;
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private Span span() throws IOException {
        int start = (int) parser.currentTokenLocation().getCharOffset();
        List<Item> items = new ArrayList<>();
        if (parser.currentToken() == JsonToken.START_OBJECT) {
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                int name = (int) parser.currentTokenLocation().getCharOffset();
                String word = parser.currentName();
                parser.nextToken();
                items.add(new Item(word, name, span()));
            }
        } else if (parser.currentToken() == JsonToken.START_ARRAY) {
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                boolean isText = parser.currentToken() == JsonToken.VALUE_STRING;
                String word = isText ? parser.getText() : "";
                Span element = span();
                items.add(new Item(word, element.start(), element));
            }
        } else {
            parser.getText(); // makes the parser read the string to its end
        }
        return new Span(start, (int) parser.currentLocation().getCharOffset(), items);
    }
}
