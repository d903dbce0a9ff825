package dev.paddock.harness.workspace;

import dev.paddock.harness.workspace.snapshot.Snapshots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Runs in a JVM of its own: one that is killed, and one with a small disk. */
final class ChildProgram {
    private static final SecureRandom RANDOM = new SecureRandom();

    private ChildProgram() {}

    /** Starts a JVM; {@code prefix} is a command in front of it. */
    static Process start(List<String> prefix, String... arguments) throws IOException {
        return startMain(ChildProgram.class, prefix, List.of(), arguments);
    }

    /** Starts a JVM with another main class, and with further options of its own. */
    static Process startMain(Class<?> main, List<String> prefix, List<String> options, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    public static void main(String[] arguments) throws IOException {
        Path tree = Path.of(arguments[1]);
        Path store = Path.of(arguments[2]);
        switch (arguments[0]) {
            case "forever" -> forever(tree, store);
            case "full" -> full(tree, store, Boolean.parseBoolean(arguments[3]));
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /** Changes the tree, takes a snapshot, restores it, and deletes all but three; forever. */
    private static void forever(Path tree, Path store) throws IOException {
        Snapshots snapshots = Snapshots.of(tree).store(store).open();
        while (true) {
            String label = Long.toHexString(RANDOM.nextLong());
            byte[] content = new byte[RANDOM.nextInt(200_000)];
            RANDOM.nextBytes(content);
            Files.write(tree.resolve("random" + RANDOM.nextInt(10)), content);
            Files.writeString(tree.resolve("label"), label);
            Files.writeString(tree.resolve("label2"), label);
            SnapshotInfo taken = snapshots.snapshot(label);
            say("ready");
            snapshots.restore(taken.id(), tree.resolveSibling("restored-" + taken.id()));
            for (List<SnapshotInfo> all = snapshots.list(); all.size() > 3; all = snapshots.list()) {
                snapshots.delete(all.getFirst().id());
            }
        }
    }

    /** Fills the disk of the store. */
    private static void full(Path tree, Path store, boolean large) throws IOException {
        Snapshots snapshots = Snapshots.of(tree).store(store).open();
        Files.writeString(tree.resolve("first"), "first");
        SnapshotInfo first = snapshots.snapshot("first");
        for (int number = 0; number < (large ? 1 : 150); number++) {
            byte[] content = new byte[large ? 6_000_000 : 40_000];
            RANDOM.nextBytes(content);
            Files.write(tree.resolve("big" + number), content);
        }
        try {
            snapshots.snapshot("second");
            say("the snapshot fitted");
        } catch (StoreException fault) {
            say(fault.reason() + " " + fault.getMessage());
        }
        say("damaged " + snapshots.verify());
        say("same " + snapshots.list().equals(List.of(first)));
        try {
            snapshots.branch(store.resolveSibling("branch"));
            say("the branch fitted");
        } catch (TreeException fault) {
            say("" + fault.getMessage());
        }
        try (Stream<Path> left = Files.list(store.resolveSibling("."))) {
            say("left " + left.count());
        }
        for (int number = 0; number < 150; number++) {
            Files.deleteIfExists(tree.resolve("big" + number));
        }
        snapshots.delete(first.id());
        SnapshotInfo again = snapshots.snapshot("again");
        snapshots.restore(again.id(), store.resolveSibling("restored"));
        say("again " + Files.readString(store.resolveSibling("restored").resolve("first")));
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
