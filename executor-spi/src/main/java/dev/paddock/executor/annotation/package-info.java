/** The annotation by which packages and types state their API status. */
@Api(
        status = Api.Status.STABLE,
        audience = "API: for readers of the documentation, and for tools that compare releases")
@NullMarked
package dev.paddock.executor.annotation;

import org.jspecify.annotations.NullMarked;
