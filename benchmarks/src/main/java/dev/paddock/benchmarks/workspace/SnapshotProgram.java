package dev.paddock.benchmarks.workspace;

import dev.paddock.benchmarks.measure.SmallJvm;
import dev.paddock.harness.workspace.snapshot.Snapshots;
import java.io.IOException;
import java.nio.file.Path;

/** Takes one snapshot in a JVM that has compiled none of the code, and prints its milliseconds. */
final class SnapshotProgram {
    private SnapshotProgram() {}

    /**
     * Takes the snapshot.
     *
     * @param arguments the tree and the store
     */
    public static void main(String[] arguments) throws IOException {
        long start = System.nanoTime();
        Snapshots.of(Path.of(arguments[0])).store(Path.of(arguments[1])).open().snapshot("");
        SmallJvm.print((System.nanoTime() - start) / 1e6);
    }
}
