/**
 * The network by name: a command reaches the hosts that the policy names, through sockets that the JVM opens inside the
 * sandbox's network namespace.
 */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.network;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
