/** Guesses what a misspelled word was meant to be. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for the paddock command")
@NullMarked
package dev.paddock.executor.config.spelling;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
