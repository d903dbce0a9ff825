/**
 * Values and callbacks of {@code CommandExecutor.run}: the input that a program gives, the output
 * that it keeps or receives. The package refers to none of the executor's types, which refer to it.
 */
@Api(status = Api.Status.STABLE, audience = "API: for programs that run commands")
@NullMarked
package dev.paddock.executor.run;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
