/** Acts on files that commands can reach: relative to open directories, following no link. */
@NullMarked
package dev.paddock.executor.process.file;

import org.jspecify.annotations.NullMarked;
