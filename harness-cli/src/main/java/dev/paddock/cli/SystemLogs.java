package dev.paddock.cli;

import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forwards the messages that executors log through the platform's logger to the harness's logging
 * library. The library is loaded for the first message that is logged and not before: loading it
 * takes longer than starting a command.
 */
public final class SystemLogs extends System.LoggerFinder {

    /** Names the system property with the lowest level that is shown. */
    static final String THRESHOLD = "paddock.log.level";

    /** Makes the finder; the platform's service loader calls it. */
    public SystemLogs() {}

    /** Returns the lowest level that is shown, as the harness's logging interface has it. */
    static org.slf4j.event.Level threshold() {
        return Lead.translate(Lead.lowest());
    }

    @Override
    public System.Logger getLogger(String name, Module module) {
        return new Lead(name);
    }

    private record Lead(String name) implements System.Logger {

        @Override
        public String getName() {
            return name;
        }

        @Override
        public boolean isLoggable(Level level) {
            return level != Level.OFF && level.getSeverity() >= lowest().getSeverity();
        }

        private static Level lowest() {
            return Level.valueOf(System.getProperty(THRESHOLD, "WARNING"));
        }

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, @Nullable String message, @Nullable Throwable thrown) {
            if (isLoggable(level)) {
                Logger log = LoggerFactory.getLogger(name);
                log.atLevel(translate(level)).setCause(thrown).log(message);
            }
        }

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, @Nullable String format, @Nullable Object... values) {
            if (isLoggable(level)) {
                log(level, bundle, format == null ? null : MessageFormat.format(format, values), (Throwable) null);
            }
        }

        private static org.slf4j.event.Level translate(Level level) {
            return switch (level) {
                case ERROR, OFF -> org.slf4j.event.Level.ERROR;
                case WARNING -> org.slf4j.event.Level.WARN;
                case INFO -> org.slf4j.event.Level.INFO;
                case DEBUG -> org.slf4j.event.Level.DEBUG;
                case TRACE, ALL -> org.slf4j.event.Level.TRACE;
            };
        }
    }
}
