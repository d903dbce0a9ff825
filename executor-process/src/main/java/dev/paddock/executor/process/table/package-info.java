/**
 * Lists the processes of this machine: their parents, sessions, groups and markers, as the platform
 * reports them.
 */
@Api(status = Api.Status.EXPERIMENTAL, audience = "SPI: for authors of executors")
@NullMarked
package dev.paddock.executor.process.table;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
