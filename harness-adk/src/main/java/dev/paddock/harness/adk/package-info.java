/** The code executor of Google's Agent Development Kit. */
@Api(status = Api.Status.EXPERIMENTAL, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.harness.adk;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
