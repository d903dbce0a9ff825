package dev.paddock.harness.tools.shell;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.CommandOutcome;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.command.CapturedRun;
import dev.paddock.harness.tools.command.CommandLimits;
import dev.paddock.harness.tools.command.Timeouts;
import dev.paddock.harness.tools.hint.CommandHints;
import dev.paddock.harness.tools.output.Captured;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Formats a finished command's result as text for the model and as details for programs. The order is constant: output,
 * notice of omitted output, notice of surviving processes, and how the command ended.
 */
final class CommandReport {
    private final CommandLimits limits;
    private final boolean backgroundAvailable;
    private final Optional<CommandHints> hints;
    private final boolean endsWholeTrees;

    CommandReport(
            CommandLimits limits, boolean backgroundAvailable, Optional<CommandHints> hints, boolean endsWholeTrees) {
        this.hints = hints;
        this.endsWholeTrees = endsWholeTrees;
        this.limits = limits;
        this.backgroundAvailable = backgroundAvailable;
    }

    /**
     * Formats a result.
     *
     * @param earlier reports on commands before it
     * @param raw whether the output has the colors and overwritten lines that were written
     * @param most how many characters of the output are shown
     */
    ToolResult of(CapturedRun finished, List<CleanupReport> earlier, boolean raw, int most) {
        List<String> parts = new ArrayList<>();
        finished.cleanup().ifPresent(done -> parts.addAll(notices(done, finished.outcome())));
        for (CleanupReport late : earlier) {
            lateNotices(late).forEach(notice -> parts.add("[Of an earlier command: " + notice + "]"));
        }
        boolean success = finished.outcome() instanceof CommandOutcome.Exited ended
                && ended.status().isSuccess();
        if (!success) {
            parts.add(endingText(finished));
        }
        parts.addAll(hints(finished));
        parts.addAll(finished.directoryNotices());
        return ToolResult.of(finished.output().text(Captured.NO_OUTPUT, parts, raw, most), !success)
                .withDetails(Json.of(details(finished, raw, most)));
    }

    private List<String> hints(CapturedRun finished) {
        if (hints.isEmpty() || !(finished.outcome() instanceof CommandOutcome.Exited ended)) {
            return List.of();
        }
        return hints.get().after(ended.status().code(), finished.output().text("", List.of())).stream()
                .map(hint -> "[" + hint + "]")
                .toList();
    }

    private List<String> notices(CleanupReport done, CommandOutcome ending) {
        List<String> notices = new ArrayList<>();
        int left = done.leftoversEnded().orElse(0);
        // Stopping a command includes terminating all its processes: nothing to report.
        if (left > 0 && ending instanceof CommandOutcome.Exited) {
            notices.add("[" + StatusText.leftovers(left) + " " + howToKeepAService() + "]");
        }
        done.notices().forEach(notice -> notices.add("[" + notice + "]"));
        return notices;
    }

    private static List<String> lateNotices(CleanupReport late) {
        List<String> notices = new ArrayList<>();
        late.leftoversEnded().stream()
                .filter(left -> left > 0)
                .forEach(left -> notices.add(StatusText.leftovers(left)));
        notices.addAll(late.notices());
        return notices;
    }

    private String howToKeepAService() {
        return backgroundAvailable
                ? "To keep a service running, start it with run_in_background, without & behind it."
                : "A service has to be started and used within one command: background commands are switched off here.";
    }

    private String endingText(CapturedRun finished) {
        String text = switch (finished.outcome()) {
            case CommandOutcome.Exited ended -> StatusText.of(ended.status());
            case CommandOutcome.TimedOut timedOut ->
                "Command timed out after " + Timeouts.unit(timedOut.timeout())
                        + " and was ended, with " + others() + ". Its output until then is above. "
                        + remedyForTimeout(timedOut.timeout());
            case CommandOutcome.Aborted aborted ->
                "Command aborted: it was ended, with " + others() + ". Its output until then is above.";
            case CommandOutcome.Lost lost ->
                "Command lost: " + lost.cause().getMessage()
                        + ". Whether it has finished its work is unknown. Its output until then is above.";
        };
        boolean unconfirmed = !finished.confirmed() && !(finished.outcome() instanceof CommandOutcome.Lost);
        return unconfirmed
                ? text + " Its process has not been seen to end within " + Timeouts.unit(limits.killGrace())
                        + " of grace; it may still be running."
                : text;
    }

    private String others() {
        return endsWholeTrees
                ? "all processes that it had started"
                : "those of its processes that were found; others may run on";
    }

    private String remedyForTimeout(Duration timeout) {
        return timeout.compareTo(limits.maximumTimeout()) < 0
                ? "If it needs longer, call again with a timeout of up to " + Timeouts.seconds(limits.maximumTimeout())
                        + "."
                : "This session allows no longer timeout: divide the work.";
    }

    private static Map<String, Object> details(CapturedRun finished, boolean raw, int most) {
        Map<String, Object> details = new LinkedHashMap<>();
        switch (finished.outcome()) {
            case CommandOutcome.Exited ended -> StatusText.describe(ended.status(), details);
            case CommandOutcome.TimedOut timedOut -> {
                details.put("outcome", "timed-out");
                details.put("timeoutMillis", timedOut.timeout().toMillis());
            }
            case CommandOutcome.Aborted aborted -> details.put("outcome", "aborted");
            case CommandOutcome.Lost lost -> {
                details.put("outcome", "lost");
                details.put("reason", String.valueOf(lost.cause().getMessage()));
            }
        }
        details.put("confirmed", finished.confirmed());
        details.put("durationMillis", finished.took().toMillis());
        finished.cleanup()
                .ifPresent(done -> done.leftoversEnded().ifPresent(left -> details.put("leftoversEnded", left)));
        finished.nextDirectory().ifPresent(next -> details.put("nextDirectory", next));
        finished.output().describe(details, raw, most);
        return details;
    }
}
