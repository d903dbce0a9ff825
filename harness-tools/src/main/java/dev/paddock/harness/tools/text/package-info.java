/** Texts for the model: the schemas of tools' arguments, and excerpts. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.harness.tools.text;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
