package dev.paddock.harness.adk;

import com.google.adk.models.BaseLlm;
import com.google.adk.models.BaseLlmConnection;
import com.google.adk.models.LlmRequest;
import com.google.adk.models.LlmResponse;
import com.google.genai.types.Content;
import com.google.genai.types.Part;
import io.reactivex.rxjava3.core.Flowable;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** A model that gives one answer after the other. */
final class Script extends BaseLlm {
    private final Deque<String> answers;

    Script(String... answers) {
        super("script");
        this.answers = new ArrayDeque<>(List.of(answers));
    }

    @Override
    public Flowable<LlmResponse> generateContent(LlmRequest request, boolean stream) {
        return Flowable.just(LlmResponse.builder()
                .content(Content.builder()
                        .role("model")
                        .parts(Part.fromText(answers.remove()))
                        .build())
                .build());
    }

    @Override
    public BaseLlmConnection connect(LlmRequest request) {
        throw new UnsupportedOperationException();
    }
}
