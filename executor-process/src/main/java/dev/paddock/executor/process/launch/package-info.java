/** Starts processes: by posix_spawn where the C library can, by the JDK elsewhere. */
@Api(status = Api.Status.EXPERIMENTAL, audience = "SPI: for authors of executors")
@NullMarked
package dev.paddock.executor.process.launch;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
