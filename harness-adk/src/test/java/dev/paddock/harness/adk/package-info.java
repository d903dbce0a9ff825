@NullMarked
package dev.paddock.harness.adk;

import org.jspecify.annotations.NullMarked;
