@NullMarked
package dev.paddock.cli.sessions;

import org.jspecify.annotations.NullMarked;
