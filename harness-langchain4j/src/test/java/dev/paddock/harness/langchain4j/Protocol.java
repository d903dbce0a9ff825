package dev.paddock.harness.langchain4j;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.harness.model.AssistantTurn;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.model.ModelRequest;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.text.JsonNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The providers' published streaming protocols: Anthropic's messages, OpenAI's chat completions,
 * Ollama's chat. Texts and arguments are split into pieces of a few characters, at any position.
 */
enum Protocol {
    ANTHROPIC(Provider.ANTHROPIC, "/v1/messages"),
    OPENAI(Provider.OPENAI, "/chat/completions"),
    OPENAI_COMPATIBLE(Provider.OPENAI_COMPATIBLE, "/chat/completions"),
    OLLAMA(Provider.OLLAMA, "/api/chat");

    static final String SECRET = "sk-very-secret-0123456789";
    private static final int PIECE = 3;

    final Provider provider;
    final String path;

    Protocol(Provider provider, String path) {
        this.provider = provider;
        this.path = path;
    }

    /** Returns a model that connects to the server. */
    LangChain4jModelBuilder model(ProtocolServer server) {
        return LangChain4jModel.of(provider, "test-model")
                .baseUrl(server.url())
                .environment(Map.of("ANTHROPIC_API_KEY", SECRET, "OPENAI_API_KEY", SECRET));
    }

    /** Returns an answer that a model behind the server produces. */
    ProtocolServer.Answer from(Model brain, int chunk) {
        return (request, reply) -> {
            AssistantTurn turn =
                    brain.respond(ModelRequest.builder(messages(request.body())).build(), text -> {});
            reply.stream().send(String.join("", events(turn)), chunk).end();
        };
    }

    /** Returns the conversation, as far as a scripted model reads it. */
    static List<Message> messages(JsonNode body) {
        List<Message> messages = new ArrayList<>();
        for (JsonNode message : body.path("messages")) {
            List<Message.ToolOutcome> outcomes = outcomes(message);
            if (outcomes.isEmpty()) {
                messages.add(new Message.User(""));
            } else if (messages.getLast() instanceof Message.ToolResults before) {
                outcomes.addAll(0, before.results());
                messages.set(messages.size() - 1, new Message.ToolResults(outcomes));
            } else {
                messages.add(new Message.ToolResults(outcomes));
            }
        }
        return messages;
    }

    private static List<Message.ToolOutcome> outcomes(JsonNode message) {
        List<Message.ToolOutcome> outcomes = new ArrayList<>();
        if (message.path("role").asText().equals("tool")) {
            outcomes.add(Message.ToolOutcome.of("", "", message.path("content").asText(), false));
        }
        for (JsonNode block : message.path("content")) {
            if (block.path("type").asText().equals("tool_result")) {
                String id = block.path("tool_use_id").asText();
                String text = block.path("content").asText();
                outcomes.add(Message.ToolOutcome.of(
                        id, "", text, block.path("is_error").asBoolean()));
            }
        }
        return outcomes;
    }

    /** Returns the event of a piece of the model's thoughts. */
    String thought(String text) {
        return this == OLLAMA ? ollamaThought(text) + "\n" : openAiChunk(node().put("reasoning_content", text), "");
    }

    private static ObjectNode ollamaThought(String text) {
        ObjectNode line = ollamaMessage("");
        line.withObject("message").put("thinking", text);
        return line;
    }

    /** Returns the events of a turn. */
    List<String> events(AssistantTurn turn) {
        return switch (this) {
            case ANTHROPIC -> anthropic(turn);
            case OPENAI, OPENAI_COMPATIBLE -> openAi(turn);
            case OLLAMA -> ollama(turn);
        };
    }

    private static ObjectNode node() {
        return JsonNodeFactory.instance.objectNode();
    }

    static List<String> pieces(String text) {
        List<String> pieces = new ArrayList<>();
        for (int at = 0; at < text.length(); at += PIECE) {
            pieces.add(text.substring(at, Math.min(text.length(), at + PIECE)));
        }
        // Half a surrogate pair cannot be encoded in UTF-8: such pieces stay together.
        for (int i = 0; i + 1 < pieces.size(); i++) {
            String piece = pieces.get(i);
            if (Character.isHighSurrogate(piece.charAt(piece.length() - 1))) {
                pieces.set(i, piece + pieces.remove(i + 1));
            }
        }
        return pieces;
    }

    static String anthropicEvent(String type, ObjectNode data) {
        return "event: " + type + "\ndata: " + data.put("type", type) + "\n\n";
    }

    private static List<String> anthropic(AssistantTurn turn) {
        List<String> events = new ArrayList<>();
        ObjectNode start = node();
        start.putObject("message")
                .put("id", "msg_1")
                .put("role", "assistant")
                .put("model", "test-model")
                .putObject("usage")
                .put("input_tokens", 10)
                .put("cache_creation_input_tokens", 2)
                .put("cache_read_input_tokens", 5)
                .put("output_tokens", 1);
        events.add(anthropicEvent("message_start", start));
        events.add(anthropicEvent("ping", node()));
        int index = 0;
        if (!turn.text().isEmpty()) {
            ObjectNode text = node().put("type", "text").put("text", "");
            anthropicBlock(events, index++, text, "text_delta", "text", turn.text());
        }
        for (ToolCall call : turn.toolCalls()) {
            ObjectNode use = node().put("type", "tool_use").put("id", call.id()).put("name", call.name());
            use.putObject("input");
            anthropicBlock(
                    events,
                    index++,
                    use,
                    "input_json_delta",
                    "partial_json",
                    call.arguments().toString());
        }
        ObjectNode delta = node();
        delta.putObject("delta").put("stop_reason", turn.toolCalls().isEmpty() ? "end_turn" : "tool_use");
        delta.putObject("usage").put("output_tokens", 15);
        events.add(anthropicEvent("message_delta", delta));
        events.add(anthropicEvent("message_stop", node()));
        return events;
    }

    private static void anthropicBlock(
            List<String> events, int index, ObjectNode block, String deltaType, String field, String text) {
        events.add(
                anthropicEvent("content_block_start", node().put("index", index).set("content_block", block)));
        for (String piece : pieces(text)) {
            ObjectNode delta = node().put("index", index);
            delta.putObject("delta").put("type", deltaType).put(field, piece);
            events.add(anthropicEvent("content_block_delta", delta));
        }
        events.add(anthropicEvent("content_block_stop", node().put("index", index)));
    }

    static String openAiChunk(ObjectNode delta, String finishReason) {
        ObjectNode chunk = node().put("id", "chatcmpl-1")
                .put("object", "chat.completion.chunk")
                .put("model", "test-model");
        ObjectNode choice = chunk.putArray("choices").addObject().put("index", 0);
        choice.set("delta", delta);
        if (!finishReason.isEmpty()) {
            choice.put("finish_reason", finishReason);
        }
        return "data: " + chunk + "\n\n";
    }

    private static List<String> openAi(AssistantTurn turn) {
        List<String> events = new ArrayList<>();
        events.add(openAiChunk(node().put("role", "assistant").put("content", ""), ""));
        pieces(turn.text()).forEach(piece -> events.add(openAiChunk(node().put("content", piece), "")));
        int index = 0;
        for (ToolCall call : turn.toolCalls()) {
            ObjectNode first = node();
            first.putArray("tool_calls")
                    .addObject()
                    .put("index", index)
                    .put("id", call.id())
                    .put("type", "function")
                    .putObject("function")
                    .put("name", call.name())
                    .put("arguments", "");
            events.add(openAiChunk(first, ""));
            for (String piece : pieces(call.arguments().toString())) {
                ObjectNode more = node();
                more.putArray("tool_calls")
                        .addObject()
                        .put("index", index)
                        .putObject("function")
                        .put("arguments", piece);
                events.add(openAiChunk(more, ""));
            }
            index++;
        }
        events.add(openAiChunk(node(), turn.toolCalls().isEmpty() ? "stop" : "tool_calls"));
        ObjectNode usage = node().put("id", "chatcmpl-1").put("object", "chat.completion.chunk");
        usage.putArray("choices");
        usage.putObject("usage")
                .put("prompt_tokens", 17)
                .put("completion_tokens", 15)
                .put("total_tokens", 32);
        events.add("data: " + usage + "\n\n");
        events.add("data: [DONE]\n\n");
        return events;
    }

    private static ObjectNode ollamaMessage(String content) {
        ObjectNode line = node().put("model", "test-model").put("created_at", "2026-01-22T11:22:42.180546Z");
        line.putObject("message").put("role", "assistant").put("content", content);
        return line.put("done", false);
    }

    private static List<String> ollama(AssistantTurn turn) {
        List<ObjectNode> lines = new ArrayList<>();
        pieces(turn.text()).forEach(piece -> lines.add(ollamaMessage(piece)));
        int index = 0;
        for (ToolCall call : turn.toolCalls()) {
            ObjectNode line = ollamaMessage("");
            ObjectNode function = line.withObject("/message")
                    .putArray("tool_calls")
                    .addObject()
                    .put("id", call.id())
                    .putObject("function");
            function.put("index", index++)
                    .put("name", call.name())
                    .set("arguments", JsonNodes.object(call.arguments()));
            lines.add(line);
        }
        lines.add(ollamaMessage("")
                .put("done", true)
                .put("done_reason", "stop")
                .put("prompt_eval_count", 17)
                .put("eval_count", 15));
        return lines.stream().map(line -> line + "\n").collect(Collectors.toList());
    }
}
