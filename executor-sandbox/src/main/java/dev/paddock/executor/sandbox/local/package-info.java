/**
 * The common options and methods of this machine's executors, whose classes extend the types of this package; programs
 * use them through those classes.
 */
@Api(status = Api.Status.STABLE, audience = "API: for users of the executors of this machine")
@NullMarked
package dev.paddock.executor.sandbox.local;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
