/** Workspaces that are directories of this machine, with any of its sandboxes. */
@Api(status = Api.Status.EXPERIMENTAL, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.harness.workspace.directory;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
