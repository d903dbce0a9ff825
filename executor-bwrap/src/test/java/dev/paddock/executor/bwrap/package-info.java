@org.jspecify.annotations.NullMarked
package dev.paddock.executor.bwrap;
