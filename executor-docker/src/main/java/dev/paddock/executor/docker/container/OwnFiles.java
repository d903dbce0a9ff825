package dev.paddock.executor.docker.container;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Files of this machine that a managed container mounts for Paddock's own purposes.
 *
 * @param keepAlive the named pipe that keeps the container alive while it is open for writing; empty if the attached
 *     input does
 * @param users the list of users that commands see; empty for the image's
 */
public record OwnFiles(Optional<Path> keepAlive, Optional<Path> users) {
    /** None, for an engine that may not see this machine's files. */
    public static final OwnFiles NONE = new OwnFiles(Optional.empty(), Optional.empty());
}
