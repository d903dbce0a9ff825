/**
 * Records of commands and tool calls: {@link dev.paddock.harness.audit.AuditedExecutor} writes one
 * when a command starts and one when it has closed, to any
 * {@link dev.paddock.harness.audit.AuditSink}.
 */
@Api(status = Api.Status.EXPERIMENTAL, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.harness.audit;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
