package dev.paddock.cli.setup.document;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.paddock.cli.setup.document.JsonText.Item;
import dev.paddock.cli.setup.document.JsonText.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A JSON file, with comments and trailing commas if the client reads them. */
final class JsonDocument implements Document {
    private final String name;
    private final boolean allowsComments;
    private final String text;
    private final JsonNode settings;
    private final Span root;

    private JsonDocument(String name, boolean allowsComments, String text) throws JsonProcessingException {
        this.name = name;
        this.allowsComments = allowsComments;
        this.text = text;
        this.root = JsonText.parse(text, allowsComments);
        this.settings = new ObjectMapper(JsonText.factory(allowsComments)).readTree(text);
    }

    /**
     * Parses a file; a blank one counts as an empty object.
     *
     * @param name the file's name for messages
     * @throws SettingsRefusedException if it cannot be parsed, or is no object
     */
    static JsonDocument parse(String name, String text, boolean allowsComments) {
        try {
            return new JsonDocument(name, allowsComments, text.isBlank() ? "{}\n" : text);
        } catch (JsonProcessingException malformed) {
            throw new SettingsRefusedException(
                    name + ":" + malformed.getLocation().getLineNr() + ": not the JSON that the"
                            + " client reads: " + malformed.getOriginalMessage().replaceAll("\\s+", " ")
                            + "; correct the file and run setup again");
        }
    }

    @Override
    public String text() {
        return text;
    }

    @Override
    public JsonNode settings() {
        return settings;
    }

    @Override
    public JsonDocument put(List<String> path, JsonNode value) {
        Span container = root;
        for (int i = 0; i < path.size(); i++) {
            Optional<Item> item = container.item(path.get(i));
            if (item.isEmpty()) {
                return with(insert(container, path.get(i), nested(path.subList(i + 1, path.size()), value)));
            }
            container = item.get().value();
        }
        return with(replace(container, rendered(container.start(), value)));
    }

    @Override
    public JsonDocument append(List<String> path, List<String> words) {
        Optional<Span> list = find(path);
        if (list.isEmpty()) {
            return put(path, JsonNodeFactory.instance.arrayNode().addAll(nodes(words)));
        }
        return with(new JsonInsertion(text, list.get(), unit())
                .insert(words.stream().map(JsonDocument::quoted).toList()));
    }

    @Override
    public JsonDocument removeWords(List<String> path, List<String> words) {
        JsonDocument changed = this;
        for (String word : words) {
            Optional<Span> list = changed.find(path);
            Optional<Item> item = list.flatMap(span -> span.item(word));
            if (item.isPresent()) {
                changed = changed.with(new JsonInsertion(changed.text, list.get(), unit()).remove(item.get()));
            }
        }
        return changed;
    }

    @Override
    public JsonDocument remove(List<String> path) {
        Optional<Span> container = find(path.subList(0, path.size() - 1));
        Optional<Item> item = container.flatMap(span -> span.item(path.getLast()));
        return item.isEmpty() ? this : with(new JsonInsertion(text, container.get(), unit()).remove(item.get()));
    }

    @Override
    public Optional<String> raw(List<String> path) {
        return find(path).map(span -> text.substring(span.start(), span.end()));
    }

    @Override
    public JsonDocument restore(List<String> path, String raw) {
        return with(replace(find(path).orElseThrow(), raw));
    }

    private Optional<Span> find(List<String> path) {
        Optional<Span> found = Optional.of(root);
        for (String step : path) {
            found = found.flatMap(span -> span.item(step)).map(Item::value);
        }
        return found;
    }

    private String insert(Span container, String member, JsonNode value) {
        JsonInsertion insertion = new JsonInsertion(text, container, unit());
        String label = quoted(member) + ": ";
        return insertion.insert(List.of(label + render(value, insertion.indent())));
    }

    private String replace(Span span, String by) {
        return text.substring(0, span.start()) + by + text.substring(span.end());
    }

    private String rendered(int offset, JsonNode value) {
        return render(value, Optional.of(JsonInsertion.indentAt(text, offset)));
    }

    private static JsonNode nested(List<String> path, JsonNode value) {
        JsonNode node = value;
        for (String step : path.reversed()) {
            ObjectNode outer = JsonNodeFactory.instance.objectNode();
            outer.set(step, node);
            node = outer;
        }
        return node;
    }

    /** Renders a value: objects over several lines unless there is no indent, lists in one. */
    private String render(JsonNode value, Optional<String> indent) {
        if (value.isArray()) {
            List<String> elements = new ArrayList<>();
            value.forEach(element -> elements.add(render(element, Optional.empty())));
            return "[" + String.join(", ", elements) + "]";
        }
        if (!value.isObject()) {
            return value.toString();
        }
        Optional<String> inner = indent.map(outer -> outer + unit());
        List<String> members = new ArrayList<>();
        value.properties()
                .forEach(member -> members.add(quoted(member.getKey()) + ": " + render(member.getValue(), inner)));
        String lineEnd = Document.lineEnd(text);
        return inner.map(deeper -> "{" + lineEnd + deeper + String.join("," + lineEnd + deeper, members) + lineEnd
                        + indent.orElse("") + "}")
                .orElse("{" + String.join(", ", members) + "}");
    }

    /** Returns how much deeper the members of an object are than the object. */
    private String unit() {
        return root.items().isEmpty() ? JsonInsertion.UNIT : JsonInsertion.unit(text, root);
    }

    private static String quoted(String word) {
        return TextNode.valueOf(word).toString();
    }

    private static List<TextNode> nodes(List<String> words) {
        return words.stream().map(TextNode::valueOf).toList();
    }

    private JsonDocument with(String changed) {
        try {
            return new JsonDocument(name, allowsComments, changed);
        } catch (JsonProcessingException fault) {
            throw new SettingsRefusedException(name + ": this file has a form that setup cannot change in place ("
                    + fault.getOriginalMessage() + "); change it by hand");
        }
    }
}
