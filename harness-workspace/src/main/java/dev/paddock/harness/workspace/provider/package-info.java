/** Workspaces: a directory, the sandbox of its commands, and a reference that finds both later. */
@Api(status = Api.Status.EXPERIMENTAL, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.harness.workspace.provider;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
