/** An executor of one's own in one line: its commands start behind a program that its author chooses. */
@Api(status = Api.Status.EXPERIMENTAL, audience = "SPI: for authors of executors")
@NullMarked
package dev.paddock.executor.process;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
