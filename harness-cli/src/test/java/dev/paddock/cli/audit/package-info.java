@NullMarked
package dev.paddock.cli.audit;

import org.jspecify.annotations.NullMarked;
