package dev.paddock.executor.bwrap;

import dev.paddock.executor.sandbox.state.PrivateState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

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
     * @param network whether the sandbox reaches the network
     */
    static PrivateDirectories create(PrivateState state, boolean network) throws IOException {
        PrivateDirectories created = new PrivateDirectories(
                state.makeDirectory("tmp"), state.makeDirectory("home"), state.makeDirectory("etc"));
        Files.setAttribute(created.tmp, "unix:mode", 01777);
        Files.setPosixFilePermissions(created.etc, PosixFilePermissions.fromString("rwxr-xr-x"));
        SyntheticEtc.furnish(created.etc, network, BwrapPlan.HOME);
        return created;
    }

    boolean owns(Path path) {
        return path.equals(tmp) || path.equals(home) || path.equals(etc);
    }
}
