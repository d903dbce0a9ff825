/**
 * Tests that need a JVM of their own: to be killed, as another user, or under another kernel
 * setting.
 */
@Api(status = Api.Status.STABLE, audience = "SPI: for authors of executors, to test them")
@NullMarked
package dev.paddock.executor.tck.jvm;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
