package dev.paddock.executor.worktree;

import java.nio.file.Path;
import java.util.function.Predicate;

/**
 * Where the journals are, and what the session's backend knows about containers.
 *
 * @param directory the directory of all journals; created if it does not exist
 * @param ended ends a container of a killed session whose processes this machine does not show, and
 *     returns whether it has ended; false if that is not known
 */
record JournalPlace(Path directory, Predicate<SessionContainer> ended) {}
