/** Reads the content of files as lines, recognizes files that are not text, and searches text within a time limit. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.harness.files.content;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
