@NullMarked
package dev.paddock.harness.tools.hint;

import org.jspecify.annotations.NullMarked;
