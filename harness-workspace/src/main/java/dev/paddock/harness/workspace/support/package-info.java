/** Strict JSON, locks and shared calls. */
@NullMarked
package dev.paddock.harness.workspace.support;

import org.jspecify.annotations.NullMarked;
