/**
 * Records of commands and tool calls: {@link dev.paddock.harness.audit.AuditedExecutor} hands a record of each launch
 * to any {@link dev.paddock.harness.audit.AuditSink} when the command has closed.
 */
@Api(status = Api.Status.EXPERIMENTAL, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.harness.audit;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
