package dev.paddock.harness.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.harness.model.Message;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stores a session's messages in a file with access for its owner only, one line of JSON each. A last line without a
 * newline was cut off by a crash, and is removed when the file is next opened. A file lock reserves the file for one
 * live session.
 */
public final class MessageStore implements AutoCloseable {
    private static final Logger LOG = LateLogger.of(MessageStore.class);

    private final Path file;
    private final FileChannel channel;
    private final List<Message> loaded;

    private MessageStore(Path file, FileChannel channel, List<Message> loaded) {
        this.file = file;
        this.channel = channel;
        this.loaded = loaded;
    }

    /** Opens and locks the file, and creates it if it does not exist. */
    public static MessageStore open(Path file) {
        FileChannel channel = null;
        try {
            channel = FileChannel.open(
                    file,
                    Set.of(
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE,
                            LinkOption.NOFOLLOW_LINKS),
                    SessionDirectory.ownerOnly("rw-------"));
            lock(file, channel);
            MessageStore store = new MessageStore(file, channel, load(file, channel));
            channel = null;
            return store;
        } catch (IOException fault) {
            throw new UncheckedIOException(
                    "the session's messages cannot be stored in " + file + ": " + FileFaults.reason(fault), fault);
        } finally {
            closeUnlessKept(channel);
        }
    }

    /**
     * Reads a file's messages without locking it, so that a live session's can be read, too; leaves out a last line
     * without a newline.
     */
    public static List<Message> read(Path file) {
        try {
            byte[] content = SessionFiles.messages(file);
            List<Message> messages = new ArrayList<>();
            parseAll(file, content, messages);
            return messages;
        } catch (IOException fault) {
            throw new UncheckedIOException(
                    "the session's messages cannot be read from " + file + ": " + FileFaults.reason(fault), fault);
        }
    }

    /** Returns the first message of a file; empty if there is none, or it cannot be read. */
    public static Optional<Message> firstLine(Path file) {
        try {
            Optional<String> line = SessionFiles.firstLine(file);
            return line.isEmpty() ? Optional.empty() : Optional.of(MessageJson.read(line.get()));
        } catch (IOException unreadable) {
            LOG.log(Level.DEBUG, "The first message cannot be read: " + file, unreadable);
            return Optional.empty();
        }
    }

    private static void closeUnlessKept(@Nullable FileChannel channel) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException fault) {
                LOG.log(Level.WARNING, "A message file could not be closed", fault);
            }
        }
    }

    private static void lock(Path file, FileChannel channel) throws IOException {
        try {
            if (channel.tryLock() != null) {
                return;
            }
        } catch (OverlappingFileLockException byThisJvm) {
            throw new IllegalStateException(inUse(file), byThisJvm);
        }
        throw new IllegalStateException(inUse(file));
    }

    private static String inUse(Path file) {
        return "another session is using " + file.getParent() + "; give this one a directory of its own";
    }

    private static List<Message> load(Path file, FileChannel channel) throws IOException {
        SessionFiles.requireSize(channel);
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(channel.size()));
        int read = 0;
        while (read >= 0 && bytes.hasRemaining()) {
            read = channel.read(bytes);
        }
        byte[] content = bytes.array();
        List<Message> messages = new ArrayList<>();
        int start = parseAll(file, content, messages);
        if (start < content.length) {
            LOG.log(Level.WARNING, "The last message in " + file + " was cut off, by a crash perhaps, and is dropped");
            channel.truncate(start);
        }
        channel.position(start);
        return messages;
    }

    /** Adds the messages of whole lines, and returns where the last of these ends. */
    private static int parseAll(Path file, byte[] content, List<Message> messages) {
        int start = 0;
        for (int end = newline(content, start); end >= 0; end = newline(content, start)) {
            messages.add(parse(file, messages.size() + 1, content, start, end));
            start = end + 1;
        }
        return start;
    }

    private static int newline(byte[] content, int from) {
        for (int i = from; i < content.length; i++) {
            if (content[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    private static Message parse(Path file, int line, byte[] content, int start, int end) {
        try {
            return MessageJson.read(new String(content, start, end - start, StandardCharsets.UTF_8));
        } catch (JsonProcessingException fault) {
            throw new IllegalStateException(
                    "the session cannot be read: line " + line + " of " + file + " is not a message: "
                            + fault.getOriginalMessage() + ". Fix or remove the line.",
                    fault);
        }
    }

    public List<Message> loaded() {
        return loaded;
    }

    public void append(Message message) {
        ByteBuffer line = StandardCharsets.UTF_8.encode(MessageJson.write(message) + "\n");
        try {
            long start = channel.position();
            try {
                while (line.hasRemaining()) {
                    channel.write(line);
                }
            } catch (IOException fault) {
                // A partial line would corrupt the next one.
                channel.truncate(start);
                throw fault;
            }
        } catch (IOException fault) {
            throw new UncheckedIOException(
                    "a message could not be stored in " + file + ": " + FileFaults.reason(fault), fault);
        }
    }

    @Override
    public void close() {
        closeUnlessKept(channel);
    }
}
