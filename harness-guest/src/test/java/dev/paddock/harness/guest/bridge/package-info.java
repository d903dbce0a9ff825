/** Tests of the processes of guests and their files. */
@NullMarked
package dev.paddock.harness.guest.bridge;

import org.jspecify.annotations.NullMarked;
