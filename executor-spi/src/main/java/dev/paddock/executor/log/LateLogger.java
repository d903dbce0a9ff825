package dev.paddock.executor.log;

import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * A platform logger that is looked up at the first message. {@link System#getLogger} searches
 * the class path for a {@link System.LoggerFinder}, for which it reads the directory of every jar: in
 * a short program that takes longer than its command, and most commands log nothing.
 */
public final class LateLogger implements System.Logger {
    private final String name;
    private volatile System.@Nullable Logger found;

    private LateLogger(String name) {
        this.name = name;
    }

    /**
     * Returns the logger of a class.
     *
     * @param type the class, whose name is the logger's
     * @return the logger; safe for use by several threads
     */
    public static System.Logger of(Class<?> type) {
        return new LateLogger(type.getName());
    }

    private System.Logger found() {
        System.Logger logger = found;
        if (logger == null) {
            logger = System.getLogger(name);
            found = logger;
        }
        return logger;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public boolean isLoggable(Level level) {
        return found().isLoggable(level);
    }

    @Override
    public void log(
            Level level, @Nullable ResourceBundle bundle, @Nullable String message, @Nullable Throwable thrown) {
        found().log(level, bundle, message, thrown);
    }

    @Override
    public void log(Level level, @Nullable ResourceBundle bundle, @Nullable String format, @Nullable Object... values) {
        found().log(level, bundle, format, values);
    }
}
