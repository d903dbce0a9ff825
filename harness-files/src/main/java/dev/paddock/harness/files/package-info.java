/**
 * Contained access to files: every path is walked component by component from a directory that is
 * held open, so that no link leads out, not even one created during the call.
 *
 * <p>More than fifteen classes: an open directory is passed from the walk to each operation, and is
 * visible to no other package, since code that holds it can leave the contained tree.
 */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.harness.files;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
