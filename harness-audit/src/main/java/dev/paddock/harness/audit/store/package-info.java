/**
 * A tamper-evident store of audit records, in one SQLite database that several processes append to:
 * {@link dev.paddock.harness.audit.store.AuditStore}.
 *
 * <p>More than fifteen classes: the chain, its keys and its two ends are verified together, and no other package may
 * write any of them.
 */
@Api(status = Api.Status.EXPERIMENTAL, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.harness.audit.store;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
