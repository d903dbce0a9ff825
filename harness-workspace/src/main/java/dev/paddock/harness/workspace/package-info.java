/** The results and faults of copies and snapshots of a directory tree. */
@Api(status = Api.Status.EXPERIMENTAL, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.harness.workspace;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
