/**
 * The agent session: its loop, its events and the model port.
 *
 * <p>Of its more than fifteen classes six are public; one builder assembles the others, which only this package sees.
 */
@Api(status = Api.Status.STABLE, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.harness;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
