package dev.paddock.benchmarks.row;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** Makes trees of files whose contents differ. */
public final class Trees {
    private static final int EACH = 100;

    private Trees() {}

    /** Fills an empty directory with so many files of a size, 100 in each directory. */
    public static Path fill(Path tree, int files, int size) throws IOException {
        Random random = new Random(1);
        byte[] content = new byte[size];
        Path directory = tree;
        for (int number = 0; number < files; number++) {
            if (number % EACH == 0) {
                int index = number / EACH;
                directory = Files.createDirectories(
                        tree.resolve("part-" + index / EACH).resolve("package-" + index));
            }
            random.nextBytes(content);
            Files.write(directory.resolve("file-" + number), content);
        }
        return tree;
    }
}
