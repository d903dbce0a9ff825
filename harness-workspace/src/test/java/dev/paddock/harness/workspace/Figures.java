package dev.paddock.harness.workspace;

import dev.paddock.harness.workspace.snapshot.Snapshots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * Measures snapshots beside {@code git}, and a branch beside {@code cp -a}, in the same run. Takes a
 * directory to work in, and the number of files.
 */
final class Figures {
    private static final int EACH = 100;

    private Figures() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path place = Files.createTempDirectory(Path.of(arguments[0]).toRealPath(), "figures");
        try {
            snapshots(place, Integer.parseInt(arguments[1]));
            branch(place);
        } finally {
            Shell.run(Path.of(arguments[0]), "rm -rf " + place.getFileName());
        }
    }

    private interface Action {
        void run() throws IOException, InterruptedException;
    }

    private static void time(String what, Action action) throws IOException, InterruptedException {
        long start = System.nanoTime();
        action.run();
        System.out.printf("%-50s %8d ms%n", what, (System.nanoTime() - start) / 1_000_000);
    }

    private static Path tree(Path path, int files, int size) throws IOException {
        Random random = new Random(1);
        for (int number = 0; number < files; number++) {
            Path directory = path.resolve("d" + number / EACH / EACH).resolve("d" + number / EACH);
            if (number % EACH == 0) {
                Files.createDirectories(directory);
            }
            byte[] content = new byte[size];
            random.nextBytes(content);
            Files.write(directory.resolve("file" + number), content);
        }
        return path;
    }

    private static void snapshots(Path place, int files) throws IOException, InterruptedException {
        Path tree = tree(place.resolve("tree"), files, 500);
        String git = "git --git-dir=../git --work-tree=. ";
        Shell.run(tree, "git init -q --bare ../git; sync -f .");
        Snapshots snapshots = Snapshots.of(tree).store(place.resolve("store")).open();
        time("git add, first", () -> Shell.run(tree, git + "add ."));
        time("snapshot, first", () -> snapshots.snapshot(""));
        for (int turn = 0; turn < 5; turn++) {
            time("git status, warm", () -> Shell.run(tree, git + "status --porcelain -uall | head -c 0"));
            time("snapshot, unchanged", () -> snapshots.snapshot(""));
            time(
                    "snapshot, unchanged, manifest read again",
                    () -> Snapshots.of(tree)
                            .store(place.resolve("store"))
                            .open()
                            .snapshot(""));
        }
        for (int turn = 0; turn < 2; turn++) {
            Files.writeString(tree.resolve("d0/d0/file0"), "changed " + turn);
            time("snapshot, one file changed", () -> snapshots.snapshot(""));
        }
        time("restore", () -> snapshots.restore(snapshots.list().getLast().id(), place.resolve("restored")));
        time("delete", () -> snapshots.delete(snapshots.list().getFirst().id()));
    }

    private static void branch(Path place) throws IOException, InterruptedException {
        Path tree = tree(place.resolve("small"), 10_000, 10_000);
        Snapshots snapshots = Snapshots.of(tree).store(place.resolve("store2")).open();
        Shell.run(tree, "sync -f .");
        for (int turn = 0; turn < 5; turn++) {
            Path copy = place.resolve("copy" + turn);
            Path branch = place.resolve("branch" + turn);
            time("cp -a", () -> Shell.run(place, "cp -a small " + copy));
            time("branch", () -> snapshots.branch(branch));
        }
    }
}
