package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.harness.LoopTest.TestTool;
import dev.paddock.harness.model.AssistantTurn;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.tools.ExecutionSite;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.web.WebAccess;
import dev.paddock.harness.tools.web.WebSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests the web tools among the other tools. */
class WebToolsTest extends SessionTest {
    private final AtomicInteger sessions = new AtomicInteger();
    private final List<String> searched = new CopyOnWriteArrayList<>();
    private final WebSearch search = (query, most, signal) -> {
        searched.add(query + " " + most);
        List<WebSearch.Hit> hits = new ArrayList<>();
        for (int i = 1; i <= 30; i++) {
            hits.add(new WebSearch.Hit("Title " + i, "https://example.org/" + i, i == 1 ? "An excerpt." : ""));
        }
        return hits;
    };

    private AgentSessionBuilder builder() {
        return builder(ToolSelection.builder());
    }

    private AgentSessionBuilder builder(ToolSelection.Builder tools) {
        return builder(script("{'text': 'Done.'}"))
                .tools(tools.webFetch(WebAccess.standard()).webSearch(search).build());
    }

    private static List<String> names(AgentSession session) {
        return session.tools().stream().map(Tool::name).toList();
    }

    private Message.ToolOutcome search(WebSearch how, Json arguments) {
        AgentSession session =
                open(builder((request, listener) -> request.messages().size() == 1
                                ? AssistantTurn.calling("", new ToolCall("1", "web_search", arguments))
                                : AssistantTurn.saying("Done."))
                        .sessionDirectory(home.resolve("session-" + sessions.incrementAndGet()))
                        .tools(ToolSelection.builder().webSearch(how).build()));
        session.prompt("Go");
        Message.ToolOutcome result = results(session).getFirst();
        session.close();
        return result;
    }

    private static Json arguments() {
        return Json.object();
    }

    @Test
    void webToolsAreOffByDefault() {
        assertThat(names(open(builder(script("{'text': 'Done.'}"))))).noneMatch(name -> name.startsWith("web_"));
    }

    @Test
    void webToolsFollowDefaultToolsAndNameNetworkAsSite() {
        List<Tool> tools = open(builder()).tools();
        assertThat(tools.subList(tools.size() - 2, tools.size()))
                .allSatisfy(tool -> assertThat(tool.executionSite()).isEqualTo(ExecutionSite.NETWORK))
                .extracting(Tool::name)
                .containsExactly("web_fetch", "web_search");
    }

    @Test
    void closedToolSetHasNoWebTools() {
        assertThat(names(open(builder().closedToolSet(true))))
                .contains("bash")
                .noneMatch(name -> name.startsWith("web_"));
    }

    @Test
    void webToolsAreConfiguredAndOverriddenLikeAnyOther() {
        Tool mine = new TestTool("web_fetch", (call, context) -> ToolResult.ok("mine"));
        AgentSession session = open(builder(ToolSelection.builder()
                .toolOverrides(Map.of("web_fetch", mine))
                .buildTools(tools -> List.of(tools.getFirst(), tools.get(tools.size() - 2)))
                .disallowedTools(List.of("bash"))));
        assertThat(session.tools()).containsExactly(mine);
    }

    @Test
    void resultsOfSearchAreShownInTheirOrderUpToLimit() {
        Message.ToolOutcome result =
                search(search, arguments().with("query", " wool ").with("limit", 2));
        assertThat(result.isError()).isFalse();
        assertThat(result.text())
                .isEqualTo("Title 1\nhttps://example.org/1\nAn excerpt.\n\nTitle 2\nhttps://example.org/2");
        assertThat(searched).containsExactly("wool 2");
    }

    @Test
    void tooLongTextIsCutBetweenTwoCharacters() {
        WebSearch endless = (query, most, signal) ->
                List.of(new WebSearch.Hit("x".repeat(1_999) + "\ud83e\udde6\ud83e\udde6", "https://example.org/", ""));
        assertThat(search(endless, arguments().with("query", "wool")).text())
                .isEqualTo("x".repeat(1_999) + "…\nhttps://example.org/");
    }

    @Test
    void searchThatFailsOrIsMadeWronglyIsError() {
        WebSearch failing = (query, most, signal) -> {
            throw new IllegalStateException("the quota is used up");
        };
        assertThat(search(failing, arguments().with("query", "wool")).text())
                .isEqualTo("the search failed: the quota is used up");
        assertThat(search(search, arguments().with("query", " ")).text()).contains("'query' is empty");
        assertThat(search(search, arguments().with("query", "wool").with("limit", 21))
                        .text())
                .contains("'limit' is 21");
        assertThat(search((query, most, signal) -> List.of(), arguments().with("query", "wool"))
                        .text())
                .isEqualTo("(nothing found for 'wool')");
        assertThat(searched).isEmpty();
    }
}
