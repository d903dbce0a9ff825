/** A custom executor in one line: its commands start through a program that its author chooses. */
@Api(status = Api.Status.EXPERIMENTAL, audience = "SPI: for authors of executors")
@NullMarked
package dev.paddock.executor.process;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
