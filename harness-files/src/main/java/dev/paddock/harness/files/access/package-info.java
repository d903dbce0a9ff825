/**
 * The rules of access to files, and the exceptions that report a refused or failed access:
 * {@link dev.paddock.harness.files.access.FileRoot} names a directory that may be used,
 * {@link dev.paddock.harness.files.access.AccessRules} what in it may be read and written.
 */
@Api(status = Api.Status.STABLE, audience = "API: for programs that give others access to files")
@NullMarked
package dev.paddock.harness.files.access;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
