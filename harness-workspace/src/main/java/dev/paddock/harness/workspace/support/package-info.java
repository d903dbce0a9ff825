/** Strict JSON, locks and calls that callers share. */
@NullMarked
package dev.paddock.harness.workspace.support;

import org.jspecify.annotations.NullMarked;
