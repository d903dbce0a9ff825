package dev.paddock.harness.mcp.client;

import io.modelcontextprotocol.spec.McpSchema;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Brings what a server says of its progress to the call that it is about. */
final class ProgressBoard {
    /** The most of a call's progress that is kept, in characters; of more, the end. */
    private static final int LONGEST = 16_384;

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
            text.delete(0, Math.max(0, text.length() - LONGEST));
            updates.accept(text.toString());
        }
    }

    /** Makes the token under which a call's progress comes in. */
    String begin(Consumer<String> updates) {
        String token = "paddock-" + number.incrementAndGet();
        entries.put(token, new Entry(updates));
        return token;
    }

    void end(String token) {
        entries.remove(token);
    }

    void tell(McpSchema.ProgressNotification news) {
        Optional.ofNullable(news.progressToken()).map(entries::get).ifPresent(entry -> entry.add(text(news)));
    }

    /** Output that was streamed comes as it was written; what is said without a line break is a line. */
    private static String text(McpSchema.ProgressNotification news) {
        if (news.message() != null) {
            return news.message().endsWith("\n") ? news.message() : news.message() + "\n";
        }
        return news.progress() + (news.total() == null ? "" : " of " + news.total()) + "\n";
    }
}
