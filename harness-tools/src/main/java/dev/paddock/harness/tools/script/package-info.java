/** A tool that gives code to an interpreter where the session's commands run. */
@Api(status = Api.Status.STABLE, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.harness.tools.script;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
