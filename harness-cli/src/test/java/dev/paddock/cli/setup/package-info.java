@NullMarked
package dev.paddock.cli.setup;

import org.jspecify.annotations.NullMarked;
