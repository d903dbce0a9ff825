@NullMarked
package dev.paddock.cli.workspace;

import org.jspecify.annotations.NullMarked;
