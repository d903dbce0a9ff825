/** Copies a directory tree, and keeps snapshots of it in a store. */
@Api(status = Api.Status.EXPERIMENTAL, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.harness.workspace.snapshot;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
