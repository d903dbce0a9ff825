@NullMarked
package dev.paddock.executor.sandbox.policy;

import org.jspecify.annotations.NullMarked;
