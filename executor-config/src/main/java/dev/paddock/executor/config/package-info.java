/**
 * Reads what a sandbox grants from a file. {@link dev.paddock.executor.config.SandboxConfig} is the
 * entry.
 *
 * <p>More than fifteen classes: seven are the public interface, and the others read, lay over each other
 * and check the layers behind it, each visible to no other package.
 */
@Api(status = Api.Status.EXPERIMENTAL, audience = "API: for programs that run commands")
@NullMarked
package dev.paddock.executor.config;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
