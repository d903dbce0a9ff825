package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolResult;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the tools without a model: each call is checked, carried out and ended. */
class ToolboxTest extends SessionTest {
    private static final String LONG = "{\"command\": \"echo begun; exec sleep 300\"}";

    private final List<String> updates = new CopyOnWriteArrayList<>();

    private Toolbox toolbox() {
        return Toolbox.builder()
                .cwd(worktree)
                .executor(host)
                .sessionDirectory(home.resolve("toolbox"))
                .listener(events::add)
                .build();
    }

    private CompletableFuture<ToolResult> begin(Toolbox toolbox, AbortSignal signal) {
        CompletableFuture<ToolResult> call =
                CompletableFuture.supplyAsync(() -> toolbox.call("bash", LONG, signal, updates::add));
        await("the command has written \"begun\"")
                .until(() -> updates.stream().anyMatch(text -> text.contains("begun")));
        return call;
    }

    @Test
    void toolboxOffersSessionsToolsAndCallsThem() {
        try (Toolbox toolbox = toolbox()) {
            assertThat(toolbox.tools())
                    .extracting(Tool::name)
                    .containsExactlyElementsOf(open(builder(Model.none())).tools().stream()
                            .map(Tool::name)
                            .toList());
            assertThat(toolbox.call("bash", "{\"command\": \"echo one > made; cat made\"}", AbortSignal.never())
                            .text())
                    .startsWith("one\n");
            assertThat(worktree.resolve("made")).hasContent("one\n");
            assertThat(toolbox.call("ls", " ", AbortSignal.never()).text()).contains("made");
            assertThat(toolbox.instructions()).contains(worktree.toString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"command\": \"touch made\"", "[\"touch made\"]", "null", "{} {}"})
    void argumentsThatAreNoJsonObjectRunNothing(String arguments) {
        try (Toolbox toolbox = toolbox()) {
            ToolResult result = toolbox.call("bash", arguments, AbortSignal.never());
            assertThat(result.isError()).isTrue();
            assertThat(result.text()).contains("bash are not a JSON object: " + arguments, "Nothing was done");
            assertThat(Files.exists(worktree.resolve("made"))).isFalse();
        }
    }

    @Test
    void unknownToolIsErrorResultThatNamesTools() {
        try (Toolbox toolbox = toolbox()) {
            ToolResult result = toolbox.call("bush", "{}", AbortSignal.never());
            assertThat(result.isError()).isTrue();
            assertThat(result.text()).contains("'bush'", "bash, ");
        }
    }

    @Test
    void abortEndsCallAlone() throws Exception {
        try (Toolbox toolbox = toolbox()) {
            AbortController abort = new AbortController();
            CompletableFuture<ToolResult> call = begin(toolbox, abort.signal());
            abort.abort();
            assertThat(call.get(30, TimeUnit.SECONDS).text()).contains("aborted");
            assertThat(toolbox.call("bash", "{\"command\": \"echo on\"}", AbortSignal.never())
                            .text())
                    .startsWith("on\n");
        }
    }

    @Test
    void closingEndsCallsAndRefusesOthers() throws Exception {
        Toolbox toolbox = toolbox();
        CompletableFuture<ToolResult> call = begin(toolbox, AbortSignal.never());
        toolbox.close();
        toolbox.close();
        ToolResult ended = call.get(30, TimeUnit.SECONDS);
        assertThat(ended.isError()).isTrue();
        assertThat(ended.text()).contains("begun", "aborted");
        for (String arguments : List.of("{\"command\": \"true\"}", "no JSON")) {
            assertThatThrownBy(() -> toolbox.call("bash", arguments, AbortSignal.never()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }
    }

    @Test
    void executorStaysCallersIfBuildingFails() {
        assertThatThrownBy(() -> Toolbox.builder()
                        .cwd(home.resolve("nowhere"))
                        .executor(host)
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nowhere");
        try (Toolbox toolbox = toolbox()) {
            assertThat(toolbox.call("bash", "{\"command\": \"echo on\"}", AbortSignal.never())
                            .text())
                    .startsWith("on\n");
        }
    }
}
