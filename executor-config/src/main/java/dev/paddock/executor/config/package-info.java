/**
 * Reads what a sandbox grants from a file. {@link dev.paddock.executor.config.SandboxConfig} is the
 * entry.
 */
@Api(status = Api.Status.EXPERIMENTAL, audience = "API: for programs that run commands")
@NullMarked
package dev.paddock.executor.config;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
