/**
 * SPI for executors whose commands run on a remote system that is reachable by byte streams alone:
 * the channel to a shell there.
 */
@Api(status = Api.Status.EXPERIMENTAL, audience = "SPI: for authors of executors")
@NullMarked
package dev.paddock.executor.remote;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
