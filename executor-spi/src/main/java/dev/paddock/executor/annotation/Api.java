package dev.paddock.executor.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * States the audience of a package and its stability. Every exported package has this annotation. A
 * type without it has its package's status; a type whose status differs has its own.
 *
 * @since 0.1
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.PACKAGE, ElementType.TYPE})
public @interface Api {

    /**
     * Returns the stability of the package or type.
     *
     * @return the status
     */
    Status status();

    /**
     * Returns the audience of the package.
     *
     * @return a sentence that begins with "API:", "SPI:" or "Internal:"; may be empty on a type,
     *     which then has its package's audience
     */
    String audience() default "";

    /** The stability of a package or type. */
    enum Status {
        /**
         * Incompatible changes only come with a new major version; before 1.0.0, with a new minor
         * version.
         */
        STABLE,
        /** May change or be removed with every release. */
        EXPERIMENTAL,
        /** For Paddock's own modules. May change at any time. */
        INTERNAL
    }
}
