package dev.paddock.cli.agent;

import dev.paddock.cli.audit.CommandLineAudit;
import dev.paddock.cli.dialogue.SessionScope;
import dev.paddock.cli.sessions.SessionNote;
import dev.paddock.cli.terminal.Console;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.acp.AcpSession;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A session of {@code paddock acp}. */
final class EditedSession implements AcpSession {
    private final AgentSession session;
    private final SessionScope scope;
    private final ModelChoice model;
    private final SessionNote note;
    private final Consumer<String> chooser;
    private final CommandLineAudit trail;
    private final Console console;
    private String keptNote = "";

    /**
     * Creates a session.
     *
     * @param chooser replaces the model
     */
    EditedSession(
            AgentSession session,
            SessionScope scope,
            ModelChoice model,
            SessionNote note,
            Consumer<String> chooser,
            CommandLineAudit trail,
            Console console) {
        this.session = session;
        this.scope = scope;
        this.model = model;
        this.note = note;
        this.chooser = chooser;
        this.trail = trail;
        this.console = console;
    }

    @Override
    public String id() {
        return String.valueOf(session.directory().getFileName());
    }

    @Override
    public AgentSession session() {
        return session;
    }

    @Override
    public String greeting() {
        Set<Guarantee> guarantees = session.guarantees();
        String where = guarantees.contains(Guarantee.WRITE_CONFINED)
                ? "Commands run in a sandbox, and change files below `"
                        + scope.worktree().hostPath() + "`" + mounts() + " alone"
                : "**Commands run without a sandbox, with your rights**, and each is asked about";
        return "_" + where + ". Network: " + network(guarantees) + "._";
    }

    private String mounts() {
        return scope.mounts().stream()
                .filter(mount -> mount.access() == Mount.Access.READ_WRITE)
                .map(mount -> ", `" + mount.source() + "`")
                .collect(Collectors.joining());
    }

    private String network(Set<Guarantee> guarantees) {
        if (scope.network() instanceof NetworkPolicy.Allow allow) {
            return String.join(", ", allow.hosts());
        }
        boolean isOff = scope.network() instanceof NetworkPolicy.Off && guarantees.contains(Guarantee.NETWORK_OFF);
        return isOff ? "off" : "open";
    }

    @Override
    public Map<String, String> models() {
        return model.choices();
    }

    @Override
    public Optional<String> model() {
        return Optional.of(model.currentChoice());
    }

    @Override
    public void model(String name) {
        chooser.accept(name);
    }

    /** Stores the note for resuming the session. If that fails, the session continues. */
    @Override
    public void beforePrompt() {
        String now = note.with(model.source()).json();
        try {
            if (!now.equals(keptNote)) {
                session.keepNote(now);
                keptNote = now;
            }
        } catch (UncheckedIOException full) {
            console.complain(Console.text(full) + "; the session cannot be resumed");
        }
    }

    @Override
    public void close() {
        try {
            session.close();
        } finally {
            trail.close();
        }
    }
}
