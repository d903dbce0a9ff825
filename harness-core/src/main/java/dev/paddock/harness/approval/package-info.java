/** Approvals: a program decides about each tool call before it is carried out. */
@Api(status = Api.Status.STABLE, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.harness.approval;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
