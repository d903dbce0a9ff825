package dev.paddock.benchmarks.family;

import dev.paddock.harness.model.AssistantTurn;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.model.ModelListener;
import dev.paddock.harness.model.ModelRequest;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolCall;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A model that calls a session's bash tool with one command a given number of times, and then ends
 * its turn.
 */
final class BashCallModel implements Model {
    private final String command;
    private final int number;
    private final boolean background;
    private boolean called;

    BashCallModel(String command, int number, boolean background) {
        this.command = command;
        this.number = number;
        this.background = background;
    }

    @Override
    public AssistantTurn respond(ModelRequest request, ModelListener listener) {
        if (called) {
            return AssistantTurn.saying("done");
        }
        called = true;
        return AssistantTurn.of(
                "", IntStream.range(0, number).mapToObj(this::call).toList(), Optional.empty());
    }

    private ToolCall call(int index) {
        Json arguments = Json.object().with("command", command);
        return new ToolCall(
                "call-" + index, "bash", background ? arguments.with("run_in_background", true) : arguments);
    }
}
