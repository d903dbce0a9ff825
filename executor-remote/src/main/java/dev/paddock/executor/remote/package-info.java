/**
 * SPI for executors whose commands run on a remote system that only byte streams reach: the channel to a remote shell.
 */
@Api(status = Api.Status.EXPERIMENTAL, audience = "SPI: for authors of executors")
@NullMarked
package dev.paddock.executor.remote;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
