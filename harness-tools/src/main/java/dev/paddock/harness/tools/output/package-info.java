/**
 * Captures command output within bounds: the tail in memory, the whole in a file, exact totals, and
 * one rendering for all results.
 */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.harness.tools.output;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
