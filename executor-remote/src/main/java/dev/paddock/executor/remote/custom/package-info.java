/**
 * SPI for executors whose commands run on a remote system that only byte streams reach: a whole executor over the
 * channels that the author opens.
 */
@Api(status = Api.Status.EXPERIMENTAL, audience = "SPI: for authors of executors")
@NullMarked
package dev.paddock.executor.remote.custom;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
