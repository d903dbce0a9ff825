package dev.paddock.harness.workspace.store;

import dev.paddock.executor.os.file.Fault;
import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.os.file.TreeRemoval;
import dev.paddock.executor.os.posix.Memory;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.harness.workspace.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Adds the contents of one snapshot to a store. Writes them below the temporary directory, and gives them their final
 * names only when all are on disk.
 */
final class Intake implements AutoCloseable {
    static final int SMALL = 64 << 10;

    private static final long PACK_SIZE = 256L << 20;

    /** From this many large files on, one sync of the file system is cheaper than one per file. */
    private static final int MANY = 16;

    private final Kernel kernel;
    private final StoreFiles files;
    private final Contents known;
    private final Path directory;
    private final long free;
    private final HashedCopy copy;
    private final Set<Hash> taken = new HashSet<>();
    private final Map<Hash, Path> objects = new LinkedHashMap<>();
    private final Map<Path, String> packs = new HashMap<>();
    private final ByteBuffer buffer = Memory.allocate(SMALL + 1);
    private final byte[] content = new byte[SMALL + 1];
    private Optional<Pack.Writer> pack = Optional.empty();
    private long needed;
    private long number;

    /**
     * Starts an intake.
     *
     * @param free how many bytes may be added
     */
    Intake(Kernel kernel, StoreFiles files, Contents known, long free) throws IOException {
        this.kernel = kernel;
        this.files = files;
        this.known = known;
        this.free = free;
        copy = new HashedCopy(kernel);
        directory = Files.createTempDirectory(files.temporary(), "intake");
    }

    /** Takes a file's content; returns its hash. */
    Hash take(int descriptor, long size) throws IOException {
        return size <= SMALL ? small(descriptor) : large(descriptor, size);
    }

    private Hash small(int descriptor) throws IOException {
        int length = 0;
        while (length <= SMALL) {
            int read = kernel.read(descriptor, buffer, SMALL + 1 - length);
            if (read == 0) {
                break;
            }
            buffer.get(0, content, length, read);
            length += read;
        }
        Hash hash = Hash.of(content, 0, length);
        if (isNew(hash)) {
            needed += length;
            if (needed <= free) {
                toPack(hash, length);
            }
        }
        return hash;
    }

    private boolean isNew(Hash hash) throws IOException {
        return !known.has(hash) && taken.add(hash);
    }

    private void toPack(Hash hash, int length) throws IOException {
        try {
            if (pack.isEmpty()) {
                pack = Optional.of(new Pack.Writer(directory.resolve("pack" + number++)));
            }
            Pack.Writer writer = pack.get();
            writer.add(hash, content, length);
            if (writer.size() > PACK_SIZE) {
                finishPack();
            }
        } catch (IOException fault) {
            throw files.unwritable(fault);
        }
    }

    private void finishPack() throws IOException {
        if (pack.isPresent()) {
            try (Pack.Writer writer = pack.get()) {
                packs.put(writer.file(), writer.finish());
            }
            pack = Optional.empty();
        }
    }

    private Hash large(int from, long size) throws IOException {
        Path file = directory.resolve("object" + number++);
        int to = create(file);
        try {
            HashedCopy.Sink target = copy.to(to);
            long[] written = {0};
            Hash hash = copy.copy(from, size, (data, offset, length) -> {
                written[0] += length;
                if (needed + written[0] <= free) {
                    writing(() -> target.write(data, offset, length));
                }
            });
            if (isNew(hash)) {
                needed += written[0];
                writing(() -> kernel.truncate(to, size));
                objects.put(hash, file);
            } else {
                Files.delete(file);
            }
            return hash;
        } catch (Unwritable fault) {
            throw files.unwritable(fault.fault);
        } finally {
            kernel.close(to);
        }
    }

    private int create(Path file) throws IOException {
        try {
            return kernel.createFile(Kernel.NO_DIRECTORY, PathBytes.of(file));
        } catch (Fault fault) {
            throw files.unwritable(fault);
        }
    }

    @FunctionalInterface
    private interface Writing {
        void run() throws Fault;
    }

    private static void writing(Writing action) {
        try {
            action.run();
        } catch (Fault fault) {
            throw new Unwritable(fault);
        }
    }

    /** Distinguishes a fault of the store from one of the source file. */
    private static final class Unwritable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient Fault fault;

        Unwritable(Fault fault) {
            super(fault);
            this.fault = fault;
        }
    }

    /**
     * Checks that all contents and further bytes fit into the store's quota.
     *
     * @param more the size of the manifest and the record
     */
    void requireSpace(long more, long used, long most) throws StoreException {
        if (needed + more > free) {
            throw new StoreException(
                    StoreException.Reason.QUOTA,
                    "the snapshot needs " + (needed + more) + " bytes, and the store '" + files.root() + "' has " + used
                            + " of at most " + most
                            + "; delete snapshots, or raise maxBytes (of a workspace: maxSnapshotBytes)");
        }
    }

    /** Gives the contents their final names once they are on disk. */
    void publish() throws IOException {
        try {
            finishPack();
            flush();
            Set<Path> changed = new HashSet<>();
            for (Map.Entry<Hash, Path> object : objects.entrySet()) {
                Path target = files.object(object.getKey());
                Path parent = target.resolveSibling(".").normalize();
                if (!Files.isDirectory(parent)) {
                    Files.createDirectories(parent);
                    changed.add(files.objects());
                }
                StoreFiles.move(object.getValue(), target);
                changed.add(parent);
            }
            for (Map.Entry<Path, String> one : packs.entrySet()) {
                StoreFiles.move(one.getKey(), files.packs().resolve(one.getValue()));
                changed.add(files.packs());
            }
            for (Path one : changed) {
                StoreFiles.sync(one);
            }
        } catch (IOException fault) {
            throw files.unwritable(fault);
        }
    }

    private void flush() throws IOException {
        if (objects.size() > MANY) {
            int descriptor = kernel.openDirectory(Kernel.NO_DIRECTORY, PathBytes.of(directory));
            try {
                kernel.syncFileSystem(descriptor);
            } finally {
                kernel.close(descriptor);
            }
            return;
        }
        for (Path object : objects.values()) {
            StoreFiles.sync(object);
        }
    }

    @Override
    public void close() throws IOException {
        if (pack.isPresent()) {
            pack.get().close();
        }
        TreeRemoval.remove(directory);
    }
}
