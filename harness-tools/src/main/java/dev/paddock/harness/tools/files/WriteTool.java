package dev.paddock.harness.tools.files;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.files.ContainedFiles;
import dev.paddock.harness.files.Location;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.text.Schema;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** Writes a whole file. */
final class WriteTool extends FileTool {
    static final int MOST_BYTES = 10 << 20;

    WriteTool(ContainedFiles files) {
        super(
                files,
                "write",
                "Write a file whole. Creates it and its parent directories, or replaces what it holds.",
                new Schema()
                        .required("path", "string", "The file, relative to the working directory or absolute")
                        .required("content", "string", "All that the file is to hold"));
    }

    @Override
    ToolResult run(Arguments arguments, AbortSignal signal) throws IOException {
        byte[] content = arguments.utf8("content");
        if (content.length > MOST_BYTES) {
            throw new ToolException("the content has " + content.length + " bytes, more than the " + MOST_BYTES
                    + " that one call writes. Write it in parts through a command");
        }
        String path = arguments.text("path");
        try (Location where = files.locateForWriting(path)) {
            if (path.endsWith("/")) {
                throw new ToolException(path + " ends with a slash, so it names a directory. Name a file");
            }
            ReentrantLock lock = files.lockOf(where);
            lock.lock();
            try {
                files.write(where, content, Optional.empty(), signal);
            } finally {
                lock.unlock();
            }
            boolean created = where.attributes().isEmpty();
            return ToolResult.ok((created ? "Created " : "Replaced ") + where.shown() + ": wrote " + content.length
                            + (content.length == 1 ? " byte" : " bytes"))
                    .withDetails(details()
                            .put("path", where.shown())
                            .put("bytes", content.length)
                            .put("created", created));
        }
    }
}
