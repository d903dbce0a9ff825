package dev.paddock.harness.workspace.store;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.harness.workspace.Omission;
import dev.paddock.harness.workspace.SnapshotInfo;
import dev.paddock.harness.workspace.TreePath;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The store's record of a snapshot: its description, its manifest and its source directory.
 *
 * @param device the directory's device
 * @param inode the directory's inode
 */
public record SnapshotRecord(SnapshotInfo info, Hash manifest, long device, long inode) {
    private static final int VERSION = 1;

    byte[] encode() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(VERSION);
        out.write(manifest.bytes());
        out.writeLong(info.created().toEpochMilli());
        out.writeUTF(info.label());
        out.writeUTF(PathBytes.of(info.tree()));
        out.writeLong(device);
        out.writeLong(inode);
        out.writeLong(info.files());
        out.writeLong(info.bytes());
        out.writeInt(info.omissions().size());
        for (Omission omission : info.omissions()) {
            out.writeUTF(omission.path().bytes());
            out.writeUTF(omission.reason());
        }
        byte[] content = bytes.toByteArray();
        out.write(Hash.of(content, 0, content.length).bytes());
        return bytes.toByteArray();
    }

    /** Reads a record; throws if it is cut or altered. */
    static SnapshotRecord decode(String id, byte[] bytes) throws IOException {
        int length = bytes.length - Hash.BYTES;
        if (length < 0 || !Hash.of(bytes, 0, length).equals(Hash.of(Arrays.copyOfRange(bytes, length, bytes.length)))) {
            throw new IOException("it is cut or altered");
        }
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes, 0, length));
        if (in.readInt() != VERSION) {
            throw new IOException("it was written by another version of Paddock");
        }
        Hash manifest = Hash.of(in.readNBytes(Hash.BYTES));
        Instant created = Instant.ofEpochMilli(in.readLong());
        String label = in.readUTF();
        Path tree = new TreePath(in.readUTF()).under(Path.of("/"));
        long device = in.readLong();
        long inode = in.readLong();
        long files = in.readLong();
        long size = in.readLong();
        List<Omission> omissions = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            omissions.add(new Omission(new TreePath(in.readUTF()), in.readUTF()));
        }
        return new SnapshotRecord(
                new SnapshotInfo(id, label, created, tree, files, size, omissions), manifest, device, inode);
    }
}
