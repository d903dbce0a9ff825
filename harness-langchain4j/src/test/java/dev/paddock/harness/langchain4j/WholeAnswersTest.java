package dev.paddock.harness.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.exception.InvalidRequestException;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.TokenUsage;
import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import dev.paddock.harness.model.AssistantTurn;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.model.ModelException;
import dev.paddock.harness.model.ModelListener;
import dev.paddock.harness.model.ModelRequest;
import dev.paddock.harness.model.ToolSpecification;
import dev.paddock.harness.tools.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a model of the program that does not stream. */
@Timeout(60)
class WholeAnswersTest {
    private final List<String> heard = new ArrayList<>();

    private static ChatModel model(Function<ChatRequest, ChatResponse> answer) {
        return new ChatModel() {
            @Override
            public ChatResponse doChat(ChatRequest request) {
                return answer.apply(request);
            }
        };
    }

    private AssistantTurn respond(ChatModel model, AbortSignal signal) {
        ModelRequest request = ModelRequest.builder(List.of(new Message.User("Go")))
                .tools(List.of(
                        ToolSpecification.of("ls", "Lists.", Json.object().with("type", "object"))))
                .signal(signal)
                .build();
        return LangChain4jModel.over(model).respond(request, heard::add);
    }

    @Test
    void thoughtsArriveBeforeText() {
        ChatModel model = model(request -> ChatResponse.builder()
                .aiMessage(AiMessage.builder().thinking("Hm.").text("Yes.").build())
                .finishReason(FinishReason.STOP)
                .build());
        ModelListener listener = new ModelListener() {
            @Override
            public void onText(String delta) {
                heard.add(delta);
            }

            @Override
            public void onThought(String delta) {
                heard.add("thought " + delta);
            }
        };
        ModelRequest request =
                ModelRequest.builder(List.of(new Message.User("Go"))).build();
        assertThat(LangChain4jModel.over(model).respond(request, listener).text())
                .isEqualTo("Yes.");
        assertThat(heard).containsExactly("thought Hm.", "Yes.");
    }

    @Test
    void textCallsAndUsageArrive() {
        AssistantTurn turn = respond(
                model(request -> {
                    assertThat(request.toolSpecifications()).hasSize(1);
                    return ChatResponse.builder()
                            .aiMessage(AiMessage.from(
                                    "Let me see.",
                                    List.of(ToolExecutionRequest.builder()
                                            .id("1")
                                            .name("ls")
                                            .arguments("{}")
                                            .build())))
                            .finishReason(FinishReason.TOOL_EXECUTION)
                            .tokenUsage(new TokenUsage(3, 4))
                            .build();
                }),
                AbortSignal.never());
        assertThat(heard).containsExactly("Let me see.");
        assertThat(turn.text()).isEqualTo("Let me see.");
        assertThat(turn.toolCalls())
                .singleElement()
                .satisfies(call -> assertThat(call.name()).isEqualTo("ls"));
        assertThat(turn.usage()).isPresent();
    }

    @Test
    void failureIsClassified() {
        assertThatThrownBy(() -> respond(
                        model(request -> {
                            throw new InvalidRequestException("no such parameter");
                        }),
                        AbortSignal.never()))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("no such parameter");
    }

    @Test
    void abortReturnsAtOnceAndInterruptsModel() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        AbortController abort = new AbortController();
        CompletableFuture<AssistantTurn> turn = CompletableFuture.supplyAsync(() -> respond(
                model(request -> {
                    asked.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException now) {
                        interrupted.complete(true);
                    }
                    throw new IllegalStateException("interrupted");
                }),
                abort.signal()));
        assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
        abort.abort();
        assertThatThrownBy(() -> turn.get(30, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(AbortedException.class);
        assertThat(interrupted.get(30, TimeUnit.SECONDS)).isTrue();
    }
}
