/** Skills: instructions for particular tasks, which the model reads when it needs one. */
@Api(status = Api.Status.STABLE, audience = "API: for programs that use Paddock. SPI: for authors of tools")
@NullMarked
package dev.paddock.harness.tools.skills;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
