/**
 * Runs commands somewhere: on the host, in a kernel sandbox, in a container.
 *
 * <p>{@link dev.paddock.executor.CommandExecutor} is the one interface that an implementer writes,
 * {@link dev.paddock.executor.ProcessLike} what it hands back. The clauses C1 to C17 that their documentation refers to are
 * proven, clause by clause, by the contract suite in the module {@code dev.paddock.executor.tck}.
 */
@Api(status = Api.Status.STABLE, audience = "API: for programs that run commands. SPI: for authors of executors")
@NullMarked
package dev.paddock.executor;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
