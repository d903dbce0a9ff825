package dev.paddock.executor.worktree;

import dev.paddock.executor.os.file.Pinned;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.FileClock;
import dev.paddock.executor.worktree.git.Territory;
import dev.paddock.executor.worktree.journal.RecordFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The baseline of one directory in the files of its {@linkplain DirectoryJournal journal}: a record of it, copies of
 * the files that it names, and the paths that the user has accepted since. The caller has locked the journal.
 */
final class RecordedBaseline {
    private static final byte BASELINE = 'b';
    private static final byte ACCEPTED = 'a';
    private static final String COPY = "original-";
    private static final long UNKNOWN = -2;

    private final Path directory;
    private final Path guarded;
    private final RecordFile records;
    private long generation = UNKNOWN;

    private boolean exists;

    /** The baseline in the file, with the copies in this directory. */
    private Snapshot recorded = Snapshot.NONE;

    /** The same baseline, with the originals of those copies. */
    private Snapshot source = Snapshot.NONE;

    /** When it was recorded, in milliseconds since 1970 by the clock that dates changes in the directory. */
    private long recordedAt;

    private Set<Path> accepted = Set.of();

    /** Numbers the records of a journal: other sessions read the record when the number has changed. */
    interface Generations {
        long renew() throws IOException;
    }

    /**
     * Creates it unread.
     *
     * @param directory the journal's
     * @param guarded the journal's guarded directory
     */
    RecordedBaseline(Path directory, Path guarded) {
        this.directory = directory;
        this.guarded = guarded;
        this.records = new RecordFile(directory.resolve("records"));
    }

    /** Returns a time after the baseline and before the commands, in ms since 1970. */
    long recordedAt() {
        return recordedAt;
    }

    Set<Path> accepted() {
        return accepted;
    }

    Snapshot recorded() {
        return recorded;
    }

    /** Returns whether the record of this generation has been read or written. */
    boolean isOf(long current) {
        return current == generation;
    }

    /** Returns whether a baseline is recorded. Even an empty one must be. */
    boolean has(Snapshot part) {
        return exists && part.isRecordedBy(source);
    }

    /**
     * Reads the record.
     *
     * @param current its generation
     * @param required whether a missing one is an error
     */
    void read(long current, boolean required, Territory territory) throws IOException {
        byte[] baseline = new byte[0];
        Set<Path> since = new HashSet<>();
        for (RecordFile.Entry entry : records.read()) {
            if (entry.kind() == BASELINE) {
                baseline = entry.payload();
                since.clear();
            } else {
                PathBytes.path(new String(entry.payload(), StandardCharsets.ISO_8859_1))
                        .ifPresent(since::add);
            }
        }
        if (baseline.length == 0 && required) {
            throw damaged("it has no baseline", new IOException("no undamaged record in " + records.path()));
        }
        recorded = baseline.length == 0 ? Snapshot.NONE : parsed(baseline, territory);
        exists = baseline.length != 0;
        source = recorded;
        accepted = since;
        generation = current;
    }

    private Snapshot parsed(byte[] baseline, Territory territory) throws IOException {
        try {
            Snapshot read = JournalFormat.read(baseline, territory);
            recordedAt = JournalFormat.taken(baseline);
            Map<Path, Path> copies = new HashMap<>();
            read.originals().forEach((path, copy) -> copies.put(path, directory.resolve(copy)));
            return new Snapshot(read.baseline(), read.git(), read.closed(), copies);
        } catch (IOException | RuntimeException fault) {
            throw damaged("its record cannot be read", fault);
        }
    }

    private IOException damaged(String why, Exception fault) {
        return new IOException(
                "the journal '" + directory + "' is damaged: " + why + ", so that the changes in '"
                        + PathBytes.escaped(guarded) + "' of a session that was killed cannot be undone; examine its"
                        + " git configuration and hooks, end the other sessions there, and remove the journal",
                fault);
    }

    /**
     * Writes a baseline: syncs the copies before the record that names them, and the record before removing obsolete
     * copies. One directory sync covers the names of the copies and of the record file.
     *
     * @param used copies of the caller's that stay
     * @param generations called once the copies are durable
     */
    void write(Snapshot part, Collection<Path> used, Generations generations) throws IOException {
        Map<Path, Path> copies = new HashMap<>();
        boolean changed = recorded.baseline().owners().isEmpty();
        Set<Path> durable = new HashSet<>(recorded.originals().values());
        for (Map.Entry<Path, Path> original : part.originals().entrySet()) {
            Path copy = ownCopy(original.getKey(), original.getValue());
            copies.put(original.getKey(), copy);
            if (!durable.contains(copy)) {
                RecordFile.sync(copy);
                changed = true;
            }
        }
        changed |= copies.size() != recorded.originals().size();
        if (changed) {
            records.create();
            RecordFile.syncNames(directory);
        }
        Snapshot written = new Snapshot(part.baseline(), part.git(), part.closed(), copies);
        long renewed = generations.renew();
        recordedAt = FileClock.now(guarded);
        boolean replaced = records.supersede(BASELINE, JournalFormat.write(written, recordedAt));
        if (changed) {
            RecordFile.sync(records.path());
            if (replaced) {
                RecordFile.syncNames(directory);
            }
            Set<Path> needed = new HashSet<>(copies.values());
            needed.addAll(used);
            removeCopies(needed);
        }
        generation = renewed;
        exists = true;
        recorded = written;
        source = part;
        accepted = Set.of();
    }

    private Path ownCopy(Path path, Path copy) throws IOException {
        if (copy.startsWith(directory)) {
            return copy;
        }
        Path before = recorded.originals().get(path);
        if (before != null && copy.equals(source.originals().get(path))) {
            return before;
        }
        Path made = GuardStore.freeName(directory, 0);
        try (Pinned journal = Pinned.directory(directory, directory)) {
            GuardStore.duplicate(copy, journal, made.getFileName());
        }
        return made;
    }

    private void removeCopies(Set<Path> needed) throws IOException {
        for (Path entry : entries()) {
            if (String.valueOf(entry.getFileName()).startsWith(COPY) && !needed.contains(entry)) {
                GuardStore.delete(entry);
            }
        }
    }

    private List<Path> entries() throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.toList();
        }
    }

    void accept(Path path) throws IOException {
        records.append(ACCEPTED, PathBytes.of(path).getBytes(StandardCharsets.ISO_8859_1));
    }
}
