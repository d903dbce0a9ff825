package dev.paddock.executor.bwrap;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.os.state.PrivateState;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

/**
 * An executor's private directories.
 *
 * @param tmp what commands see as {@code /tmp}
 * @param home what they see as their home
 * @param etc what they see as {@code /etc}
 */
record PrivateDirectories(Path tmp, Path home, Path etc) {

    /**
     * Creates them.
     *
     * @param state the executor's own directory
     * @param network the network that the sandbox reaches
     * @param hasNameServer whether Paddock serves its name server
     */
    static PrivateDirectories create(PrivateState state, NetworkPolicy network, boolean hasNameServer)
            throws IOException {
        PrivateDirectories created = new PrivateDirectories(
                state.makeDirectory("tmp"), state.makeDirectory("home"), state.makeDirectory("etc"));
        Files.setAttribute(created.tmp, "unix:mode", 01777);
        Files.setPosixFilePermissions(created.etc, PosixFilePermissions.fromString("rwxr-xr-x"));
        SyntheticEtc.furnish(created.etc, network, hasNameServer, BwrapPlan.HOME);
        return created;
    }

    /**
     * Creates the worktree's other name as a link in {@code /tmp} as commands see it, if it lies there and is no mount
     * point: bubblewrap would create one on the host, through the link.
     */
    void link(SandboxPolicy policy) throws IOException {
        String name = policy.alias().filter(alias -> alias.startsWith("/tmp/")).orElse("");
        String target = policy.worktree().commandPath();
        boolean isFree = Stream.concat(
                        Stream.of(target), policy.mounts().stream().map(Mount::target))
                .noneMatch(place -> (place + "/").startsWith(name + "/"));
        if (!name.isEmpty() && isFree) {
            Path link = tmp.resolve(name.substring("/tmp/".length()));
            Files.createDirectories(link.resolveSibling(""));
            Files.createSymbolicLink(link, Path.of(target));
        }
    }

    boolean owns(Path path) {
        return path.startsWith(tmp) || path.startsWith(home) || path.startsWith(etc);
    }

    /**
     * Creates missing directories below the private ones.
     *
     * @param directories the directories, parents first
     * @throws ExecutorException if one cannot be created, or a command has replaced it
     */
    static void require(List<Path> directories) {
        for (Path directory : directories) {
            try {
                if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
                    Files.createDirectory(directory);
                }
            } catch (IOException fault) {
                throw new ExecutorException(
                        "a mount point cannot be made below '" + directory + "', in the executor's own directory: "
                                + FileFaults.reason(fault) + "; make a new executor, or choose another target",
                        fault);
            }
        }
    }
}
