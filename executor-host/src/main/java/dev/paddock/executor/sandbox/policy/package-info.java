/** One check of a policy against what a backend can enforce, for every backend. */
@NullMarked
package dev.paddock.executor.sandbox.policy;

import org.jspecify.annotations.NullMarked;
