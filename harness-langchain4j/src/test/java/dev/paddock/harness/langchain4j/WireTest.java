package dev.paddock.harness.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.events.RunOutcome;
import dev.paddock.harness.model.AssistantTurn;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.model.ModelListener;
import dev.paddock.harness.model.ModelRequest;
import dev.paddock.harness.model.ToolSpecification;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.samples.ExampleProject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests what is sent in each protocol, in both directions. */
class WireTest {
    /**
     * Beside letters: characters of two, three and four bytes, characters that JSON escapes, and
     * text that looks like the stream's own markup.
     */
    private static final String TEXT = "héllo €  🐾 \"quoted\" \\ back\\slash\n\ndata: [DONE]\n\tend ";

    private final StringBuilder heard = new StringBuilder();
    private ProtocolServer server;

    @BeforeEach
    void start() throws IOException {
        server = new ProtocolServer();
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private static Json arguments(String name, String value) {
        return Json.object().with(name, value);
    }

    private static ModelRequest request(List<Message> messages, List<ToolSpecification> tools) {
        return ModelRequest.builder(messages)
                .systemPrompt("You are tested.")
                .tools(tools)
                .build();
    }

    private AssistantTurn respond(Model model, ModelRequest request) {
        return model.respond(request, heard::append);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void scriptedAgentFinishesDemo(Protocol protocol, @TempDir Path worktree, @TempDir Path state) throws IOException {
        ExampleProject.writeTo(worktree);
        Model brain = ExampleProject.model();
        for (int turn = 0; turn < 5; turn++) {
            server.then(protocol.from(brain, 50));
        }
        RunOutcome outcome;
        try (AgentSession session = AgentSession.builder()
                .model(protocol.model(server).build())
                .cwd(worktree)
                .executor(HostExecutor.create())
                .sessionDirectory(state.resolve("session"))
                .build()) {
            outcome = session.prompt(ExampleProject.PROMPT);
        }
        assertThat(outcome)
                .isEqualTo(RunOutcome.builder(RunOutcome.End.COMPLETED)
                        .text("The test passes.")
                        .turns(5)
                        .build());
        assertThat(worktree.resolve("leap.sh")).content().contains("% 400");
        assertThat(server.requests())
                .hasSize(5)
                .allSatisfy(request -> assertThat(request.path()).isEqualTo(protocol.path));
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void parallelCallsArriveInOrderWhateverStreamIsCutInto(Protocol protocol) {
        AssistantTurn turn = AssistantTurn.calling(
                TEXT,
                new ToolCall("call_a", "bash", arguments("command", TEXT)),
                new ToolCall("call_b", "ls", Json.object()),
                new ToolCall(
                        "call_c",
                        "read",
                        arguments("path", "ünï/\"\u0001\u2028.txt").with("limit", 12)));
        server.then(protocol.from((request, listener) -> turn, 1));
        AssistantTurn arrived =
                respond(protocol.model(server).build(), request(List.of(new Message.User("Go")), List.of()));
        assertThat(arrived)
                .isEqualTo(AssistantTurn.of(TEXT, turn.toolCalls(), Optional.of(AssistantTurn.Usage.of(17, 15))));
        assertThat(heard).hasToString(TEXT);
    }

    @ParameterizedTest
    @EnumSource(
            value = Protocol.class,
            names = {"OPENAI", "OPENAI_COMPATIBLE", "OLLAMA"})
    void thoughtsArriveApartFromText(Protocol protocol) {
        AssistantTurn turn = AssistantTurn.saying(TEXT);
        String stream =
                protocol.thought("What is ") + protocol.thought("asked?") + String.join("", protocol.events(turn));
        server.then((request, reply) -> reply.stream().send(stream, 7).end());
        StringBuilder thoughts = new StringBuilder();
        ModelListener listener = new ModelListener() {
            @Override
            public void onText(String delta) {
                heard.append(delta);
            }

            @Override
            public void onThought(String delta) {
                thoughts.append(delta);
            }
        };
        assertThat(protocol.model(server)
                        .build()
                        .respond(request(List.of(new Message.User("Go")), List.of()), listener)
                        .text())
                .isEqualTo(TEXT);
        assertThat(thoughts).hasToString("What is asked?");
        assertThat(heard).hasToString(TEXT);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void conversationAndToolsAreSentWhole(Protocol protocol) {
        Json depth = Json.object().with("type", "integer").with("minimum", 1).with("description", "How deep.");
        Json schema = Json.object()
                .with("type", "object")
                .with("properties", Json.object().with("depth", depth))
                .with("required", List.of("depth"));
        List<Message> conversation = List.of(
                new Message.User("First"),
                new Message.User("and second"),
                new Message.Assistant(" ", List.of()),
                new Message.Assistant("", List.of(new ToolCall("call_1", "dig", arguments("depth", "x")))),
                new Message.ToolResults(List.of(Message.ToolOutcome.of("call_1", "dig", "It is rock.", true))),
                new Message.User(""));
        server.then(protocol.from((request, listener) -> AssistantTurn.saying("Yes."), 1000));
        respond(
                protocol.model(server).build(),
                request(conversation, List.of(ToolSpecification.of("dig", "Digs.", schema))));
        JsonNode body = server.requests().getFirst().body();
        assertThat(body.toString())
                .contains("You are tested.", "First", "and second", "call_1", "It is rock.", "Digs.")
                .contains(depth.toString().replace("{", "").replace("}", "").split(",", -1));
        assertThat(body.path("stream").asBoolean()).isTrue();
        if (protocol == Protocol.ANTHROPIC) {
            assertThat(body.toString()).contains("\"is_error\":true");
            assertThat(body.path("max_tokens").asInt()).isEqualTo(16_384);
        }
        assertThat(body.findValues("text"))
                .noneSatisfy(text -> assertThat(text.asText()).isBlank());
    }

    /**
     * For schemas of foreign tools: references to definitions resolve, and keywords without a field
     * of their own are put into the description.
     */
    @ParameterizedTest
    @EnumSource(Protocol.class)
    void partsOfToolsSchemaBesideItsPropertiesAreNotLost(Protocol protocol) {
        Json properties = Json.parse("""
                {"$schema": "http://json-schema.org/draft-07/schema#", "title": "Place", "type": "object",
                 "properties": {"old": {"$ref": "#/definitions/Point"}, "new": {"items": {"$ref": "#/$defs/Line"}}},
                 "definitions": {"Point": {"type": "number", "minimum": 17}},
                 "$defs": {"Line": {"type": "array", "items": {"$ref": "#/definitions/Point"}}},
                 "additionalProperties": false}
                """);
        Json any = Json.parse("""
                {"type": "object", "properties": {"a": {}}, "additionalProperties": {"type": "string"},
                 "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
                """);
        server.then(protocol.from((request, listener) -> AssistantTurn.saying("Yes."), 1000));
        List<ToolSpecification> tools =
                List.of(ToolSpecification.of("place", "Places.", properties), ToolSpecification.of("any", "Any.", any));
        respond(protocol.model(server).build(), request(List.of(new Message.User("Go")), tools));
        List<JsonNode> sent = new ArrayList<>();
        server.requests()
                .getFirst()
                .body()
                .path("tools")
                .forEach(tool -> sent.add(tool.has("function") ? tool.path("function") : tool));
        JsonNode place = sent.getFirst();
        JsonNode parameters = place.findValue(protocol == Protocol.ANTHROPIC ? "input_schema" : "parameters");
        assertThat(parameters.at("/properties/old/$ref").asText()).isEqualTo("#/$defs/Point");
        assertThat(parameters.at("/properties/new/items/$ref").asText()).isEqualTo("#/$defs/Line");
        String definitions = """
                {"Point":{"type":"number","minimum":17},"Line":{"type":"array","items":{"$ref":"#/$defs/Point"}}}""";
        String together = "\n\nOf the arguments together: ";
        if (protocol == Protocol.OLLAMA) {
            assertThat(place.path("description").asText())
                    .isEqualTo("Places." + together + "{\"$defs\":" + definitions + "}");
        } else {
            assertThat(place.path("description").asText()).isEqualTo("Places.");
            assertThat(parameters.path("$defs")).hasToString(definitions);
        }
        assertThat(sent.getLast().path("description").asText()).isEqualTo("Any." + together + """
                {"additionalProperties":{"type":"string"},"anyOf":[{"required":["a"]},{"required":["b"]}]}""");
    }

    @Test
    void keyIsShownToProviderAndToNobodyElse() {
        Protocol.ANTHROPIC.model(server).build();
        server.then(Protocol.ANTHROPIC.from((request, listener) -> AssistantTurn.saying("Yes."), 1000));
        server.then(Protocol.OPENAI.from((request, listener) -> AssistantTurn.saying("Yes."), 1000));
        server.then(Protocol.OPENAI_COMPATIBLE.from((request, listener) -> AssistantTurn.saying("Yes."), 1000));
        for (Protocol protocol : List.of(Protocol.ANTHROPIC, Protocol.OPENAI, Protocol.OPENAI_COMPATIBLE)) {
            LangChain4jModel model = protocol.model(server).build();
            respond(model, request(List.of(new Message.User("Go")), List.of()));
            assertThat(model.toString()).contains("test-model").doesNotContain(Protocol.SECRET);
        }
        assertThat(server.requests().get(0).headers()).containsEntry("x-api-key", Protocol.SECRET);
        assertThat(server.requests().get(1).headers()).containsEntry("authorization", "Bearer " + Protocol.SECRET);
        assertThat(server.requests().get(2).headers()).doesNotContainKey("authorization");
        assertThat(server.requests())
                .allSatisfy(request -> assertThat(request.body().toString()).doesNotContain(Protocol.SECRET));
    }

    @Test
    void argumentsThatAreNoObjectAreRefusedByCheckAndNotByRun() {
        server.then((request, reply) -> {
            ObjectNode delta = JsonNodeFactory.instance.objectNode();
            delta.putArray("tool_calls")
                    .addObject()
                    .put("index", 0)
                    .put("id", "call_1")
                    .putObject("function")
                    .put("name", "bash")
                    .put("arguments", "{\"command\": 'ls'");
            reply.stream()
                    .send(Protocol.openAiChunk(delta, "tool_calls") + "data: [DONE]\n\n")
                    .end();
        });
        AssistantTurn turn =
                respond(Protocol.OPENAI.model(server).build(), request(List.of(new Message.User("Go")), List.of()));
        assertThat(turn.toolCalls())
                .containsExactly(new ToolCall("call_1", "bash", arguments(Turns.NOT_AN_OBJECT, "{\"command\": 'ls'")));
    }

    @Test
    void callsWithoutIdOrWithOneThatIsTakenGetOneOfTheirOwn() {
        List<Message> before = List.of(
                new Message.User("Go"),
                new Message.Assistant("", List.of(new ToolCall("same", "ls", arguments("path", ".")))),
                new Message.ToolResults(List.of(Message.ToolOutcome.of("same", "ls", "a", false))));
        AssistantTurn turn = AssistantTurn.calling(
                "", new ToolCall("same", "ls", arguments("path", "a")), new ToolCall("", "ls", arguments("path", "b")));
        server.then(Protocol.OLLAMA.from((request, listener) -> turn, 1000));
        AssistantTurn arrived = respond(Protocol.OLLAMA.model(server).build(), request(before, List.of()));
        assertThat(arrived.toolCalls())
                .extracting(ToolCall::id)
                .doesNotContain("same", "")
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void modelSeesImagesOfResultsIfItTakesAny(Protocol protocol) {
        String image = "iVBORw0KGgo=";
        List<Message> conversation = List.of(
                new Message.User("Look"),
                new Message.Assistant("", List.of(new ToolCall("call_1", "read", arguments("path", "a.png")))),
                new Message.ToolResults(List.of(Message.ToolOutcome.of(
                        "call_1", "read", "[a.png]", false, List.of(new ToolResult.Image("image/png", image))))));
        for (boolean takes : new boolean[] {true, false}) {
            server.then(protocol.from((request, listener) -> AssistantTurn.saying("A dot."), 1000));
            Model model = protocol.model(server).images(takes).build();
            assertThat(model.takesImages()).isEqualTo(takes);
            respond(model, request(conversation, List.of()));
            String body = server.requests().getLast().body().toString();
            assertThat(body).contains("[a.png]");
            if (takes) {
                assertThat(body).contains(image).doesNotContain("not passed");
            } else {
                assertThat(body).doesNotContain(image).contains("it does not see this one");
            }
        }
    }

    @Test
    void onlyLastImagesOfConversationAreSent() {
        List<Message> conversation = new ArrayList<>(List.of(new Message.User("Look")));
        for (int i = 0; i < SentImages.MAX_IMAGES + 1; i++) {
            conversation.add(new Message.Assistant("", List.of(new ToolCall("c" + i, "read", arguments("path", "a")))));
            conversation.add(new Message.ToolResults(List.of(Message.ToolOutcome.of(
                    "c" + i, "read", "text", false, List.of(new ToolResult.Image("image/png", "AAA" + (100 + i)))))));
        }
        server.then(Protocol.ANTHROPIC.from((request, listener) -> AssistantTurn.saying("Seen."), 1000));
        respond(Protocol.ANTHROPIC.model(server).build(), request(conversation, List.of()));
        String body = server.requests().getLast().body().toString();
        assertThat(body).contains("AAA101", "AAA120", "not shown any more").doesNotContain("AAA100");
    }

    /** Tests that any LangChain4j model works. */
    @Test
    void anyLangChain4jModelWorks() {
        server.then(Protocol.OPENAI.from((request, listener) -> AssistantTurn.saying(TEXT), 5));
        LangChain4jModel model = LangChain4jModel.over(OpenAiStreamingChatModel.builder()
                .baseUrl(server.url())
                .apiKey(Protocol.SECRET)
                .modelName("test-model")
                .build());
        assertThat(respond(model, request(List.of(new Message.User("Go")), List.of()))
                        .text())
                .isEqualTo(TEXT);
        assertThat(heard).hasToString(TEXT);
    }
}
