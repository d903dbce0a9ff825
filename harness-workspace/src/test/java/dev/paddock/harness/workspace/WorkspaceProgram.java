package dev.paddock.harness.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.harness.workspace.directory.DirectoryWorkspaceProvider;
import dev.paddock.harness.workspace.directory.WorkspaceEntry;
import dev.paddock.harness.workspace.provider.Capability;
import dev.paddock.harness.workspace.provider.Workspace;
import dev.paddock.harness.workspace.provider.WorkspaceConfig;
import dev.paddock.harness.workspace.provider.WorkspaceEvictedException;
import dev.paddock.harness.workspace.provider.WorkspaceFailedException;
import dev.paddock.harness.workspace.provider.WorkspaceSnapshots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;

/**
 * Runs in a JVM of its own, and does everything that can be done with workspaces: one that is
 * killed, and several at once.
 */
final class WorkspaceProgram {
    private static final SecureRandom RANDOM = new SecureRandom();

    private WorkspaceProgram() {}

    static Process start(Kinds kind, String what, Path root, Path seed, int rounds) throws IOException {
        // A JVM that is killed while it tries a sandbox leaves a temporary directory.
        Path temporary = Files.createDirectories(root.resolveSibling("tmp"));
        return ChildProgram.startMain(
                WorkspaceProgram.class,
                List.of(),
                List.of("-Djava.io.tmpdir=" + temporary),
                what,
                root.toString(),
                seed.toString(),
                "" + rounds,
                kind.name());
    }

    public static void main(String[] arguments) throws Exception {
        Path root = Path.of(arguments[1]);
        Kinds kind = Kinds.valueOf(arguments[4]);
        WorkspaceConfig.Builder config = kind.config().copyOf(Path.of(arguments[2]));
        DirectoryWorkspaceProvider provider = kind.provider(root);
        switch (arguments[0]) {
            case "forever" -> forever(provider, config);
            case "rounds" -> rounds(provider, config, Integer.parseInt(arguments[3]));
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /** The shell takes most of the time: three of four workspaces have none. */
    private static Workspace open(DirectoryWorkspaceProvider provider, WorkspaceConfig.Builder config) {
        return provider.open(
                RANDOM.nextInt(4) == 0
                        ? config.capabilities(Capability.values()).build()
                        : config.capabilities(Capability.FILES, Capability.SNAPSHOTS)
                                .build());
    }

    /** Writes one label to two files: a workspace that has the second has both. */
    private static String label(Workspace workspace) {
        String label = Long.toHexString(RANDOM.nextLong());
        workspace.files().write("label2", label.getBytes(UTF_8));
        workspace.files().write("label", label.getBytes(UTF_8));
        return label;
    }

    private static void forever(DirectoryWorkspaceProvider provider, WorkspaceConfig.Builder config) throws Exception {
        say("ready");
        while (true) {
            Workspace workspace = open(provider, config);
            WorkspaceSnapshots snapshots = workspace.snapshots().orElseThrow();
            String first = snapshots.snapshot(label(workspace)).id();
            try (Workspace restored = provider.resolve(snapshots.restore(first))) {
                restored.snapshots().orElseThrow().branch();
            }
            workspace.suspend();
            List<WorkspaceEntry> all = provider.list();
            for (WorkspaceEntry entry : all.subList(0, Math.max(0, all.size() - 3))) {
                provider.remove(entry.ref());
            }
        }
    }

    /** Does something with one of the workspaces; another program may do so at the same time. */
    private static void rounds(DirectoryWorkspaceProvider provider, WorkspaceConfig.Builder config, int rounds)
            throws Exception {
        int done = 0;
        for (int round = 0; round < rounds; round++) {
            List<WorkspaceEntry> all = provider.list();
            try {
                if (all.size() < 3) {
                    open(provider, config).suspend();
                } else {
                    act(provider, all.get(RANDOM.nextInt(all.size())));
                }
                done++;
            } catch (WorkspaceEvictedException another) {
                say("evicted");
            } catch (WorkspaceFailedException another) {
                if (!another.isTransient()) {
                    throw another;
                }
                say("busy");
            }
        }
        say("done " + done);
    }

    private static void act(DirectoryWorkspaceProvider provider, WorkspaceEntry entry) throws Exception {
        if (RANDOM.nextInt(4) == 0) {
            provider.remove(entry.ref());
            return;
        }
        Workspace workspace = provider.resolve(entry.ref());
        try {
            WorkspaceSnapshots snapshots = workspace.snapshots().orElseThrow();
            switch (RANDOM.nextInt(4)) {
                case 0 -> snapshots.branch();
                case 1 -> snapshots.restore(snapshots.snapshot("taken").id());
                case 2 -> snapshots.snapshot(Long.toHexString(RANDOM.nextLong()));
                default -> workspace.close();
            }
        } finally {
            workspace.suspend();
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
