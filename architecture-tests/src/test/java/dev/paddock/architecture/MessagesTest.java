package dev.paddock.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Collects the messages of all faults that the product's sources create, for a person to read aloud:
 * {@code target/messages.txt} has them by module and class, with … where a value stands.
 */
class MessagesTest {
    private static final Path COLLECTED = Path.of("target/messages.txt");
    private static final Pattern FAULT = Pattern.compile("new \\w*(?:Exception|Error|Fault|Refusal|Unusable)\\(");

    /** Matches a string or a character. */
    private static final Pattern LITERAL = Pattern.compile("\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.[0-9a-f]*)'");

    /** Matches what says neither what happened nor what to do, blames the reader, or is a private word of ours. */
    private static final Pattern EMPTY_WORDS = Pattern.compile(
            "(?i)\\b(?:failed to|unable to|illegal|oops|please|something went wrong|invalid argument|a place|places"
                    + "|strays?|in doubt|is held)\\b|!$");

    private static List<Message> messages = List.of();

    /**
     * The message of a fault.
     *
     * @param source where it is created
     * @param text its words, with … for each value
     */
    private record Message(Path source, String text) {
        @Override
        public String toString() {
            return source.getName(1) + " " + source.getFileName() + ": " + text;
        }
    }

    @BeforeAll
    static void collect() throws IOException {
        messages = new ArrayList<>();
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            for (Path sources : (Iterable<Path>) modules.map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .sorted()::iterator) {
                try (Stream<Path> files = Files.walk(sources)) {
                    for (Path file : (Iterable<Path>)
                            files.filter(path -> path.toString().endsWith(".java"))
                                    .sorted()::iterator) {
                        collect(file);
                    }
                }
            }
        }
        Files.write(COLLECTED, messages.stream().map(Message::toString).toList());
    }

    private static void collect(Path file) throws IOException {
        String source = Files.readString(file);
        for (MatchResult fault : FAULT.matcher(source).results().toList()) {
            words(source, fault.end()).ifPresent(text -> messages.add(new Message(file, text)));
        }
    }

    /** Returns the words among the arguments of a call; empty if there are none. */
    private static Optional<String> words(String source, int from) {
        StringBuilder words = new StringBuilder();
        Matcher literal = LITERAL.matcher(source);
        int depth = 1;
        int at = from;
        while (depth > 0) {
            char next = source.charAt(at);
            if (literal.region(at, source.length()).lookingAt()) {
                if (next == '"') {
                    words.append(words.isEmpty() ? "" : "…").append(source, at + 1, literal.end() - 1);
                }
                at = literal.end();
            } else {
                depth += next == '(' ? 1 : next == ')' ? -1 : 0;
                at++;
            }
        }
        return Optional.of(words.toString()).filter(text -> text.contains(" "));
    }

    @Test
    void messagesSayWhatHappenedInPlainWords() {
        assertThat(messages).hasSizeGreaterThan(1_000);
        assertThat(messages)
                .filteredOn(message -> EMPTY_WORDS.matcher(message.text()).find())
                .isEmpty();
    }

    @Test
    void collectorFindsMessageOfSeveralParts() {
        String call = "new X(a(\"the value \\\"\" + x + \"\\\" is\" + \" wrong\"), fault)";

        assertThat(words(call, call.indexOf('(') + 1)).contains("the value \\\"…\\\" is… wrong");
    }
}
