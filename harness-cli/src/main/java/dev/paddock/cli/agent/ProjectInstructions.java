package dev.paddock.cli.agent;

import dev.paddock.cli.dialogue.SessionScope;
import dev.paddock.cli.terminal.Console;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.access.FileException.Reason;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a project's instructions for agents from the worktree, by the rules of the session's file
 * tools.
 */
final class ProjectInstructions {
    private static final List<String> NAMES = List.of("AGENTS.md", "CLAUDE.md");

    /** The largest file, in bytes. Larger ones are skipped, with a message. */
    private static final int MAX_BYTES = 65_536;

    private ProjectInstructions() {}

    /**
     * Returns the text for the system prompt; empty if there are no instructions. A file with the content of the
     * previous one, such as a link to it, counts once.
     */
    static String read(SessionScope scope, Console console) {
        Map<String, String> names = new LinkedHashMap<>();
        try (WorkspaceFiles files = scope.files()) {
            for (String name : NAMES) {
                read(files, name, names, console);
            }
        }
        StringBuilder text = new StringBuilder();
        names.forEach((content, name) -> text.append(text.isEmpty() ? "" : "\n\n")
                .append("The project's own instructions, from ")
                .append(name)
                .append(":\n\n")
                .append(content.strip()));
        return text.toString();
    }

    private static void read(WorkspaceFiles files, String name, Map<String, String> names, Console console) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(files.read(name, MAX_BYTES));
            String content = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
            if (!content.isBlank()) {
                names.putIfAbsent(content, name);
            }
        } catch (CharacterCodingException binary) {
            console.complain(name + " is left out: it is not UTF-8 text");
        } catch (FileException refused) {
            if (refused.reason() != Reason.NOT_FOUND) {
                console.complain(name + " is left out: " + Console.text(refused));
            }
        }
    }
}
