/**
 * For Paddock's executors alone: the protocol of slots and of the control shell. A slot is a shell
 * that was started in the place beforehand and runs one command; the control shell delivers signals
 * there.
 */
@NullMarked
package dev.paddock.executor.remote.shell;

import org.jspecify.annotations.NullMarked;
