package dev.paddock.harness.workspace;

import dev.paddock.harness.workspace.directory.DirectoryWorkspaceProvider;
import dev.paddock.harness.workspace.directory.WorkspaceEntry;
import dev.paddock.harness.workspace.provider.Capability;
import dev.paddock.harness.workspace.provider.Workspace;
import dev.paddock.harness.workspace.provider.WorkspaceFailedException;
import dev.paddock.harness.workspace.provider.WorkspaceSnapshots;
import dev.paddock.harness.workspace.snapshot.Snapshots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Runs in a JVM of its own, on a small disk: does what needs space with no free page, then with one,
 * and so on until it succeeds, so that the disk becomes full at each step once.
 */
final class FullDiskProgram {
    private static final int PAGE = 4096;
    private static final int MAX_PAGES = 400;

    private final Path disk;
    private final Path root;
    private final String seed;
    private final DirectoryWorkspaceProvider provider;
    private int workspaces;
    private int snapshots;

    private FullDiskProgram(Path disk, Path seed) throws IOException {
        this.disk = disk;
        this.root = disk.resolve("workspaces");
        this.seed = contents(seed);
        provider = Kinds.LOCAL_BASH.provider(root);
    }

    public static void main(String[] arguments) throws IOException {
        new FullDiskProgram(Path.of(arguments[0]), Path.of(arguments[1])).run(Path.of(arguments[1]));
    }

    @FunctionalInterface
    private interface Operation {
        void run() throws IOException;
    }

    private void run(Path from) throws IOException {
        untilItFits("open", () -> {
            provider.open(Kinds.LOCAL_BASH
                            .config()
                            .capabilities(Capability.FILES, Capability.SNAPSHOTS)
                            .copyOf(from)
                            .build())
                    .suspend();
            workspaces++;
        });
        Workspace workspace = provider.resolve(provider.list().getFirst().ref());
        WorkspaceSnapshots own = workspace.snapshots().orElseThrow();
        untilItFits("snapshot", () -> {
            own.snapshot("taken");
            snapshots++;
        });
        untilItFits("restore", () -> {
            own.restore(own.list().getFirst().id());
            workspaces++;
        });
        untilItFits("branch", () -> {
            own.branch();
            workspaces++;
        });
        fill(0);
        workspace.close();
        for (WorkspaceEntry entry : provider.list()) {
            provider.remove(entry.ref());
        }
        require(names(root).isEmpty(), "the root has " + names(root));
        System.out.println("closed all");
    }

    private void untilItFits(String what, Operation operation) throws IOException {
        for (int pages = 0; pages < MAX_PAGES; pages++) {
            fill(pages);
            boolean fits = fits(what, operation);
            Files.delete(disk.resolve("filler"));
            everythingIsWhole(what + " with " + pages + " free pages");
            if (fits) {
                System.out.println(what + ": complete after " + pages + " faults");
                return;
            }
        }
        throw new IllegalStateException(what + " needs more than " + MAX_PAGES + " pages");
    }

    /** Leaves so many free pages. */
    private void fill(int pages) throws IOException {
        Path filler = disk.resolve("filler");
        Files.write(filler, new byte[0]);
        long free = Files.getFileStore(disk).getUsableSpace() / PAGE;
        Files.write(filler, new byte[Math.toIntExact((free - pages) * PAGE)]);
        require(Files.getFileStore(disk).getUsableSpace() / PAGE == pages, "the disk is not as full as it should be");
    }

    private static boolean fits(String what, Operation operation) {
        try {
            operation.run();
            return true;
        } catch (IOException | WorkspaceFailedException full) {
            String message = String.valueOf(full.getMessage());
            if (!message.toLowerCase(Locale.ROOT).contains("no space left on")) {
                throw new IllegalStateException(what + " has failed for another reason, or does not say why", full);
            }
            return false;
        }
    }

    private void everythingIsWhole(String when) throws IOException {
        List<String> names = names(root);
        require(names.stream().allMatch(name -> name.matches("[0-9a-v]{26}")), when + ": the root has " + names);
        require(names.size() == workspaces, when + ": there are " + names.size() + " workspaces");
        require(provider.list().size() == workspaces, when + ": there are other workspaces than directories");
        int found = 0;
        for (WorkspaceEntry entry : provider.list()) {
            require(contents(entry.files()).equals(seed), when + ": a workspace is not whole");
            Path store = entry.files().resolveSibling("snapshots");
            if (Files.exists(store)) {
                Snapshots all = Snapshots.of(entry.files()).store(store).open();
                require(all.verify().isEmpty(), when + ": damaged: " + all.verify());
                found += all.list().size();
            }
        }
        require(found == snapshots, when + ": there are " + found + " snapshots");
    }

    private static List<String> names(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(directory)) {
            return all.map(path -> path.getFileName().toString()).toList();
        }
    }

    private static String contents(Path tree) throws IOException {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
                text.append(tree.relativize(file)).append(Files.readString(file));
            }
        }
        return text.toString();
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }
}
