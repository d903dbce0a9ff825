/** The model port: requests, turns, failures, and a model that replays a script. */
@Api(status = Api.Status.STABLE, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.harness.model;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
