/**
 * The rules of access to files, and the exceptions that report a refused or failed access:
 * {@link dev.paddock.harness.files.access.FileRoot} names a directory,
 * {@link dev.paddock.harness.files.access.AccessRules} what may be read and written in it.
 */
@Api(status = Api.Status.STABLE, audience = "API: for programs that give others access to files")
@NullMarked
package dev.paddock.harness.files.access;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
