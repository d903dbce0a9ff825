/**
 * Tests that need a JVM of their own: to be killed, as another user, or under another kernel
 * setting.
 */
@NullMarked
package dev.paddock.executor.tck.jvm;

import org.jspecify.annotations.NullMarked;
