package dev.paddock.harness.workspace.store;

import dev.paddock.harness.workspace.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the contents that a store has, in its packs and among its objects. */
final class Contents implements AutoCloseable {
    private final StoreFiles files;
    private Optional<List<Pack>> packs = Optional.empty();
    private final Map<Path, FileChannel> channels = new HashMap<>();

    Contents(StoreFiles files) {
        this.files = files;
    }

    /**
     * Opens all packs, once.
     *
     * @throws StoreException if one is damaged
     */
    List<Pack> packs() throws IOException {
        if (packs.isEmpty()) {
            List<Pack> opened = new ArrayList<>();
            for (Path file : StoreFiles.list(files.packs())) {
                opened.add(Pack.open(file));
            }
            packs = Optional.of(opened);
        }
        return packs.get();
    }

    boolean has(Hash hash) throws IOException {
        return packs().stream().anyMatch(pack -> pack.find(hash).isPresent()) || Files.exists(files.object(hash));
    }

    /**
     * Reads a content from a pack; empty if no pack has it.
     *
     * @throws StoreException if it is cut or altered
     */
    Optional<byte[]> packed(Hash hash) throws IOException {
        for (Pack pack : packs()) {
            Optional<Pack.Extent> extent = pack.find(hash);
            if (extent.isPresent()) {
                Optional<byte[]> read = pack.read(channel(pack), hash, extent.get());
                if (read.isEmpty()) {
                    throw new StoreException(
                            StoreException.Reason.CORRUPT,
                            "a content in the pack '" + pack.file() + "' is cut or altered; nothing was restored");
                }
                return read;
            }
        }
        return Optional.empty();
    }

    private FileChannel channel(Pack pack) throws IOException {
        FileChannel channel = channels.get(pack.file());
        if (channel == null) {
            channel = pack.channel();
            channels.put(pack.file(), channel);
        }
        return channel;
    }

    @Override
    public void close() throws IOException {
        for (FileChannel channel : channels.values()) {
            channel.close();
        }
    }
}
