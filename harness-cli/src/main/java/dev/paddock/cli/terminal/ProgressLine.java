package dev.paddock.cli.terminal;

import dev.paddock.executor.Progress;
import java.io.PrintStream;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Shows the progress of a task: on a terminal as a bar in one line, elsewhere as a line for every
 * tenth of it, or every ten seconds.
 */
public final class ProgressLine implements Consumer<Progress> {
    private static final int BAR_WIDTH = 20;
    private static final int WIDTH = 79;
    private static final int STEP_PERCENT = 10;
    private static final Duration REDRAW = Duration.ofMillis(100);

    /** How often a task of unknown length is reported without a terminal. */
    private static final Duration REPORT = Duration.ofSeconds(10);

    private final PrintStream out;
    private final BooleanSupplier terminal;
    private final Duration pause;
    private boolean isTerminal;
    private boolean isDrawn;
    private long drawnAt;
    private String task = "";
    private int toldPercent;

    /**
     * Creates a progress line that shows nothing yet.
     *
     * @param terminal returns whether {@code out} is a terminal; called only when there is progress to show, since most
     *     starts have none
     */
    ProgressLine(PrintStream out, BooleanSupplier terminal) {
        this(out, terminal, REPORT);
    }

    /**
     * Creates a progress line that shows nothing yet.
     *
     * @param pause the least time between two lines about a task of unknown length, without a terminal
     */
    ProgressLine(PrintStream out, BooleanSupplier terminal, Duration pause) {
        this.out = out;
        this.terminal = terminal;
        this.pause = pause;
    }

    @Override
    public synchronized void accept(Progress progress) {
        boolean isNew = !progress.task().equals(task);
        if (isNew) {
            task = progress.task();
            isTerminal = terminal.getAsBoolean();
        }
        if (isTerminal) {
            draw(progress, isNew);
        } else {
            report(progress, isNew);
        }
    }

    private void draw(Progress progress, boolean isNew) {
        boolean isDone = percent(progress) == 100;
        if (!isNew && !isDone && System.nanoTime() - drawnAt < REDRAW.toNanos()) {
            return;
        }
        drawnAt = System.nanoTime();
        isDrawn = true;
        out.print("\r" + line(progress) + "\u001b[K");
        out.flush();
    }

    private static String line(Progress progress) {
        int percent = percent(progress);
        String rest = progress.detail().isEmpty() ? "" : "  " + progress.detail();
        if (percent >= 0) {
            int filled = percent * BAR_WIDTH / 100;
            rest = String.format(
                    "  [%s%s] %3d %%%s", "#".repeat(filled), ".".repeat(BAR_WIDTH - filled), percent, rest);
        }
        int room = Math.max(0, WIDTH - rest.length());
        String task = progress.task();
        String line = (task.length() <= room ? task : task.substring(0, Math.max(0, room - 1)) + "…") + rest;
        return Printable.line(line, WIDTH);
    }

    private void report(Progress progress, boolean isNew) {
        int percent = percent(progress);
        if (isNew) {
            toldPercent = 0;
        } else if (percent < 0 ? System.nanoTime() - drawnAt < pause.toNanos() : percent < toldPercent + STEP_PERCENT) {
            return;
        }
        drawnAt = System.nanoTime();
        toldPercent = percent < 0 ? 0 : percent - percent % STEP_PERCENT;
        String detail = progress.detail().isEmpty() ? "" : ", " + progress.detail();
        out.println(SafePrinter.escaped(
                "paddock: " + progress.task() + (percent < 0 ? "" : ": " + percent + " %") + detail));
    }

    /** Returns the progress from 0 to 100; negative if it is unknown. */
    private static int percent(Progress progress) {
        return progress.fraction().isPresent() ? (int) (progress.fraction().getAsDouble() * 100) : -1;
    }

    /** Erases the bar from the terminal before other output is written there. */
    public synchronized void clear() {
        if (isDrawn) {
            out.print("\r\u001b[K");
            out.flush();
            isDrawn = false;
        }
    }
}
