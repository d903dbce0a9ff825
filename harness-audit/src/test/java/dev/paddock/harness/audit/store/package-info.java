@NullMarked
package dev.paddock.harness.audit.store;

import org.jspecify.annotations.NullMarked;
