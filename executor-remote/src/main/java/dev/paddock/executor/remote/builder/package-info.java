/**
 * The common options of executors of containers, pods and hosts, whose builders extend the types of this package;
 * programs use them through those builders.
 */
@Api(status = Api.Status.STABLE, audience = "API: for users of the remote executors")
@NullMarked
package dev.paddock.executor.remote.builder;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
