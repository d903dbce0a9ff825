package dev.paddock.harness.acp;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Opens the sessions that an editor asks for. Methods are called by several threads at once.
 *
 * @since 0.1
 */
public interface AcpSessions {

    /**
     * Opens a session, new or stored.
     *
     * @param opening what the editor asks for
     * @return the session, which the server closes
     * @throws AcpRefusedException if it cannot be opened
     */
    AcpSession open(AcpOpening opening);

    /**
     * Returns the stored sessions, the last used first.
     *
     * @param cwd those that worked in this directory; empty for all
     * @param open the names of the sessions that the server has open; they must be left out, and their
     *     files not be read
     * @return the sessions
     * @throws AcpRefusedException if they cannot be read
     */
    List<AcpListing> stored(Optional<Path> cwd, List<String> open);
}
