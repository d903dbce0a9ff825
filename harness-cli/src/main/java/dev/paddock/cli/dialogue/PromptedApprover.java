package dev.paddock.cli.dialogue;

import dev.paddock.cli.command.Asking;
import dev.paddock.cli.editor.Editor;
import dev.paddock.cli.terminal.Printable;
import dev.paddock.cli.terminal.Style;
import dev.paddock.harness.approval.Approval;
import dev.paddock.harness.approval.ApprovalRequest;
import dev.paddock.harness.approval.Approver;
import dev.paddock.harness.tools.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Asks at the terminal about calls. */
final class PromptedApprover implements Approver {
    private static final int MAX_CHARACTERS = 20_000;
    static final String QUESTION = "allow? y once, s for this session, n no, v never: ";

    private final Editor editor;
    private final SessionControl control;
    private final Style style;
    private final Asking asking;
    private final Set<String> refused = new HashSet<>();

    /**
     * Creates an approver.
     *
     * @param asking which calls it asks about
     */
    PromptedApprover(Editor editor, SessionControl control, Style style, Asking asking) {
        this.editor = editor;
        this.control = control;
        this.style = style;
        this.asking = asking;
    }

    @Override
    public Approval decide(ApprovalRequest request) throws InterruptedException {
        if (!asking.isAbout(request)) {
            return Approval.allow();
        }
        if (refused.contains(request.sessionKey())) {
            return Approval.deny("the user has refused this call for the whole session");
        }
        String what = what(request);
        if (what.length() + directory(request).length() > MAX_CHARACTERS) {
            return Approval.deny(
                    "the call is too long to be judged at a prompt: keep it below " + MAX_CHARACTERS + " characters");
        }
        control.awaitShown(request.call().id());
        String answer = editor.ask(about(request, what), QUESTION).toLowerCase(Locale.ROOT);
        return switch (answer) {
            case "y", "yes", "once" -> Approval.allow();
            case "s", "session" -> Approval.allowForSession();
            case "v", "never" -> {
                refused.add(request.sessionKey());
                yield Approval.deny("the user has refused this call for the whole session");
            }
            default -> Approval.deny("the user has refused this call");
        };
    }

    private static String what(ApprovalRequest request) {
        Json arguments = request.call().arguments();
        return arguments.text("command").orElseGet(arguments::toString);
    }

    private static String directory(ApprovalRequest request) {
        String cwd = request.call().arguments().text("cwd").orElse("");
        return cwd.isEmpty() ? "" : ", in the directory " + Printable.line(cwd, MAX_CHARACTERS);
    }

    /** Returns the whole intended action: the user cannot judge a hidden part. */
    private List<String> about(ApprovalRequest request, String what) {
        String where = (request.leavesSandbox() ? "outside the sandbox" : "in the sandbox") + directory(request);
        String name = Printable.line(request.call().name(), MAX_CHARACTERS);
        return List.of(
                style.bold("The model asks for " + name + ", " + where + ":"),
                "    " + Printable.text(what).replace("\n", "\n    "));
    }
}
