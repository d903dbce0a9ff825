package dev.paddock.harness.workspace.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.paddock.harness.workspace.tree.FileMetadata;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/** Converts between a snapshot's entries and the deflated bytes of its manifest. */
final class ManifestFormat {
    private static final int BUFFER = 64 << 10;
    private static final int MAX_DEPTH = 250;

    private ManifestFormat() {}

    static byte[] encode(Node root) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(BUFFER);
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        try (DataOutputStream out = new DataOutputStream(
                new BufferedOutputStream(new DeflaterOutputStream(bytes, deflater, BUFFER), BUFFER))) {
            encode(root, out);
        } finally {
            deflater.end();
        }
        return bytes.toByteArray();
    }

    private static void encode(Node node, DataOutputStream out) throws IOException {
        text(node.name(), out);
        FileMetadata metadata = node.metadata();
        out.writeInt(metadata.mode());
        out.writeInt(metadata.owner());
        out.writeInt(metadata.group());
        out.writeLong(metadata.modified());
        out.writeInt(metadata.attributes().size());
        for (Map.Entry<String, String> one : metadata.attributes().entrySet()) {
            text(one.getKey(), out);
            text(one.getValue(), out);
        }
        out.writeLong(node.changed());
        out.writeLong(node.inode());
        if (node.isDirectory()) {
            out.writeInt(node.children().size());
            for (Node child : node.children()) {
                encode(child, out);
            }
        } else if (node.isFile()) {
            out.writeLong(node.size());
            out.writeBoolean(node.linked());
            out.write(node.hash().bytes());
        } else {
            text(node.target(), out);
        }
    }

    private static void text(String text, DataOutputStream out) throws IOException {
        out.writeInt(text.length());
        out.write(text.getBytes(ISO_8859_1));
    }

    /**
     * Reads a manifest.
     *
     * @throws IOException if it is not a manifest: its hash was verified before, so another version wrote it
     */
    static Node decode(byte[] bytes) throws IOException {
        try (DataInputStream in = new DataInputStream(
                new BufferedInputStream(new InflaterInputStream(new ByteArrayInputStream(bytes)), BUFFER))) {
            Node root = decode(in, 0);
            if (!root.name().isEmpty() || !root.isDirectory() || in.read() >= 0) {
                throw new IOException("it is not one tree");
            }
            return root;
        }
    }

    private static Node decode(DataInputStream in, int depth) throws IOException {
        String name = text(in);
        if (depth > MAX_DEPTH || (depth > 0 && !isName(name))) {
            throw new IOException("it has an impossible name");
        }
        FileMetadata metadata =
                new FileMetadata(in.readInt(), in.readInt(), in.readInt(), in.readLong(), attributes(in));
        Node node = new Node(name, metadata, 0, in.readLong(), in.readLong(), false, Hash.NONE, "", List.of());
        if (node.isDirectory()) {
            return node.withChildren(children(in, depth));
        }
        if (node.isLink()) {
            return node.withTarget(text(in));
        }
        if (!node.isFile()) {
            throw new IOException("it has an entry of an unknown kind");
        }
        return new Node(
                name,
                metadata,
                in.readLong(),
                node.changed(),
                node.inode(),
                in.readBoolean(),
                Hash.of(exactly(in, Hash.BYTES)),
                "",
                List.of());
    }

    private static List<Node> children(DataInputStream in, int depth) throws IOException {
        int count = in.readInt();
        List<Node> children = new ArrayList<>(Math.min(Math.max(count, 0), BUFFER));
        String last = "";
        for (int index = 0; index < count; index++) {
            Node child = decode(in, depth + 1);
            if (child.name().compareTo(last) <= 0) {
                throw new IOException("its names are not sorted");
            }
            last = child.name();
            children.add(child);
        }
        return children;
    }

    private static boolean isName(String name) {
        return !name.isEmpty()
                && !name.equals(".")
                && !name.equals("..")
                && name.indexOf('/') < 0
                && name.indexOf('\0') < 0;
    }

    private static Map<String, String> attributes(DataInputStream in) throws IOException {
        int count = in.readInt();
        if (count == 0) {
            return Map.of();
        }
        Map<String, String> attributes = new TreeMap<>();
        for (int index = 0; index < count; index++) {
            attributes.put(text(in), text(in));
        }
        return attributes;
    }

    private static String text(DataInputStream in) throws IOException {
        int length = in.readInt();
        return length == 0 ? "" : new String(exactly(in, length), ISO_8859_1);
    }

    private static byte[] exactly(DataInputStream in, int length) throws IOException {
        if (length < 0 || length > BUFFER) {
            throw new IOException("it has a text of impossible length");
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return bytes;
    }
}
