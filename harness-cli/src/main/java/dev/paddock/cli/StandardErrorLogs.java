package dev.paddock.cli;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Logger;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Sends what the harness and its libraries log to standard error.
 *
 * <p>A logging library that reads its configuration and compiles its patterns takes a tenth of the
 * start of {@code paddock mcp}, for two lines of code.
 */
public final class StandardErrorLogs implements SLF4JServiceProvider, ILoggerFactory {
    private final Map<String, Logger> loggers = new ConcurrentHashMap<>();
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter context = new NOPMDCAdapter();

    /** Makes the provider; the logging interface's service loader calls it. */
    public StandardErrorLogs() {}

    @Override
    public Logger getLogger(String name) {
        return loggers.computeIfAbsent(name, StandardErrorLogger::of);
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
}
