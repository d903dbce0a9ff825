package dev.paddock.cli.editor;

import java.util.List;
import java.util.stream.Stream;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/** Completes commands at the beginning of a line, and the paths of files after an {@code @}. */
final class PromptCompleter implements Completer {
    /** The reader's variables whose styles have color. */
    static final List<String> PLAIN_STYLES = List.of(
            LineReader.COMPLETION_STYLE_STARTING,
            LineReader.COMPLETION_STYLE_LIST_STARTING,
            LineReader.COMPLETION_STYLE_DESCRIPTION,
            LineReader.COMPLETION_STYLE_LIST_DESCRIPTION,
            LineReader.COMPLETION_STYLE_GROUP,
            LineReader.COMPLETION_STYLE_LIST_GROUP,
            LineReader.COMPLETION_STYLE_BACKGROUND,
            LineReader.COMPLETION_STYLE_LIST_BACKGROUND);

    private final SlashCommands commands;
    private final FileMentions mentions;

    PromptCompleter(SlashCommands commands, FileMentions mentions) {
        this.commands = commands;
        this.mentions = mentions;
    }

    @Override
    public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
        String word = line.word();
        Stream<String> words = Stream.empty();
        if (word.startsWith("@")) {
            words = mentions.complete(word).stream();
        } else if (word.startsWith("/") && line.wordIndex() == 0) {
            words = commands.names().stream().filter(name -> name.startsWith(word));
        }
        words.forEach(one -> candidates.add(candidate(one)));
    }

    /** Adds no space after a directory: its entries may be completed next. */
    private static Candidate candidate(String word) {
        boolean isComplete = !word.endsWith("/");
        return new Candidate(word, word, null, null, null, null, isComplete);
    }
}
