/**
 * Launches commands in processes started beforehand: the command request, the stubs that receive it, and the pool of
 * warm slots.
 */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.process.warm;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
