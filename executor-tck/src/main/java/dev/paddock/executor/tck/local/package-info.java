/** The tests that sandboxes of the same machine have in common besides the contract. */
@Api(status = Api.Status.EXPERIMENTAL, audience = "SPI: for authors of sandboxes, in their tests")
@NullMarked
package dev.paddock.executor.tck.local;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
