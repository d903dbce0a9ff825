/**
 * Starting, supervising and ending process trees: what every executor that runs local processes builds on.
 *
 * <p>The seam is an argument list, an environment, a directory, chosen descriptors and a thread to launch from
 * ({@link dev.paddock.executor.process.LaunchSpec}, {@link dev.paddock.executor.process.LaunchThread}) in; a supervised
 * {@link dev.paddock.executor.ProcessLike} out ({@link dev.paddock.executor.process.Supervisor}).
 */
@Api(status = Api.Status.EXPERIMENTAL, audience = "SPI: for authors of executors that start local processes")
@NullMarked
package dev.paddock.executor.process;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
