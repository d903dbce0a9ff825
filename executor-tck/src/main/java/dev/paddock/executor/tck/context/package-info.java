/**
 * The tools of a contract test: commands, their process trees and streams, and the host's view of
 * them.
 */
@NullMarked
package dev.paddock.executor.tck.context;

import org.jspecify.annotations.NullMarked;
