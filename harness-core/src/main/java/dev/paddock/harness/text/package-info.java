/** What tools have in common in what they tell the model: the schemas of their arguments, and texts that are cut. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.harness.text;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
