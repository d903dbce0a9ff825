package dev.paddock.executor.sandbox.worktree;

import dev.paddock.executor.sandbox.worktree.git.GitDirectoryRules;
import dev.paddock.executor.sandbox.worktree.git.PathBytes;
import dev.paddock.executor.sandbox.worktree.git.Repository;
import dev.paddock.executor.sandbox.worktree.git.Territory;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Writes and reads a baseline as bytes; a path is written as the bytes that the kernel has. */
final class JournalFormat {
    private JournalFormat() {}

    /**
     * A baseline, and the copies that belong to it.
     *
     * @param originals the files of the copies, by the paths that they are of
     */
    record Snapshot(Baseline baseline, Map<Path, GitBaseline.State> git, Map<Path, Path> originals) {}

    static byte[] write(Snapshot snapshot) throws IOException {
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
        return bytes.toByteArray();
    }

    private static void write(GitBaseline.State state, DataOutputStream out) throws IOException {
        Repository repository = state.repository();
        write(repository.gitDirectory(), out);
        write(repository.commonDirectory(), out);
        write(repository.worktree().orElse(Path.of("")), out);
        out.writeUTF(repository.kind().name());
        out.writeBoolean(repository.mutual());
        out.writeUTF(state.identity());
        out.writeInt(state.entries().stamps().size());
        for (Path relative : state.entries().stamps().keySet()) {
            write(relative, out);
        }
        Map<Path, Fingerprint> originals = new TreeMap<>(state.originals());
        out.writeInt(originals.size());
        for (Map.Entry<Path, Fingerprint> entry : originals.entrySet()) {
            write(entry.getKey(), out);
            write(entry.getValue(), out);
        }
    }

    private static void write(Map<Path, String> identities, DataOutputStream out) throws IOException {
        out.writeInt(identities.size());
        for (Map.Entry<Path, String> entry : new TreeMap<>(identities).entrySet()) {
            write(entry.getKey(), out);
            out.writeUTF(entry.getValue());
        }
    }

    private static void write(Path path, DataOutputStream out) throws IOException {
        out.writeUTF(PathBytes.of(path));
    }

    /** Writes what identifies the file; contents are compared with the copies. */
    private static void write(Fingerprint state, DataOutputStream out) throws IOException {
        out.writeUTF(state.identity());
        out.writeBoolean(state.shared());
    }

    static Snapshot read(byte[] bytes, Territory territory) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        Map<Path, Baseline.Known> known = new HashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            Path path = path(in);
            Path owner = path(in);
            known.put(path, new Baseline.Known(fingerprint(in), owner));
        }
        Map<Path, String> owners = new HashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            owners.put(path(in), in.readUTF());
        }
        Map<Path, GitBaseline.State> git = new HashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            GitBaseline.State state = state(in, territory);
            git.put(state.repository().gitDirectory(), state);
        }
        Map<Path, Path> originals = new HashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            originals.put(path(in), path(in));
        }
        return new Snapshot(new Baseline(known, owners, Map.of(), Map.of()), git, originals);
    }

    private static GitBaseline.State state(DataInputStream in, Territory territory) throws IOException {
        Path gitDirectory = path(in);
        Path common = path(in);
        Optional<Path> worktree = Optional.of(path(in)).filter(Path::isAbsolute);
        Repository repository =
                new Repository(gitDirectory, common, worktree, Repository.Kind.valueOf(in.readUTF()), in.readBoolean());
        String identity = in.readUTF();
        Map<Path, String> stamps = new LinkedHashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            stamps.put(path(in), "recorded");
        }
        Map<Path, Fingerprint> originals = new HashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            originals.put(path(in), fingerprint(in));
        }
        return new GitBaseline.State(
                repository,
                new GitDirectoryRules(repository, territory, false),
                identity,
                new EntryStamps(stamps, new HashSet<>()),
                originals);
    }

    private static Path path(DataInputStream in) throws IOException {
        return PathBytes.path(in.readUTF()).orElseThrow(() -> new IOException("a path in the journal is no path"));
    }

    private static Fingerprint fingerprint(DataInputStream in) throws IOException {
        return new Fingerprint("recorded", in.readUTF(), true, in.readBoolean(), Long.MAX_VALUE, 0);
    }
}
