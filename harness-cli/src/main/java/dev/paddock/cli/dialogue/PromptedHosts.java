package dev.paddock.cli.dialogue;

import dev.paddock.cli.editor.Editor;
import dev.paddock.cli.terminal.Style;
import dev.paddock.executor.HostApprover;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** Asks at the terminal about hosts that the network of allowed hosts does not name. */
final class PromptedHosts implements HostApprover {
    /** Writes the lines, asks the question and returns the answer. */
    @FunctionalInterface
    interface Question {
        String ask(List<String> lines, String prompt) throws InterruptedException;
    }

    private final Question question;
    private final Style style;
    private final ReentrantLock turn = new ReentrantLock(true);
    private final Map<String, Boolean> remembered = new HashMap<>();

    PromptedHosts(Question question, Style style) {
        this.question = question;
        this.style = style;
    }

    static PromptedHosts at(Editor editor, Style style) {
        return new PromptedHosts(editor::ask, style);
    }

    @Override
    public boolean allows(String host, int port) throws InterruptedException {
        String place = host + ":" + port;
        turn.lockInterruptibly(); // one answer may also decide about the next connection
        try {
            Boolean known = remembered.get(place);
            return known == null ? ask(place) : known;
        } finally {
            turn.unlock();
        }
    }

    private boolean ask(String place) throws InterruptedException {
        String answer = question.ask(
                        List.of(style.bold("A command connects to " + place + ", which is not allowed.")),
                        PromptedApprover.QUESTION)
                .toLowerCase(Locale.ROOT);
        return switch (answer) {
            case "y", "yes", "once" -> true;
            case "s", "session" -> remember(place, true);
            case "v", "never" -> remember(place, false);
            default -> false;
        };
    }

    private boolean remember(String place, boolean isAllowed) {
        remembered.put(place, isAllowed);
        return isAllowed;
    }
}
