/** Acts on files that commands can reach: relative to open directories, following no link. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.os.file;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
