package dev.paddock.executor.kubernetes.source;

import dev.paddock.executor.kubernetes.cluster.PodConnection;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.remote.ShellChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;

/** Proves that the host and a pod share a directory: the pod reads what the host has just written. */
final class SharedDirectoryProof {
    private SharedDirectoryProof() {}

    /**
     * Requires that they share it.
     *
     * @throws dev.paddock.executor.SandboxUnavailableException if they do not
     */
    static void require(PodConnection pod, PathMapping worktree) {
        String secret = UUID.randomUUID().toString();
        Path file = worktree.hostPath().resolve(".paddock-probe-" + secret.substring(0, 8));
        String seen;
        try {
            Files.writeString(file, secret + "\n", StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            seen = read(pod, worktree.commandPath() + "/" + file.getFileName());
        } catch (IOException fault) {
            throw ManagedPodSource.unusable(
                    "whether the pod has the worktree '" + worktree.hostPath() + "' could not be found out: "
                            + FileFaults.reason(fault),
                    "Make the worktree writable, or look at the pod.");
        } finally {
            delete(file);
        }
        if (!seen.strip().equals(secret)) {
            throw ManagedPodSource.unusable(
                    "the pod's volume at '" + worktree.commandPath() + "' is not the worktree '" + worktree.hostPath()
                            + "': a file that was just written there is not seen in the pod",
                    "Name the claim and the path under which the pod's node has this very directory.");
        }
    }

    private static String read(PodConnection pod, String path) throws IOException {
        try (ShellChannel reader =
                pod.open(List.of("sh", "-c", "read -r line <\"$1\" && echo \"$line\"", "sh", path))) {
            return reader.readText();
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException fault) {
            throw ManagedPodSource.unusable(
                    "'" + file + "' could not be removed: " + FileFaults.reason(fault), "Remove it.");
        }
    }
}
