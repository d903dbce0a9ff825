package dev.paddock.cli.setup.document;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paddock.cli.setup.document.TomlText.Statement;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.tomlj.Toml;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;

/**
 * A TOML file. Writes a table below its own header, a value below the header of its table; refuses a file that has
 * either in an inline table or by dotted keys, except for an inline table that is replaced as a whole.
 */
final class TomlDocument implements Document {
    private final String name;
    private final String text;
    private final JsonNode settings;
    private final List<Statement> statements;

    private TomlDocument(String name, String text, JsonNode settings) {
        this.name = name;
        this.text = text;
        this.settings = settings;
        this.statements = TomlText.statements(text);
    }

    /**
     * Parses a file.
     *
     * @param name the file's name for messages
     * @throws SettingsRefusedException if it cannot be parsed
     */
    static TomlDocument parse(String name, String text) {
        TomlParseResult result = Toml.parse(text);
        if (result.hasErrors()) {
            TomlParseError error = result.errors().getFirst();
            throw new SettingsRefusedException(name + ":" + error.position().line() + ": not TOML: "
                    + error.getMessage() + "; correct the file and run setup again");
        }
        try {
            return new TomlDocument(name, text, new ObjectMapper().readTree(result.toJson()));
        } catch (JsonProcessingException fault) {
            throw new IllegalStateException("a TOML file in JSON", fault);
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
    public TomlDocument put(List<String> path, JsonNode value) {
        Optional<Statement> present = value(path);
        if (present.isPresent()) {
            return restore(path, inline(value));
        }
        requireHeaders(value.isObject() ? path : path.subList(0, path.size() - 1));
        return value.isObject() ? putTable(path, value) : putValue(path, value);
    }

    @Override
    public Document append(List<String> path, List<String> words) {
        throw new UnsupportedOperationException("no client with a TOML file has lists of words");
    }

    @Override
    public Document removeWords(List<String> path, List<String> words) {
        throw new UnsupportedOperationException("no client with a TOML file has lists of words");
    }

    @Override
    public TomlDocument remove(List<String> path) {
        Optional<Statement> present = value(path);
        if (present.isPresent()) {
            return with(replace(present.get().start(), present.get().end(), ""));
        }
        TomlDocument changed = this;
        for (Statement header : headersBelow(path).reversed()) {
            changed = changed.withoutBlock(header);
        }
        return changed;
    }

    @Override
    public Optional<String> raw(List<String> path) {
        Optional<Statement> present = value(path);
        if (present.isPresent()) {
            return Optional.of(
                    text.substring(present.get().valueStart(), present.get().valueEnd()));
        }
        StringBuilder blocks = new StringBuilder();
        headersBelow(path).forEach(header -> {
            // Includes the lines up to the next table, if that belongs to this one.
            int end = nextHeader(header)
                    .filter(next -> next.isBelow(path))
                    .map(Statement::start)
                    .orElse(blockEnd(header));
            blocks.append(text, header.start(), end);
        });
        return Optional.of(blocks.toString()).filter(raw -> !raw.isEmpty());
    }

    @Override
    public TomlDocument restore(List<String> path, String raw) {
        Optional<Statement> present = value(path);
        if (present.isPresent()) {
            return with(replace(present.get().valueStart(), present.get().valueEnd(), raw));
        }
        TomlDocument changed = this;
        List<Statement> headers = headersBelow(path);
        while (headers.size() > 1) {
            changed = changed.withoutBlock(headers.getLast());
            headers = changed.headersBelow(path);
        }
        Statement only = headers.getFirst();
        return with(changed.replace(only.start(), changed.blockEnd(only), raw));
    }

    private TomlDocument putTable(List<String> path, JsonNode table) {
        String block = "[" + path.stream().map(TomlDocument::key).collect(Collectors.joining(".")) + "]" + lineEnd();
        for (var field : table.properties()) {
            block += key(field.getKey()) + " = " + inline(field.getValue()) + lineEnd();
        }
        return !headersBelow(path).isEmpty() ? restore(path, block) : appendBlock(block);
    }

    private TomlDocument putValue(List<String> path, JsonNode value) {
        List<String> table = path.subList(0, path.size() - 1);
        String line = key(path.getLast()) + " = " + inline(value) + lineEnd();
        Optional<Statement> last = statements.stream()
                .filter(statement -> statement.header().equals(table))
                .reduce((first, second) -> second);
        if (last.isEmpty()) {
            return appendBlock("[" + table.stream().map(TomlDocument::key).collect(Collectors.joining(".")) + "]"
                    + lineEnd() + line);
        }
        int end = last.get().end();
        boolean isEnded = end > 0 && text.charAt(end - 1) == '\n';
        String indent = JsonInsertion.indentAt(text, last.get().valueStart());
        return with(replace(end, end, (isEnded ? "" : lineEnd()) + indent + line));
    }

    private TomlDocument appendBlock(String block) {
        boolean isEnded = text.isEmpty() || text.endsWith("\n");
        String blankLine = text.isBlank() ? "" : lineEnd();
        return with(text + (isEnded ? "" : lineEnd()) + blankLine + block);
    }

    /** Refuses a file in which the table, or one above it, has no header of its own. */
    private void requireHeaders(List<String> table) {
        for (Statement statement : statements) {
            boolean isInline = TomlText.startsWith(table, statement.path());
            boolean isElsewhere = !statement.isHeader() && !TomlText.startsWith(statement.header(), table);
            if (isElsewhere && (isInline || statement.isBelow(table))) {
                throw new SettingsRefusedException(name + ":" + Document.line(text, statement.start()) + ": '"
                        + String.join(".", statement.path()) + "' is written "
                        + (isInline ? "as an inline table" : "by dotted keys")
                        + ", which setup does not change; write it below the header [" + String.join(".", table)
                        + "] and run setup again");
            }
        }
    }

    private Optional<Statement> value(List<String> path) {
        return statements.stream()
                .filter(statement -> !statement.isHeader() && statement.path().equals(path))
                .findFirst();
    }

    private List<Statement> headersBelow(List<String> path) {
        return statements.stream()
                .filter(statement -> statement.isHeader() && statement.isBelow(path))
                .toList();
    }

    private Optional<Statement> nextHeader(Statement header) {
        return statements.stream()
                .skip(statements.indexOf(header) + 1)
                .filter(Statement::isHeader)
                .findFirst();
    }

    private TomlDocument withoutBlock(Statement header) {
        return with(replace(withoutBlankLine(header.start()), blockEnd(header), ""));
    }

    /** Returns the end of a table's last statement: comments after it belong to the next table. */
    private int blockEnd(Statement header) {
        int end = header.end();
        for (Statement statement : statements.subList(statements.indexOf(header) + 1, statements.size())) {
            if (statement.isHeader()) {
                break;
            }
            end = statement.end();
        }
        return end;
    }

    private int withoutBlankLine(int start) {
        int line = start;
        if (text.startsWith("\n", line - 1) && text.startsWith("\n", line - 2)) {
            return line - 1;
        }
        return text.startsWith("\r\n", line - 2) && text.startsWith("\n", line - 3) ? line - 2 : line;
    }

    private String replace(int start, int end, String by) {
        return text.substring(0, start) + by + text.substring(end);
    }

    private String lineEnd() {
        return Document.lineEnd(text);
    }

    private static String key(String word) {
        return word.matches("[A-Za-z0-9_-]+")
                ? word
                : Toml.tomlEscape(word).insert(0, '"').append('"').toString();
    }

    private static String inline(JsonNode value) {
        if (value.isTextual()) {
            return "\"" + Toml.tomlEscape(value.asText()) + "\"";
        }
        if (value.isObject()) {
            return value.properties().stream()
                    .map(field -> key(field.getKey()) + " = " + inline(field.getValue()))
                    .collect(Collectors.joining(", ", "{ ", " }"));
        }
        if (value.isArray()) {
            return value.valueStream().map(TomlDocument::inline).collect(Collectors.joining(", ", "[", "]"));
        }
        return value.toString();
    }

    private TomlDocument with(String changed) {
        try {
            return parse(name, changed);
        } catch (SettingsRefusedException fault) {
            throw new SettingsRefusedException(name + ": this file has a form that setup cannot change in place ("
                    + fault.getMessage() + "); change it by hand");
        }
    }
}
