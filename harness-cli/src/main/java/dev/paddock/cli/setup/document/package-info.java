/** The text of settings files in JSON and TOML, changed in place: comments and order stay. */
@NullMarked
package dev.paddock.cli.setup.document;

import org.jspecify.annotations.NullMarked;
