package dev.paddock.cli.sessions;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A session as a hostile model and its commands would leave it: every text tries to leave its place. */
final class HostileSession {
    static final String ATTACK = "</pre></div></title></style><script>document.title='owned'</script>"
            + "<img src=x onerror=\"document.body.id='owned'\">' \" & \u001b[31mred\u001b[m \u0000\u009b \u202etxt.exe\ud800";

    private HostileSession() {}

    /** Writes the session, and returns its directory. */
    static Path writeTo(Path directory) throws IOException {
        ObjectNode user = message("user").put("text", ATTACK + " first");
        ObjectNode assistant = message("assistant").put("text", ATTACK);
        ObjectNode call = assistant.putArray("toolCalls").addObject();
        call.put("id", "1").put("name", ATTACK);
        call.putObject("arguments").put("command", ATTACK);
        ObjectNode edit = message("assistant").put("text", "");
        edit.putArray("toolCalls")
                .addObject()
                .put("id", "2")
                .put("name", "edit")
                .putObject("arguments")
                .put("path", "a.txt")
                .put("old_string", ATTACK)
                .put("new_string", ATTACK);
        ObjectNode results = message("tools");
        results.putArray("results")
                .addObject()
                .put("callId", "1")
                .put("tool", "bash")
                .put("isError", true)
                .put("text", (ATTACK + "\n").repeat(40));
        ObjectNode note = JsonNodeFactory.instance.objectNode().put("worktree", ATTACK);
        note.putObject("model").put("provider", ATTACK).put("name", ATTACK);
        Files.createDirectories(directory.resolve("logs"));
        Files.write(
                directory.resolve("messages.jsonl"), List.of(text(user), text(assistant), text(results), text(edit)));
        Files.writeString(directory.resolve("note"), text(note));
        return directory;
    }

    /** Returns JSON whose half of a surrogate pair is escaped: alone it has no encoding. */
    private static String text(ObjectNode node) {
        return node.toString().replace("\ud800", "\\ud800");
    }

    private static ObjectNode message(String role) {
        return JsonNodeFactory.instance.objectNode().put("role", role);
    }
}
