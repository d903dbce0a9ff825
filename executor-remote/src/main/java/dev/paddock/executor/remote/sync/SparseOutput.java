package dev.paddock.executor.remote.sync;

import dev.paddock.executor.os.file.FileContents;
import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Writes a new file of Paddock's own, in which pages of zeros become holes: the remote side chooses its size. */
final class SparseOutput extends OutputStream {
    private static final int PAGE = 4096;
    private static final byte[] ZEROS = new byte[PAGE];

    private final RandomAccessFile file;
    private long position;

    private SparseOutput(RandomAccessFile file) {
        this.file = file;
    }

    static SparseOutput create(Path path) throws IOException {
        return new SparseOutput(new RandomAccessFile(Files.createFile(path).toFile(), "rw"));
    }

    /** Copies a file of Paddock's own to a new one; holes stay holes where the kernel can be called. */
    static void copy(Path from, Path to) throws IOException {
        if (!Kernel.isAvailable()) {
            Files.copy(from, to);
            return;
        }
        Kernel kernel = Kernel.create();
        int input = kernel.openFile(Kernel.NO_DIRECTORY, PathBytes.of(from));
        try {
            int output = kernel.createFile(Kernel.NO_DIRECTORY, PathBytes.of(to));
            try {
                new FileContents(kernel)
                        .copy(input, output, kernel.status(input).size());
            } finally {
                kernel.close(output);
            }
        } finally {
            kernel.close(input);
        }
    }

    void position(long offset) {
        position = offset;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int from = offset;
        int end = offset + length;
        while (from < end) {
            int page = (int) Math.min(PAGE - position % PAGE, end - from);
            if (!Arrays.equals(bytes, from, from + page, ZEROS, 0, page)) {
                int data = from;
                from += page;
                position += page;
                // as much as possible in one call
                while (from < end) {
                    int next = Math.min(PAGE, end - from);
                    if (Arrays.equals(bytes, from, from + next, ZEROS, 0, next)) {
                        break;
                    }
                    from += next;
                    position += next;
                }
                file.seek(position - (from - data));
                file.write(bytes, data, from - data);
            } else {
                from += page;
                position += page;
            }
        }
    }

    void finish(long size) throws IOException {
        file.setLength(size);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
