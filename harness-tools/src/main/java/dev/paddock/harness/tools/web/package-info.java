/** The tools that access the web from the host. */
@Api(status = Api.Status.STABLE, audience = "API: for programs that use Paddock. SPI: for authors of tools")
@NullMarked
package dev.paddock.harness.tools.web;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
