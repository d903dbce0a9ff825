package dev.paddock.harness.model;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.path.FileOpener;
import dev.paddock.harness.tools.ToolCall;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Replays turns from a script, for tests, samples and demonstrations. The script is JSON:
 *
 * <pre>{@code
 * {
 *   "turns": [
 *     {"text": "Let me run the test.",
 *      "calls": [{"tool": "bash", "arguments": {"command": "sh test.sh"}}]},
 *     {"expect": ["FAILED", "expected 3"],
 *      "text": "Off by one.",
 *      "calls": [{"tool": "edit",
 *                 "arguments": {"path": "sum.sh", "old_string": "-1", "new_string": ""}}]},
 *     {"text": "Done."}
 *   ]
 * }
 * }</pre>
 *
 * <ul>
 *   <li>{@code text}: the assistant's text; streamed word by word. Empty if left out.
 *   <li>{@code thought}: what the assistant thinks before; streamed in one piece. None if left out.
 *   <li>{@code calls}: the tool calls, which run concurrently. A turn without calls ends the run;
 *       the next prompt continues with the turn after it.
 *   <li>{@code expect}: a string, or a list of strings, each of which must occur in the results of
 *       the previous turn's calls; otherwise the run fails, with a message that shows the actual
 *       results.
 * </ul>
 *
 * <p>Comments ({@code //} and {@code /* … *}{@code /}) are allowed; other fields are not. One
 * instance plays the script once, in one session.
 *
 * @since 0.1
 */
public final class ScriptedModel implements Model {
    private static final ObjectMapper JSON = new ObjectMapper().enable(JsonParser.Feature.ALLOW_COMMENTS);
    private static final Pattern WORDS = Pattern.compile("(?<=\\s)(?=\\S)");
    private static final int MAX_SHOWN = 2_000;

    private static final int MAX_BYTES = 16 << 20;

    private final String name;
    private final List<ScriptedTurn> turns;
    private int played;

    private ScriptedModel(String name, List<ScriptedTurn> turns) {
        this.name = name;
        this.turns = turns;
    }

    /**
     * Reads a script from a file.
     *
     * @param file a file of JSON in UTF-8
     * @return the model, at the script's beginning
     * @throws ScriptException if the file is not a valid script; the message names the turn at
     *     fault
     * @throws UncheckedIOException if the file cannot be read
     */
    public static ScriptedModel of(Path file) {
        try {
            return parse(file.toString(), text(file));
        } catch (CharacterCodingException notText) {
            throw new ScriptException("script " + file + ": it is not UTF-8 text", notText);
        } catch (IOException fault) {
            throw new UncheckedIOException(
                    "the script " + file + " cannot be read (" + FileFaults.reason(fault) + "); name a regular file",
                    fault);
        }
    }

    /** Reads a file that a command may have replaced, since it may be in a worktree. */
    private static String text(Path file) throws IOException {
        try (FileChannel open = FileOpener.installed().open(file, StandardOpenOption.READ)) {
            byte[] bytes = Channels.newInputStream(open).readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new ScriptException("script " + file + ": it has more than " + (MAX_BYTES >> 20)
                        + " MiB; divide it into several sessions");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        }
    }

    /**
     * Parses a script.
     *
     * @param name the script's name in messages
     * @param json the script
     * @return the model, at the script's beginning
     * @throws ScriptException if it is not a valid script; the message names the turn at fault
     */
    public static ScriptedModel parse(String name, String json) {
        try {
            return new ScriptedModel(name, ScriptedTurn.all(name, JSON.readTree(json)));
        } catch (JsonProcessingException fault) {
            throw new ScriptException(
                    "script " + name + ": it is not JSON: " + fault.getOriginalMessage() + " at line "
                            + fault.getLocation().getLineNr(),
                    fault);
        }
    }

    @Override
    public synchronized AssistantTurn respond(ModelRequest request, ModelListener listener) {
        request.signal().throwIfAborted();
        if (played == turns.size()) {
            throw new ScriptException("script " + name + ", turn " + (played + 1) + ": there is none; the script has "
                    + turns.size() + (turns.size() == 1 ? " turn" : " turns")
                    + ". A run ends with a turn that has no calls.");
        }
        ScriptedTurn turn = turns.get(played);
        played++;
        requireExpected(turn, request.messages());
        if (!turn.thought().isEmpty()) {
            listener.onThought(turn.thought());
        }
        for (String word : WORDS.split(turn.text(), -1)) {
            request.signal().throwIfAborted();
            listener.onText(word);
        }
        return AssistantTurn.of(turn.text(), calls(turn, request.messages().size()), Optional.empty());
    }

    /** Makes the call ids unique, in a resumed session too, by the number of messages so far. */
    private static List<ToolCall> calls(ScriptedTurn turn, int messages) {
        List<ToolCall> calls = new ArrayList<>();
        for (ScriptedTurn.Call call : turn.calls()) {
            String id = "call_" + messages + "_" + (calls.size() + 1);
            calls.add(new ToolCall(id, call.tool(), call.arguments()));
        }
        return calls;
    }

    private void requireExpected(ScriptedTurn turn, List<Message> messages) {
        if (turn.expect().isEmpty()) {
            return;
        }
        String results = lastResults(messages);
        for (String expected : turn.expect()) {
            if (!results.contains(expected)) {
                throw new ScriptException("script " + name + ", turn " + played + ": the last results do not contain '"
                        + expected + "'. They are:\n" + end(results));
            }
        }
    }

    private static String lastResults(List<Message> messages) {
        for (Message message : messages.reversed()) {
            if (message instanceof Message.ToolResults results) {
                return String.join(
                        "\n",
                        results.results().stream()
                                .map(Message.ToolOutcome::text)
                                .toList());
            }
        }
        return "";
    }

    private static String end(String text) {
        return text.length() <= MAX_SHOWN ? text : "…" + text.substring(text.length() - MAX_SHOWN);
    }
}
