/**
 * Timers and counters of commands: {@link dev.paddock.harness.micrometer.MeteredExecutor} registers
 * them with a Micrometer registry.
 */
@Api(status = Api.Status.EXPERIMENTAL, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.harness.micrometer;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
