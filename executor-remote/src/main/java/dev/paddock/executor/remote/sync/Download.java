package dev.paddock.executor.remote.sync;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.Progress;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.remote.sync.TreeEntry.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Fetches files of the remote side to a directory of Paddock's own. Stores only requested files, under names that this
 * class chooses: no name from the remote side becomes a path of the host.
 */
final class Download {
    /** No progress is reported before this time. */
    private static final Duration QUIET = Duration.ofSeconds(2);

    private final Path staging;
    private final Tree there;
    private final Set<String> wanted;
    private final Map<String, Staged> staged = new HashMap<>();
    private final TransferMeter meter;
    private long left;
    private byte[] begun = new byte[0];
    private byte[] list = new byte[0];

    /**
     * A fetched file or link.
     *
     * @param kind a file or a link
     * @param file the content of a file
     * @param target of a link, each character one byte
     */
    record Staged(Kind kind, Path file, String target) {}

    /**
     * The fetched files.
     *
     * @param staged by path; without those that vanished or changed meanwhile
     * @param after the remote side's tree afterwards
     * @param begun the remote side's clock before the first file was read, in nanoseconds since 1970
     */
    record Result(Map<String, Staged> staged, Tree after, long begun) {}

    private Download(Path staging, Tree there, Set<String> wanted, long most, TransferMeter meter) {
        this.staging = staging;
        this.there = there;
        this.wanted = wanted;
        this.left = most;
        this.meter = meter;
    }

    /**
     * Fetches files and links.
     *
     * @param staging an empty directory, which receives the files
     * @param there the remote side's tree, in which the wanted paths are files or links
     * @param most how many bytes of files it may send
     */
    static Result fetch(
            SyncScript far,
            Path staging,
            Tree there,
            Set<String> wanted,
            long most,
            AbortSignal signal,
            Consumer<Progress> progress) {
        long bytes = requireRoom(staging, there, wanted);
        TransferMeter meter = new TransferMeter("fetching the command's files", progress, QUIET, wanted.size(), bytes);
        Download download = new Download(staging, there, wanted, most, meter);
        return far.fetch(wanted, download::receive, signal);
    }

    /** Returns the bytes of all files; throws if the staging directory has no room for them. */
    private static long requireRoom(Path staging, Tree there, Set<String> wanted) {
        long bytes = 0;
        for (String path : wanted) {
            TreeEntry entry = there.get(path);
            long size = entry == null ? 0 : entry.data();
            bytes = bytes + size < bytes ? Long.MAX_VALUE : bytes + size;
        }
        try {
            long free = Files.getFileStore(staging).getUsableSpace();
            if (bytes > free) {
                throw new ExecutorException("the remote side has " + bytes + " bytes of new files, but '" + staging
                        + "' has room for " + free + "; remove large files there, or make room here");
            }
            return bytes;
        } catch (IOException fault) {
            throw new ExecutorException("'" + staging + "' cannot be used: " + FileFaults.reason(fault), fault);
        }
    }

    private Result receive(InputStream output) throws IOException {
        TarReader archive = new TarReader(output);
        for (var item = archive.next(); item.isPresent(); item = archive.next()) {
            receive(archive, item.get());
        }
        Tree after = Manifest.read(list).orElseThrow(() -> new IOException("the remote side sends no list"));
        long since = Manifest.time(new String(begun, StandardCharsets.US_ASCII).strip());
        staged.keySet().removeIf(path -> !isUnchanged(path, after));
        return new Result(staged, after, since);
    }

    private boolean isUnchanged(String path, Tree after) {
        TreeEntry now = after.get(path);
        TreeEntry before = there.get(path);
        return now != null && before != null && now.isUnchangedSince(before);
    }

    private void receive(TarReader archive, TarReader.Item item) throws IOException {
        if (item.name().equals("list") || item.name().equals("begun")) {
            byte[] bytes = read(archive, item);
            if (item.name().equals("list")) {
                list = bytes;
            } else {
                begun = bytes;
            }
            return;
        }
        String path = item.name().startsWith("./") ? item.name().substring(2) : "";
        TreeEntry entry = wanted.contains(path) && !staged.containsKey(path) ? there.get(path) : null;
        if (entry == null) {
            return;
        }
        switch (item.type()) {
            case '0', '7', 'S' -> {
                if (entry.kind() == Kind.FILE && item.size() == entry.size()) {
                    store(archive, item, path);
                }
            }
            case '1' -> copy(path, entry, item.target());
            case '2' -> {
                if (entry.kind() == Kind.LINK && !item.target().isEmpty()) {
                    staged.put(path, new Staged(Kind.LINK, staging, item.target()));
                }
            }
            default -> {} // another type than in the list
        }
    }

    private byte[] read(TarReader archive, TarReader.Item item) throws IOException {
        if (item.size() > SyncScript.MAX_ANSWER) {
            throw new IOException("the remote side's list has " + item.size() + " bytes");
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        archive.copyTo(bytes);
        return bytes.toByteArray();
    }

    private Path free() {
        return staging.resolve(Integer.toString(staged.size()));
    }

    private void store(TarReader archive, TarReader.Item item, String path) throws IOException {
        take(item.stored());
        Path file = free();
        try (SparseOutput content = SparseOutput.create(file)) {
            archive.copyTo(content);
            content.finish(item.size());
        }
        staged.put(path, new Staged(Kind.FILE, file, ""));
        meter.add(item.stored());
    }

    /** Makes another name of a file in the same archive a separate file. */
    private void copy(String path, TreeEntry entry, String target) throws IOException {
        Staged first = staged.get(target.startsWith("./") ? target.substring(2) : target);
        if (entry.kind() == Kind.FILE && first != null && first.kind() == Kind.FILE) {
            if (Files.size(first.file()) == entry.size()) {
                take(entry.data());
                Path file = free();
                SparseOutput.copy(first.file(), file);
                staged.put(path, new Staged(Kind.FILE, file, ""));
            }
        }
    }

    private void take(long bytes) throws IOException {
        left -= bytes;
        if (left < 0) {
            throw new IOException("the remote side sends more bytes of files than it has listed, or than maxFetch");
        }
    }
}
