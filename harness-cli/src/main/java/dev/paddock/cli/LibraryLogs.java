package dev.paddock.cli;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Logger;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Forwards what the program's libraries log through SLF4J to the platform's logger. Paddock itself logs nothing through
 * SLF4J; without a provider, the library prints a complaint.
 */
public final class LibraryLogs implements SLF4JServiceProvider, ILoggerFactory {
    private final Map<String, Logger> loggers = new ConcurrentHashMap<>();
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter context = new NOPMDCAdapter();

    /** Creates the provider; SLF4J's service loader calls it. */
    public LibraryLogs() {}

    @Override
    public Logger getLogger(String name) {
        return loggers.computeIfAbsent(name, LibraryLogger::new);
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return this;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return context;
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0.99";
    }

    @Override
    public void initialize() {}

    private static final class LibraryLogger extends LegacyAbstractLogger {
        private static final long serialVersionUID = 1;

        private final transient System.Logger target;

        private LibraryLogger(String name) {
            this.name = name;
            target = System.getLogger(name);
        }

        @Override
        public boolean isTraceEnabled() {
            return target.isLoggable(System.Logger.Level.TRACE);
        }

        @Override
        public boolean isDebugEnabled() {
            return target.isLoggable(System.Logger.Level.DEBUG);
        }

        @Override
        public boolean isInfoEnabled() {
            return target.isLoggable(System.Logger.Level.INFO);
        }

        @Override
        public boolean isWarnEnabled() {
            return target.isLoggable(System.Logger.Level.WARNING);
        }

        @Override
        public boolean isErrorEnabled() {
            return target.isLoggable(System.Logger.Level.ERROR);
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
            target.log(translate(level), MessageFormatter.basicArrayFormat(pattern, arguments), cause);
        }

        private static System.Logger.Level translate(Level level) {
            return switch (level) {
                case ERROR -> System.Logger.Level.ERROR;
                case WARN -> System.Logger.Level.WARNING;
                case INFO -> System.Logger.Level.INFO;
                case DEBUG -> System.Logger.Level.DEBUG;
                case TRACE -> System.Logger.Level.TRACE;
            };
        }
    }
}
