package dev.paddock.samples.loops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.harness.langchain4j.LangChain4jModel;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the samples with a model that is a server on this machine. */
class OtherLoopsTest {
    @TempDir
    private Path worktree;

    private ModelServer server;

    @BeforeEach
    void start() throws IOException {
        server = new ModelServer();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private ChatModel chatModel() {
        return OpenAiChatModel.builder()
                .baseUrl(server.url())
                .apiKey("none")
                .modelName("test-model")
                .maxRetries(0)
                .build();
    }

    /** Makes the model run a command and read what it has written. */
    private ModelServer fixing() {
        return server.calling("bash", "{'command': 'echo well > made; echo ran'}")
                .calling("read", "{'path': 'made'}")
                .saying("It passes.");
    }

    private void assertFixed() {
        assertThat(worktree.resolve("made")).hasContent("well\n");
        assertThat(server.offered()).contains("bash", "read", "edit");
        assertThat(server.results()).hasSize(2).first().asString().startsWith("ran\n");
        assertThat(server.results().getLast()).contains("well");
    }

    @Test
    void aiServicesRunsCommandAndReadsFile() {
        fixing();
        assertThat(AiServicesLoop.run(chatModel(), worktree, HostExecutor.create()))
                .isEqualTo("It passes.");
        assertFixed();
    }

    @Test
    void chatClientRunsCommandAndReadsFile() {
        fixing();
        assertThat(SpringAiLoop.run(new HttpChatModel(server.url()), worktree, HostExecutor.create()))
                .isEqualTo("It passes.");
        assertFixed();
    }

    @Test
    void sessionUsesApplicationsModel() {
        fixing();
        OwnChatModel.run(chatModel(), worktree, HostExecutor.create());
        assertFixed();
    }

    @Test
    void personIsAskedBeforeCommandAndNotBeforeRead() {
        server.calling("bash", "{'command': 'echo well > made'}")
                .calling("bash", "{'command': 'echo again > made'}")
                .calling("read", "{'path': 'made'}")
                .saying("It passes.");
        ByteArrayOutputStream questions = new ByteArrayOutputStream();
        new AskFirst(
                        new BufferedReader(new StringReader("y\nonce is enough\n")),
                        new PrintStream(questions, true, StandardCharsets.UTF_8))
                .run(LangChain4jModel.over(chatModel()), worktree, HostExecutor.create());
        assertThat(questions.toString(StandardCharsets.UTF_8).split("Unsandboxed: ", -1))
                .containsExactly(
                        "",
                        "bash echo well > made [y]es, [a]lways, or why not? ",
                        "bash echo again > made [y]es, [a]lways, or why not? ");
        assertThat(worktree.resolve("made")).hasContent("well\n");
        assertThat(server.results()).hasSize(3);
        assertThat(server.results().get(1)).contains("denied: once is enough. Nothing was done");
        assertThat(server.results().getLast()).contains("well");
    }

    @Test
    void mcpClientCallsTool() throws Exception {
        Pipe requests = Pipe.open();
        Pipe answers = Pipe.open();
        CompletableFuture<Void> served = CompletableFuture.runAsync(() -> OverMcp.serve(
                worktree,
                HostExecutor.create(),
                Channels.newInputStream(requests.source()),
                Channels.newOutputStream(answers.sink())));
        try (OutputStream toServer = Channels.newOutputStream(requests.sink());
                BufferedReader fromServer =
                        new BufferedReader(Channels.newReader(answers.source(), StandardCharsets.UTF_8))) {
            send(
                    toServer,
                    "{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':'2025-06-18',"
                            + "'capabilities':{},'clientInfo':{'name':'test','version':'1'}}}");
            assertThat(fromServer.readLine()).contains("my-tools");
            send(toServer, "{'jsonrpc':'2.0','method':'notifications/initialized'}");
            send(
                    toServer,
                    "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'bash','arguments':"
                            + "{'command':'echo well > made; echo ran'}}}");
            assertThat(fromServer.readLine()).contains("ran", "\"isError\":false");
        }
        served.get(60, TimeUnit.SECONDS);
        assertThat(worktree.resolve("made")).hasContent("well\n");
    }

    private static void send(OutputStream to, String line) throws IOException {
        to.write((line.replace('\'', '"') + "\n").getBytes(StandardCharsets.UTF_8));
        to.flush();
    }

    /** Apart from the surrounding class, the page's lines are the samples'. */
    @ParameterizedTest
    @CsvSource({
        "AiServicesLoop, LangChain4jTools",
        "SpringAiLoop, SpringAiTools",
        "OverMcp, McpToolServer.of(toolbox",
        "OwnChatModel, LangChain4jModel.over",
        "AskFirst, .approver("
    })
    void pagesLinesAreSamples(String sample, String mark) throws IOException {
        String lines = words(Files.readString(Path.of("src/main/java/dev/paddock/samples/loops", sample + ".java")));
        List<String> examples = Pattern.compile("(?ms)^```java\\n(.*?)^```$")
                .matcher(Files.readString(Path.of("..", "..", "docs", "java.md")))
                .results()
                .map(found -> found.group(1))
                .filter(example -> example.contains(mark))
                .toList();
        assertThat(examples)
                .singleElement()
                .satisfies(example -> assertThat(lines).contains(words(example)));
    }

    private static String words(String code) {
        return code.replaceAll("\\s+", " ").strip();
    }
}
