/** The doctor subcommand: probes the backends and reports the results. */
@NullMarked
package dev.paddock.cli.doctor;

import org.jspecify.annotations.NullMarked;
