/** A session's tools as tool callbacks of Spring AI. */
@Api(status = Api.Status.STABLE, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.harness.springai;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
