/** The file tools: read, edit, write, grep, find and ls. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.harness.tools.files;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
