/** Starts processes: with posix_spawn where the C library supports it, otherwise with the JDK. */
@Api(status = Api.Status.EXPERIMENTAL, audience = "SPI: for authors of executors")
@NullMarked
package dev.paddock.executor.process.launch;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
