package dev.paddock.executor.worktree;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.FileStatus;
import dev.paddock.executor.worktree.files.Fingerprint;
import dev.paddock.executor.worktree.git.GitDirectoryRules;
import dev.paddock.executor.worktree.git.Repository;
import dev.paddock.executor.worktree.git.Territory;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Serializes a baseline, with paths as the kernel's bytes. */
final class JournalFormat {
    private JournalFormat() {}

    private interface Writer<V> {
        void write(V value, DataOutputStream out) throws IOException;
    }

    private interface Reader<V> {
        V read(DataInputStream in) throws IOException;
    }

    /**
     * Writes a snapshot.
     *
     * @param snapshot names its copies by their file names
     * @param taken a time after it and before the commands, in milliseconds since 1970
     */
    static byte[] write(Snapshot snapshot, long taken) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        writeAll(sorted(snapshot.baseline().known()), JournalFormat::writeKnown, out);
        writeAll(sorted(snapshot.baseline().owners()), JournalFormat::writeText, out);
        writeAll(sorted(snapshot.closed()), JournalFormat::writeText, out);
        out.writeInt(snapshot.git().size());
        for (GitBaseline.State state : sorted(snapshot.git()).values()) {
            writeState(state, out);
        }
        writeAll(sorted(snapshot.originals()), JournalFormat::writePath, out);
        out.writeLong(taken);
        return bytes.toByteArray();
    }

    /** Returns the time recorded in a snapshot. */
    static long taken(byte[] bytes) {
        return ByteBuffer.wrap(bytes).getLong(bytes.length - Long.BYTES);
    }

    private static <V> Map<Path, V> sorted(Map<Path, V> all) {
        return new TreeMap<>(all);
    }

    private static <V> void writeAll(Map<Path, V> all, Writer<V> writer, DataOutputStream out) throws IOException {
        out.writeInt(all.size());
        for (Map.Entry<Path, V> entry : all.entrySet()) {
            writePath(entry.getKey(), out);
            writer.write(entry.getValue(), out);
        }
    }

    private static void writeKnown(Baseline.Known known, DataOutputStream out) throws IOException {
        writePath(known.owner(), out);
        writeFingerprint(known.state(), out);
    }

    private static void writeState(GitBaseline.State state, DataOutputStream out) throws IOException {
        Repository repository = state.repository();
        writePath(repository.gitDirectory(), out);
        writePath(repository.commonDirectory(), out);
        writePath(repository.worktree().orElse(Path.of("")), out);
        out.writeUTF(repository.kind().name());
        out.writeBoolean(repository.mutual());
        out.writeUTF(state.identity());
        writeAll(state.entries().all(), JournalFormat::writeStatus, out); // in the order of the listing
        writeAll(sorted(state.originals()), JournalFormat::writeFingerprint, out);
        writeAll(sorted(state.contents()), JournalFormat::writeFingerprint, out);
    }

    private static void writeText(String text, DataOutputStream out) throws IOException {
        out.writeUTF(text);
    }

    private static void writeStatus(FileStatus stamp, DataOutputStream out) throws IOException {
        out.writeInt(stamp.mode());
        out.writeInt(stamp.owner());
        out.writeInt(stamp.group());
        out.writeLong(stamp.device());
        out.writeLong(stamp.inode());
        out.writeInt(stamp.links());
        out.writeLong(stamp.size());
        out.writeLong(stamp.changed());
        out.writeLong(stamp.born());
    }

    private static void writePath(Path path, DataOutputStream out) throws IOException {
        out.writeUTF(PathBytes.of(path));
    }

    private static void writeFingerprint(Fingerprint state, DataOutputStream out) throws IOException {
        writeLong(state.content(), out);
        writeIds(state.owners(), out);
        writeIds(state.groups(), out);
        writeLong(state.names(), out);
        out.writeUTF(state.identity());
        out.writeBoolean(state.complete());
        out.writeLong(state.size());
        writeLong(state.stamps().orElse(""), out);
    }

    private static void writeIds(Set<Integer> ids, DataOutputStream out) throws IOException {
        out.writeInt(ids.size());
        for (int id : ids) {
            out.writeInt(id);
        }
    }

    /** Writes bytes as ISO 8859-1, which may exceed the limit of {@code writeUTF}. */
    private static void writeLong(String text, DataOutputStream out) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    static Snapshot read(byte[] bytes, Territory territory) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        Map<Path, Baseline.Known> known = readAll(in, JournalFormat::known);
        Map<Path, String> owners = readAll(in, DataInput::readUTF);
        Map<Path, String> closed = readAll(in, DataInput::readUTF);
        Map<Path, GitBaseline.State> git = new HashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            GitBaseline.State state = state(in, territory);
            git.put(state.repository().gitDirectory(), state);
        }
        Map<Path, Path> originals = readAll(in, JournalFormat::path);
        return new Snapshot(new Baseline(known, owners, Map.of(), Map.of()), git, closed, originals);
    }

    private static <V> Map<Path, V> readAll(DataInputStream in, Reader<V> reader) throws IOException {
        Map<Path, V> all = new LinkedHashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            all.put(path(in), reader.read(in));
        }
        return all;
    }

    private static Baseline.Known known(DataInputStream in) throws IOException {
        Path owner = path(in);
        return new Baseline.Known(fingerprint(in), owner);
    }

    private static GitBaseline.State state(DataInputStream in, Territory territory) throws IOException {
        Path gitDirectory = path(in);
        Path common = path(in);
        Optional<Path> worktree = Optional.of(path(in)).filter(Path::isAbsolute);
        Repository repository =
                new Repository(gitDirectory, common, worktree, Repository.Kind.valueOf(in.readUTF()), in.readBoolean());
        String identity = in.readUTF();
        return new GitBaseline.State(
                repository,
                new GitDirectoryRules(repository, territory, false),
                identity,
                GitEntries.recorded(readAll(in, JournalFormat::stamp)),
                readAll(in, JournalFormat::fingerprint),
                readAll(in, JournalFormat::fingerprint));
    }

    private static FileStatus stamp(DataInputStream in) throws IOException {
        return new FileStatus(
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readLong(),
                in.readLong(),
                in.readInt(),
                in.readLong(),
                in.readLong(),
                in.readLong());
    }

    private static Path path(DataInputStream in) throws IOException {
        return PathBytes.path(in.readUTF()).orElseThrow(() -> new IOException("a path in the journal is no path"));
    }

    private static Fingerprint fingerprint(DataInputStream in) throws IOException {
        return new Fingerprint(
                longText(in),
                ids(in),
                ids(in),
                longText(in),
                in.readUTF(),
                in.readBoolean(),
                in.readLong(),
                Optional.of(longText(in)).filter(stamps -> !stamps.isEmpty()));
    }

    private static Set<Integer> ids(DataInputStream in) throws IOException {
        Set<Integer> ids = new HashSet<>();
        for (int left = in.readInt(); left > 0; left--) {
            ids.add(in.readInt());
        }
        return ids;
    }

    private static String longText(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readInt()), StandardCharsets.ISO_8859_1);
    }
}
