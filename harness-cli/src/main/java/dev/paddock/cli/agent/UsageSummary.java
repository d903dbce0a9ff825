package dev.paddock.cli.agent;

import dev.paddock.cli.terminal.Printable;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.events.SessionListener;
import dev.paddock.harness.tools.CommandAudit;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

/** Counts what a session has used and done so far. */
final class UsageSummary implements SessionListener {
    private static final int MAX_FILES = 5;
    private static final int NAME_COLUMNS = 60;

    private long runStartedAt;
    private boolean isRunning;
    private long runNanos;
    private final Set<String> changedFiles = new TreeSet<>();
    private int turns;
    private int commands;
    private int failedCommands;
    private long input;
    private long output;

    @Override
    public synchronized void onEvent(SessionEvent event) {
        switch (event) {
            case SessionEvent.RunStarted started -> {
                isRunning = true;
                runStartedAt = System.nanoTime();
            }
            case SessionEvent.RunEnded ended -> {
                runNanos = spent();
                isRunning = false;
            }
            case SessionEvent.TurnStarted started -> turns++;
            case SessionEvent.TurnEnded ended ->
                ended.usage().ifPresent(usage -> {
                    input += usage.inputTokens();
                    output += usage.outputTokens();
                });
            case SessionEvent.CommandEnded ended -> count(ended.audit());
            case SessionEvent.ToolEnded ended -> count(ended);
            default -> {}
        }
    }

    private void count(CommandAudit audit) {
        commands++;
        if (audit.status().filter(status -> status.code() == 0).isEmpty()) {
            failedCommands++;
        }
    }

    private void count(SessionEvent.ToolEnded ended) {
        String tool = ended.call().name();
        boolean changes = tool.equals("edit") || tool.equals("write");
        if (changes && !ended.result().isError()) {
            ended.result().details().text("path").ifPresent(changedFiles::add);
        }
    }

    /** Returns the duration of the runs, without the waits for prompts. */
    private long spent() {
        return runNanos + (isRunning ? System.nanoTime() - runStartedAt : 0);
    }

    /** Returns one line with the turns, the time of the runs and the tokens. */
    synchronized String line() {
        String time = LiveView.seconds(Duration.ofNanos(spent()));
        String tokens = input + output == 0 ? "" : ", " + input + " tokens read, " + output + " written";
        return number(turns, "turn") + ", " + time + tokens;
    }

    /** Returns the line with the number of commands and of edited files. */
    synchronized String closing() {
        StringBuilder text = new StringBuilder(line());
        if (commands > 0) {
            text.append("; ").append(number(commands, "command"));
            text.append(failedCommands == 0 ? "" : ", " + failedCommands + " failed");
        }
        if (!changedFiles.isEmpty()) {
            String names = String.join(
                    ", ",
                    changedFiles.stream()
                            .limit(MAX_FILES)
                            .map(name -> Printable.line(name, NAME_COLUMNS))
                            .toList());
            int more = changedFiles.size() - MAX_FILES;
            text.append("; edited ").append(names).append(more > 0 ? " and " + more + " more" : "");
        }
        return text.toString();
    }

    private static String number(int count, String what) {
        return count == 1 ? "1 " + what : count + " " + what + "s";
    }
}
