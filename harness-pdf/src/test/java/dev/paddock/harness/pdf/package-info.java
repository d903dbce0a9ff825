@NullMarked
package dev.paddock.harness.pdf;

import org.jspecify.annotations.NullMarked;
