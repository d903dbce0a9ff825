@NullMarked
package dev.paddock.harness.micrometer;

import org.jspecify.annotations.NullMarked;
