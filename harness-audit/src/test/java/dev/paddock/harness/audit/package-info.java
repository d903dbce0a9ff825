@NullMarked
package dev.paddock.harness.audit;

import org.jspecify.annotations.NullMarked;
