/**
 * A tamper-evident store of audit records, in one SQLite database that several processes append to:
 * {@link dev.paddock.harness.audit.store.AuditStore}.
 */
@Api(status = Api.Status.EXPERIMENTAL, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.harness.audit.store;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
