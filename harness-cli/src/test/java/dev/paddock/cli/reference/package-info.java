@NullMarked
package dev.paddock.cli.reference;

import org.jspecify.annotations.NullMarked;
