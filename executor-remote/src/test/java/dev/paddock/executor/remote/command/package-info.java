@NullMarked
package dev.paddock.executor.remote.command;

import org.jspecify.annotations.NullMarked;
