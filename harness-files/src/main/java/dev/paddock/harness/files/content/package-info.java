/** Reads the content of files as lines, and recognizes files that are not text. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.harness.files.content;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
