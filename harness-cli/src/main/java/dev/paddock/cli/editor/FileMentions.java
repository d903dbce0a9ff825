package dev.paddock.cli.editor;

import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.access.FileException.Reason;
import dev.paddock.harness.files.workspace.Entry;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the files that prompts name as {@code @path}, by the rules of the session's file tools: no link leads out of
 * the worktree, and denied content is not read.
 */
public final class FileMentions {
    /** The most bytes of one file that a prompt includes. */
    public static final int MAX_BYTES = 262_144;

    private static final int MAX_NAMES = 500;
    private static final Pattern MENTION = Pattern.compile("(?<!\\S)@\\S+");
    private static final Pattern PLAIN_NAME = Pattern.compile("[^\\s\\p{Cntrl}\\p{Cf}]+");

    private final Supplier<WorkspaceFiles> opening;

    /**
     * Reads from files that are opened for each prompt: a workspace may have been reopened by then.
     *
     * @param opening opens the files; may throw UncheckedIOException
     */
    public FileMentions(Supplier<WorkspaceFiles> opening) {
        this.opening = opening;
    }

    /**
     * A prompt with its files.
     *
     * @param text what the model is to read
     * @param notices what was not included, and why
     */
    public record Expanded(String text, List<String> notices) {}

    /**
     * Appends the content of the named files to a prompt. Ignores a word whose path does not exist: it need not be a
     * file.
     */
    public Expanded expand(String prompt) {
        StringBuilder text = new StringBuilder(prompt);
        List<String> notices = new ArrayList<>();
        for (String path : mentioned(prompt)) {
            try (WorkspaceFiles files = opening.get()) {
                append(text, path, decode(files.read(path, MAX_BYTES)));
            } catch (CharacterCodingException binary) {
                notices.add("@" + path + " is not included: it is not UTF-8 text");
            } catch (UncheckedIOException absent) {
                notices.add("@" + path + " is not included: " + absent.getMessage());
            } catch (FileException refused) {
                if (refused.reason() != Reason.NOT_FOUND && refused.reason() != Reason.NOT_A_FILE) {
                    notices.add("@" + path + " is not included: " + refused.getMessage());
                }
            }
        }
        return new Expanded(text.toString(), notices);
    }

    private static Set<String> mentioned(String prompt) {
        Set<String> paths = new LinkedHashSet<>();
        Matcher mentions = MENTION.matcher(prompt);
        while (mentions.find()) {
            // Trailing punctuation is no part of the path.
            paths.add(mentions.group().substring(1).replaceAll("[,;:!?)\"']+$", ""));
        }
        return paths;
    }

    private static String decode(byte[] bytes) throws CharacterCodingException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
    }

    private static void append(StringBuilder text, String path, String content) {
        String fence = "```";
        while (content.contains(fence)) {
            fence += "`";
        }
        text.append("\n\nThe file ")
                .append(path)
                .append(":\n")
                .append(fence)
                .append('\n')
                .append(content);
        text.append(content.endsWith("\n") ? "" : "\n").append(fence);
    }

    /**
     * Returns the completions of a word: the entries of its directory with this prefix, directories with a slash.
     *
     * @param word what was typed, from its {@code @}
     */
    List<String> complete(String word) {
        String typed = word.substring(1);
        String parent = typed.substring(0, typed.lastIndexOf('/') + 1);
        String start = typed.substring(parent.length());
        List<Entry> entries;
        try (WorkspaceFiles files = opening.get()) {
            entries = files.list(parent.isEmpty() ? "." : parent);
        } catch (FileException | UncheckedIOException refused) {
            return List.of();
        }
        return entries.stream()
                .filter(entry -> entry.name().startsWith(start))
                .filter(entry -> start.startsWith(".") || !entry.name().startsWith("."))
                .filter(entry -> PLAIN_NAME.matcher(entry.name()).matches())
                .limit(MAX_NAMES)
                .map(entry -> "@" + parent + entry.name() + (entry.kind() == Entry.Kind.DIRECTORY ? "/" : ""))
                .toList();
    }
}
