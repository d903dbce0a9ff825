/** The executor that runs commands on the host itself, without isolation. */
@Api(status = Api.Status.STABLE, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.executor.host;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
