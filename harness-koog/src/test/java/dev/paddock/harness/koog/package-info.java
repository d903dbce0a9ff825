@NullMarked
package dev.paddock.harness.koog;

import org.jspecify.annotations.NullMarked;
