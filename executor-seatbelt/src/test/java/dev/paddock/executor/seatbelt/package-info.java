@NullMarked
package dev.paddock.executor.seatbelt;

import org.jspecify.annotations.NullMarked;
