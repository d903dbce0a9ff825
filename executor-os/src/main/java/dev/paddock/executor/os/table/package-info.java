/** Lists this machine's processes with their parents, sessions, groups and markers, as the platform reports them. */
@Api(status = Api.Status.INTERNAL, audience = "Internal: for Paddock's own modules, may change at any time")
@NullMarked
package dev.paddock.executor.os.table;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
