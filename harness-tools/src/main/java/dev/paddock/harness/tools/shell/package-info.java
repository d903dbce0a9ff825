/** The shell tools: bash, background shells, and the tools that read and terminate them. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.harness.tools.shell;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
