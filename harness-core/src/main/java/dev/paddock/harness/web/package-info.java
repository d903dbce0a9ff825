/** Tools that reach the web from the host. */
@NullMarked
package dev.paddock.harness.web;

import org.jspecify.annotations.NullMarked;
