package dev.paddock.executor.worktree;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.FileStatus;
import dev.paddock.executor.worktree.files.Fingerprint;
import dev.paddock.executor.worktree.git.GitDirectoryRules;
import dev.paddock.executor.worktree.git.Repository;
import dev.paddock.executor.worktree.git.Territory;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
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

/** Serializes a baseline; a path is written as the kernel's bytes. */
final class JournalFormat {
    private JournalFormat() {}

    /**
     * Writes a snapshot.
     *
     * @param snapshot names its copies by their file names
     * @param taken a time after it and before the commands, in milliseconds since 1970
     */
    static byte[] write(Snapshot snapshot, long taken) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        Map<Path, Baseline.Known> known = new TreeMap<>(snapshot.baseline().known());
        out.writeInt(known.size());
        for (Map.Entry<Path, Baseline.Known> entry : known.entrySet()) {
            write(entry.getKey(), out);
            write(entry.getValue().owner(), out);
            write(entry.getValue().state(), out);
        }
        write(snapshot.baseline().owners(), out);
        write(snapshot.closed(), out);
        Map<Path, GitBaseline.State> git = new TreeMap<>(snapshot.git());
        out.writeInt(git.size());
        for (GitBaseline.State state : git.values()) {
            write(state, out);
        }
        Map<Path, Path> originals = new TreeMap<>(snapshot.originals());
        out.writeInt(originals.size());
        for (Map.Entry<Path, Path> entry : originals.entrySet()) {
            write(entry.getKey(), out);
            write(entry.getValue(), out);
        }
        out.writeLong(taken);
        return bytes.toByteArray();
    }

    /** Returns the time recorded in a snapshot. */
    static long taken(byte[] bytes) {
        return ByteBuffer.wrap(bytes).getLong(bytes.length - Long.BYTES);
    }

    private static void write(GitBaseline.State state, DataOutputStream out) throws IOException {
        Repository repository = state.repository();
        write(repository.gitDirectory(), out);
        write(repository.commonDirectory(), out);
        write(repository.worktree().orElse(Path.of("")), out);
        out.writeUTF(repository.kind().name());
        out.writeBoolean(repository.mutual());
        out.writeUTF(state.identity());
        out.writeInt(state.entries().all().size());
        for (Map.Entry<Path, FileStatus> entry : state.entries().all().entrySet()) {
            write(entry.getKey(), out);
            write(entry.getValue(), out);
        }
        writeFiles(state.originals(), out);
        writeFiles(state.contents(), out);
    }

    private static void writeFiles(Map<Path, Fingerprint> files, DataOutputStream out) throws IOException {
        out.writeInt(files.size());
        for (Map.Entry<Path, Fingerprint> entry : new TreeMap<>(files).entrySet()) {
            write(entry.getKey(), out);
            write(entry.getValue(), out);
        }
    }

    private static void write(Map<Path, String> texts, DataOutputStream out) throws IOException {
        out.writeInt(texts.size());
        for (Map.Entry<Path, String> entry : new TreeMap<>(texts).entrySet()) {
            write(entry.getKey(), out);
            out.writeUTF(entry.getValue());
        }
    }

    private static void write(FileStatus stamp, DataOutputStream out) throws IOException {
        out.writeInt(stamp.mode());
        out.writeInt(stamp.owner());
        out.writeLong(stamp.device());
        out.writeLong(stamp.inode());
        out.writeInt(stamp.links());
        out.writeLong(stamp.size());
        out.writeLong(stamp.changed());
        out.writeLong(stamp.born());
    }

    private static void write(Path path, DataOutputStream out) throws IOException {
        out.writeUTF(PathBytes.of(path));
    }

    private static void write(Fingerprint state, DataOutputStream out) throws IOException {
        writeLong(state.content(), out);
        out.writeInt(state.owners().size());
        for (int owner : state.owners()) {
            out.writeInt(owner);
        }
        writeLong(state.names(), out);
        out.writeUTF(state.identity());
        out.writeBoolean(state.complete());
        out.writeLong(state.size());
        writeLong(state.stamps().orElse(""), out);
    }

    /** Writes bytes as ISO 8859-1, which may exceed the limit of {@code writeUTF}. */
    private static void writeLong(String text, DataOutputStream out) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    static Snapshot read(byte[] bytes, Territory territory) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        Map<Path, Baseline.Known> known = new HashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            Path path = path(in);
            Path owner = path(in);
            known.put(path, new Baseline.Known(fingerprint(in), owner));
        }
        Map<Path, String> owners = texts(in);
        Map<Path, String> closed = texts(in);
        Map<Path, GitBaseline.State> git = new HashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            GitBaseline.State state = state(in, territory);
            git.put(state.repository().gitDirectory(), state);
        }
        Map<Path, Path> originals = new HashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            originals.put(path(in), path(in));
        }
        return new Snapshot(new Baseline(known, owners, Map.of(), Map.of()), git, closed, originals);
    }

    private static Map<Path, String> texts(DataInputStream in) throws IOException {
        Map<Path, String> texts = new HashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            texts.put(path(in), in.readUTF());
        }
        return texts;
    }

    private static GitBaseline.State state(DataInputStream in, Territory territory) throws IOException {
        Path gitDirectory = path(in);
        Path common = path(in);
        Optional<Path> worktree = Optional.of(path(in)).filter(Path::isAbsolute);
        Repository repository =
                new Repository(gitDirectory, common, worktree, Repository.Kind.valueOf(in.readUTF()), in.readBoolean());
        String identity = in.readUTF();
        Map<Path, FileStatus> stamps = new LinkedHashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            stamps.put(path(in), stamp(in));
        }
        return new GitBaseline.State(
                repository,
                new GitDirectoryRules(repository, territory, false),
                identity,
                GitEntries.recorded(stamps),
                files(in),
                files(in));
    }

    private static Map<Path, Fingerprint> files(DataInputStream in) throws IOException {
        Map<Path, Fingerprint> files = new HashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            files.put(path(in), fingerprint(in));
        }
        return files;
    }

    private static FileStatus stamp(DataInputStream in) throws IOException {
        return new FileStatus(
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
        String content = longText(in);
        Set<Integer> owners = new HashSet<>();
        for (int left = in.readInt(); left > 0; left--) {
            owners.add(in.readInt());
        }
        return new Fingerprint(
                content,
                owners,
                longText(in),
                in.readUTF(),
                in.readBoolean(),
                in.readLong(),
                Optional.of(longText(in)).filter(stamps -> !stamps.isEmpty()));
    }

    private static String longText(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readInt()), StandardCharsets.ISO_8859_1);
    }
}
