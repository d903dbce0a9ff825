package dev.paddock.executor.bwrap;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.bwrap.BwrapPlan.Rooms;
import dev.paddock.executor.sandbox.state.PrivateState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * Creates an executor's private directories, which its commands see as {@code /tmp}, home and
 * {@code /etc}.
 */
final class PrivateDirectories {
    private PrivateDirectories() {}

    /**
     * Creates them.
     *
     * @param state the executor's own directory
     * @param network whether the sandbox reaches the network
     */
    static Rooms make(PrivateState state, boolean network) throws IOException {
        Rooms rooms = new Rooms(state.makeDirectory("tmp"), state.makeDirectory("home"), state.makeDirectory("etc"));
        Files.setAttribute(rooms.tmp(), "unix:mode", 01777);
        readable(rooms.etc());
        SyntheticEtc.furnish(rooms.etc(), network, BwrapPlan.HOME);
        return rooms;
    }

    /**
     * Creates directories below the private ones that are missing.
     *
     * @param directories the directories, parents first
     * @throws ExecutorException if one cannot be created, or a command has put something else in its
     *     place
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
                                + fault + "; make a new executor, or choose another target",
                        fault);
            }
        }
    }

    private static void readable(Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
