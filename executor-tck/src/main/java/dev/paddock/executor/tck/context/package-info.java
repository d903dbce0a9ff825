/** What a test of the contract works with: commands, their trees and streams, and the host's view of them. */
@NullMarked
package dev.paddock.executor.tck.context;

import org.jspecify.annotations.NullMarked;
