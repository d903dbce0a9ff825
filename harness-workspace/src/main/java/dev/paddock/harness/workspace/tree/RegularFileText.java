package dev.paddock.harness.workspace.tree;

import dev.paddock.executor.os.file.Fault;
import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.os.file.Status;
import dev.paddock.executor.os.posix.Memory;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads a regular file as ISO 8859-1 text; refuses a link or a pipe. */
final class RegularFileText {
    private RegularFileText() {}

    /** Returns the content; empty if there is no regular file of at most that size. */
    static Optional<String> read(Kernel kernel, int directory, String name, long most) throws Fault {
        int descriptor;
        try {
            descriptor = kernel.openFile(directory, name);
        } catch (Fault fault) {
            if (fault.showsChange() || fault.is(Fault.EACCES)) {
                return Optional.empty();
            }
            throw fault;
        }
        try {
            Status status = kernel.status(descriptor);
            return status.isFile() && status.size() <= most ? bounded(kernel, descriptor, most) : Optional.empty();
        } finally {
            kernel.close(descriptor);
        }
    }

    /** Reads a file that a command may extend concurrently. */
    private static Optional<String> bounded(Kernel kernel, int descriptor, long most) throws Fault {
        ByteBuffer buffer = Memory.allocate(32 << 10);
        byte[] bytes = new byte[buffer.capacity()];
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int length = 1; length > 0 && all.size() <= most; ) {
            length = kernel.read(descriptor, buffer, bytes.length);
            buffer.get(0, bytes, 0, length);
            all.write(bytes, 0, length);
        }
        return all.size() <= most ? Optional.of(all.toString(StandardCharsets.ISO_8859_1)) : Optional.empty();
    }
}
