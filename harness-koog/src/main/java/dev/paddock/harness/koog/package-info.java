/** The shell of Koog's agents. */
@Api(status = Api.Status.STABLE, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.harness.koog;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
