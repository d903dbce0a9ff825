package dev.paddock.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

import dev.paddock.cli.terminal.Printable;
import dev.paddock.cli.terminal.RedrawnLines;
import dev.paddock.cli.terminal.Style;
import dev.paddock.harness.events.RunOutcome;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.model.AssistantTurn;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolResult;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The screen that the live view leaves, on an emulated terminal that supports the control sequences
 * that it uses.
 */
class LiveViewTest {
    private static final int WIDTH = 30;
    private static final Pattern PIECE =
            Pattern.compile("\r|\n|\u001b\\[(?<count>\\d*)(?<what>[A-Za-z])|[^\r\n\u001b]+|\u001b");

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);
    private final UsageSummary tally = new UsageSummary();

    private static ToolCall bash(String id, String command) {
        return new ToolCall(id, "bash", Json.object().with("command", command));
    }

    /** Returns the lines of the screen; each redrawn line replaces the one before. */
    private List<String> screen() {
        List<String> lines = new ArrayList<>(List.of(""));
        int row = 0;
        Matcher pieces = PIECE.matcher(written.toString(StandardCharsets.UTF_8));
        while (pieces.find()) {
            String piece = pieces.group();
            if (piece.equals("\n")) {
                row++;
                if (row == lines.size()) {
                    lines.add("");
                }
            } else if ("A".equals(pieces.group("what"))) {
                row -= Integer.parseInt(pieces.group("count"));
            } else if ("J".equals(pieces.group("what"))) {
                lines.subList(row + 1, lines.size()).clear();
                lines.set(row, "");
            } else if (!piece.equals("\r") && pieces.group("what") == null) {
                assertThat(piece).as("only what the view means to do steers").isNotEqualTo("\u001b");
                lines.set(row, lines.get(row) + piece);
            }
        }
        return lines;
    }

    /** Returns the lines while the view's clock does not redraw them. */
    private List<String> screen(LiveView view) {
        synchronized (view) {
            return screen();
        }
    }

    private void show(LiveView view, SessionEvent event) {
        tally.onEvent(event);
        view.onEvent(event);
    }

    @Test
    void runningCallsStandBelowEndedOnes() {
        try (LiveView view =
                new LiveView(new RedrawnLines(out, () -> WIDTH), new Style(false), tally, started -> List.of())) {
            show(view, new SessionEvent.RunStarted("Go"));
            show(view, new SessionEvent.TurnStarted(1));
            show(view, new SessionEvent.TextReceived("First line\nand 日本語日本語日本語日本語日本語 the"));
            List<String> begun = screen(view);
            assertThat(begun.getFirst()).isEqualTo("First line");
            assertThat(begun.get(1)).endsWith("本語日本語 the");
            show(view, new SessionEvent.TextReceived(" end."));
            show(view, new SessionEvent.ToolStarted(bash("1", "make\u001b[2J everything and all the rest of it")));
            show(view, new SessionEvent.ToolStarted(bash("2", "true")));
            show(view, new SessionEvent.ToolUpdated(bash("1", ""), "line one\nline\u001b[2J two"));
            List<String> running = screen(view);
            assertThat(running)
                    .contains("and", "日本語日本語日本語日本語日本語", "the end.")
                    .anySatisfy(line -> assertThat(line).startsWith("  bash  ").endsWith("e^[[2J two"))
                    .last(STRING)
                    .startsWith("- 1 turn, ");
            assertThat(running.subList(4, running.size()))
                    .allSatisfy(line -> assertThat(
                                    line.codePoints().map(Printable::width).sum())
                            .isLessThan(WIDTH));
            show(view, new SessionEvent.ToolEnded(bash("2", "true"), ToolResult.ok("fine"), Duration.ofMillis(1500)));
            show(view, new SessionEvent.ToolEnded(bash("1", "make"), ToolResult.error("bad"), Duration.ofMillis(2500)));
            show(view, new SessionEvent.TurnEnded(1, Optional.of(AssistantTurn.Usage.of(100, 20))));
            show(
                    view,
                    new SessionEvent.RunEnded(RunOutcome.builder(RunOutcome.End.COMPLETED)
                            .turns(1)
                            .build()));
        }
        assertThat(screen())
                .containsExactly(
                        "First line",
                        "and",
                        "日本語日本語日本語日本語日本語",
                        "the end.",
                        "  bash  true  done 1.5 s",
                        "    fine",
                        "  bash  make  failed 2.5 s",
                        "    bad",
                        "");
        assertThat(tally.line()).startsWith("1 turn, ").endsWith(", 100 tokens read, 20 written");
    }

    @Test
    void headingsAndProblemsAreBrokenBetweenWords() {
        try (LiveView view =
                new LiveView(new RedrawnLines(out, () -> WIDTH), new Style(false), tally, started -> List.of())) {
            show(view, new SessionEvent.RunStarted("Go"));
            show(view, new SessionEvent.TextReceived("# A heading that is longer than a line\n"));
            show(view, new SessionEvent.TurnRetried(1, "the provider has too much to do", Duration.ofSeconds(4), 2, 4));
        }
        assertThat(screen())
                .containsExactly("A heading that is longer than", "a line", "the provider has too much to", "do", "");
    }

    @Test
    void waitSaysWhichAttemptComesNext() {
        try (LiveView view =
                new LiveView(new RedrawnLines(out, () -> 80), new Style(false), tally, started -> List.of())) {
            show(view, new SessionEvent.RunStarted("Go"));
            show(view, new SessionEvent.TurnRetried(1, "too busy", Duration.ofSeconds(4), 2, 4));
            assertThat(screen(view)).last(STRING).contains("retrying in 4.0 s (2 of 4) (");
        }
    }

    @Test
    void timeIsThatOfRuns() {
        long begun = System.nanoTime();
        await("a tenth of a second has passed").until(() -> System.nanoTime() - begun > 100_000_000);
        assertThat(tally.line()).isEqualTo("0 turns, 0.0 s");
        tally.onEvent(new SessionEvent.RunStarted("Go"));
        await("another has passed").until(() -> System.nanoTime() - begun > 200_000_000);
        assertThat(tally.line()).doesNotContain(", 0.0 s");
    }

    @Test
    void retryErasesPartialAnswerAndReportsWait() {
        try (LiveView view =
                new LiveView(new RedrawnLines(out, () -> WIDTH), new Style(false), tally, started -> List.of())) {
            show(view, new SessionEvent.RunStarted("Go"));
            show(view, new SessionEvent.TurnStarted(1));
            show(view, new SessionEvent.TextReceived("Half a se"));
            show(view, new SessionEvent.TurnRetried(1, "too busy", Duration.ofSeconds(4), 2, 4));
            assertThat(screen(view)).contains("too busy").doesNotContain("Half a se");
        }
        assertThat(screen()).containsExactly("too busy", "");
    }
}
