/** PDF files as text. */
@Api(status = Api.Status.STABLE, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.harness.pdf;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
