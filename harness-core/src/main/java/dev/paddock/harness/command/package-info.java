/** Commands of a session: how they are started, waited for, bounded and told of. */
@NullMarked
package dev.paddock.harness.command;

import org.jspecify.annotations.NullMarked;
