/**
 * Contained access to the files of one or more directories:
 * {@link dev.paddock.harness.files.workspace.WorkspaceFiles}.
 */
@Api(status = Api.Status.STABLE, audience = "API: for programs that give others access to files")
@NullMarked
package dev.paddock.harness.files.workspace;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
