package dev.paddock.harness.mcp.client;

import io.modelcontextprotocol.spec.McpSchema;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Routes a server's progress notifications to the calls that they belong to. */
final class ProgressBoard {
    /** How many characters of a call's progress are kept; of longer progress, the end. */
    private static final int MAX_CHARACTERS = 16_384;

    private final Map<Object, Entry> entries = new ConcurrentHashMap<>();
    private final AtomicLong number = new AtomicLong();

    private static final class Entry {
        private final Consumer<String> updates;
        private final StringBuilder text = new StringBuilder();

        Entry(Consumer<String> updates) {
            this.updates = updates;
        }

        synchronized void add(String news) {
            text.append(news);
            text.delete(0, Math.max(0, text.length() - MAX_CHARACTERS));
            updates.accept(text.toString());
        }
    }

    /** Creates the token under which a call's progress is reported. */
    String begin(Consumer<String> updates) {
        String token = "paddock-" + number.incrementAndGet();
        entries.put(token, new Entry(updates));
        return token;
    }

    void end(String token) {
        entries.remove(token);
    }

    void report(McpSchema.ProgressNotification news) {
        Optional.ofNullable(news.progressToken()).map(entries::get).ifPresent(entry -> entry.add(text(news)));
    }

    /** Streamed output is kept as it is; a message without a line break becomes a line. */
    private static String text(McpSchema.ProgressNotification news) {
        if (news.message() != null) {
            return news.message().endsWith("\n") ? news.message() : news.message() + "\n";
        }
        return news.progress() + (news.total() == null ? "" : " of " + news.total()) + "\n";
    }
}
