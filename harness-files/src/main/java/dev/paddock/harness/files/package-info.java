/**
 * Contained access to files: every path is walked component by component from an open directory, so that no link leads
 * out, not even one created during the call.
 *
 * <p>More than fifteen classes: an open directory is passed from the walk to each operation, and no other package sees
 * it, since it leads out of the contained tree.
 */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.harness.files;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
