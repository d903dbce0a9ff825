package dev.paddock.harness.mcp.server;

import dev.paddock.executor.ExitStatus;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.events.SessionListener;
import dev.paddock.harness.tools.CommandAudit;
import io.modelcontextprotocol.spec.McpSchema;
import java.time.Duration;
import java.util.Locale;

/**
 * Notifies the client once of each background shell that has ended, in a log message of the level
 * info.
 */
public final class EndedShells implements SessionListener {
    private static final McpSchema.LoggingLevel LEVEL = McpSchema.LoggingLevel.INFO;

    private final ServerConnection connection;

    public EndedShells(ServerConnection connection) {
        this.connection = connection;
    }

    @Override
    public void onEvent(SessionEvent event) {
        if (event instanceof SessionEvent.CommandEnded ended) {
            CommandAudit audit = ended.audit();
            audit.shellId().ifPresent(id -> connection.log(LEVEL, text(id, audit)));
        }
    }

    private static String text(String id, CommandAudit audit) {
        return id + " (" + audit.program() + ") has ended after " + seconds(audit.took()) + " seconds: "
                + audit.outcome().name().toLowerCase(Locale.ROOT)
                + audit.status().map(EndedShells::code).orElse("") + ". bash_output gives its output.";
    }

    private static String code(ExitStatus status) {
        return ", exit code " + status.code();
    }

    private static String seconds(Duration took) {
        return String.format(Locale.ROOT, "%.1f", took.toMillis() / 1000.0);
    }
}
