/**
 * Launches commands in processes that were started beforehand: the command request, the stubs that
 * receive it, and the pool of warm slots.
 */
@Api(status = Api.Status.EXPERIMENTAL, audience = "SPI: for authors of executors")
@NullMarked
package dev.paddock.executor.process.warm;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
