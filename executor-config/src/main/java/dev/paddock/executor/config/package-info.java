/**
 * Reads what a sandbox grants from a file. {@link dev.paddock.executor.config.SandboxConfig} is the entry.
 *
 * <p>Of its more than fifteen classes seven are public; the others read, merge and check the layers behind them, which
 * only this package sees.
 */
@Api(status = Api.Status.EXPERIMENTAL, audience = "API: for programs that run commands")
@NullMarked
package dev.paddock.executor.config;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
