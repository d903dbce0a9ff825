/**
 * Runs commands on the host, in a kernel sandbox or in a container.
 *
 * <p>{@link dev.paddock.executor.CommandExecutor} is the one interface to implement; it returns a
 * {@link dev.paddock.executor.ProcessLike} for each command. The clauses C1 to C20 that their
 * documentation refers to are tested, clause by clause, by the contract suite in the module
 * {@code dev.paddock.executor.tck}.
 *
 * <p>More than fifteen classes, because a program or an executor imports from this package alone: the
 * interface, its values, and the exceptions that it throws. The types of a run refer to them and
 * are referred to by the interface, so that a package of their own would be a cycle.
 */
@Api(status = Api.Status.STABLE, audience = "API: for programs that run commands. SPI: for authors of executors")
@NullMarked
package dev.paddock.executor;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
