/**
 * For Paddock's executors alone: commands in a remote system that an executor reaches by remote shells, through slots
 * and a control shell.
 */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.remote.command;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
