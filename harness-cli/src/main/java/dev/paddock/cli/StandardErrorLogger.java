package dev.paddock.cli;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/**
 * Writes messages of the threshold or above to standard error, a line each; below that of warnings
 * with the stack trace of their cause.
 */
final class StandardErrorLogger extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1;

    private final Level threshold;

    StandardErrorLogger(String name, Level threshold) {
        this.name = name;
        this.threshold = threshold;
    }

    @Override
    public boolean isTraceEnabled() {
        return isEnabled(Level.TRACE);
    }

    @Override
    public boolean isDebugEnabled() {
        return isEnabled(Level.DEBUG);
    }

    @Override
    public boolean isInfoEnabled() {
        return isEnabled(Level.INFO);
    }

    @Override
    public boolean isWarnEnabled() {
        return isEnabled(Level.WARN);
    }

    @Override
    public boolean isErrorEnabled() {
        return isEnabled(Level.ERROR);
    }

    private boolean isEnabled(Level level) {
        return level.toInt() >= threshold.toInt();
    }

    /** Returns nothing: messages do not name their caller. */
    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
        return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level,
            @Nullable Marker marker,
            @Nullable String pattern,
            @Nullable Object @Nullable [] arguments,
            @Nullable Throwable cause) {
        JvmProcess.messages().println("paddock: " + MessageFormatter.basicArrayFormat(pattern, arguments));
        if (cause != null && threshold.toInt() < Level.WARN.toInt()) {
            cause.printStackTrace(JvmProcess.messages());
        }
    }

    /** Returns a logger that shows warnings and errors, or more if this program shows details. */
    static Logger of(String name) {
        return new StandardErrorLogger(name, SystemLogs.threshold());
    }
}
