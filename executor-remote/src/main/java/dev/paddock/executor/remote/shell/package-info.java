/**
 * For Paddock's executors alone: the protocol of slots and of the control shell. A slot is a remote shell that is
 * started in advance and runs one command; the control shell delivers signals there.
 */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.remote.shell;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
