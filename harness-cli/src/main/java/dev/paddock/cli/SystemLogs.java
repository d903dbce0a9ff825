package dev.paddock.cli;

import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * Writes what the program logs to standard error, a line each: warnings and errors, or all messages
 * with the stack traces of their causes if this program shows details.
 *
 * <p>A logging library that reads its configuration and compiles its patterns takes a tenth of the
 * start of {@code paddock mcp}, for two lines of code.
 */
public final class SystemLogs extends System.LoggerFinder {

    /** Names the system property with the lowest level that is shown. */
    static final String THRESHOLD = "paddock.log.level";

    /** Makes the finder; the platform's service loader calls it. */
    public SystemLogs() {}

    @Override
    public System.Logger getLogger(String name, Module module) {
        return new StandardErrorLogger(name);
    }

    private record StandardErrorLogger(String name) implements System.Logger {

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
                JvmProcess.messages().println("paddock: " + message);
                if (thrown != null && lowest().getSeverity() < Level.WARNING.getSeverity()) {
                    thrown.printStackTrace(JvmProcess.messages());
                }
            }
        }

        @Override
        public void log(
                Level level,
                @Nullable ResourceBundle bundle,
                @Nullable String format,
                @Nullable Object @Nullable ... values) {
            if (isLoggable(level)) {
                boolean isPlain = format == null || values == null || values.length == 0;
                log(level, bundle, isPlain ? format : MessageFormat.format(format, values), (Throwable) null);
            }
        }
    }
}
