/** The audit trail on the command line: the records that commands leave, and {@code paddock audit}. */
@NullMarked
package dev.paddock.cli.audit;

import org.jspecify.annotations.NullMarked;
