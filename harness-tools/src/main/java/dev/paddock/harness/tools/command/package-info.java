/**
 * Runs a session's commands: which are allowed, how they are started, awaited, bounded and audited.
 */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.harness.tools.command;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
