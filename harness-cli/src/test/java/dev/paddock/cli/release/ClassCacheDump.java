package dev.paddock.cli.release;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Makes a class cache of which two builds have the same bytes. The JVM's dump is the same each time
 * except for the times in soft references, which are milliseconds of this machine's uptime, and for
 * the checksums. So this program dumps twice, and clears the words that differ, if they are those.
 *
 * <p>A release's build starts it from this source, so it uses the JDK only.
 */
final class ClassCacheDump {
    /** The offset, in the file, of the size of its header. */
    private static final int HEADER_SIZE = 12;

    private final ByteBuffer bytes;
    private final long begun;
    private final long ended;

    /** The dump's bytes, and the clock before and after it. */
    ClassCacheDump(byte[] bytes, long begun, long ended) {
        this.bytes = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        this.begun = begun;
        this.ended = ended;
    }

    /**
     * Makes a cache.
     *
     * @param arguments the cache's file, and the command line that dumps the classes, without the
     *     option for the file
     * @throws IllegalStateException if a dump fails, or two dumps differ in anything else
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path file = Path.of(arguments[0]);
        List<String> command = Arrays.asList(arguments).subList(1, arguments.length);
        ClassCacheDump first = dump(command, file);
        ClassCacheDump second = dump(command, file);
        Files.write(file, first.settled(second));
    }

    private static ClassCacheDump dump(List<String> command, Path file) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(command);
        words.add(1, "-XX:SharedArchiveFile=" + file);
        long begun = uptime();
        int exitCode = new ProcessBuilder(words).inheritIO().start().waitFor();
        if (exitCode != 0) {
            throw new IllegalStateException("the dump exited with " + exitCode);
        }
        byte[] bytes = Files.readAllBytes(file);
        Files.delete(file);
        return new ClassCacheDump(bytes, begun, uptime());
    }

    /** Returns the clock of soft references, in milliseconds. */
    private static long uptime() {
        return System.nanoTime() / 1_000_000;
    }

    /**
     * Returns this dump without times and checksums.
     *
     * @throws IllegalStateException if the other dump differs in anything else
     */
    byte[] settled(ClassCacheDump other) {
        int size = bytes.capacity();
        if (other.bytes.capacity() != size) {
            throw new IllegalStateException(
                    "two dumps of the same classes have " + size + " and " + other.bytes.capacity() + " bytes");
        }
        int header = bytes.getInt(HEADER_SIZE);
        // The JVM verifies checksums only on request.
        for (int at = 0; at < header; at += Integer.BYTES) {
            if (bytes.getInt(at) != other.bytes.getInt(at)) {
                bytes.putInt(at, 0);
            }
        }
        for (int at = header / Long.BYTES * Long.BYTES; at + Long.BYTES <= size; at += Long.BYTES) {
            long word = bytes.getLong(at);
            if (word != other.bytes.getLong(at)) {
                if (!isTime(word) || !other.isTime(other.bytes.getLong(at))) {
                    throw new IllegalStateException("two dumps of the same classes differ at byte " + at + ": "
                            + Long.toHexString(word) + " and " + Long.toHexString(other.bytes.getLong(at))
                            + " are no times; build again");
                }
                bytes.putLong(at, 0);
            }
        }
        return bytes.array();
    }

    private boolean isTime(long word) {
        return begun <= word && word <= ended;
    }
}
