package dev.paddock.executor.tck.layer;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the row of {@link Layer} that selects a class's tests. A class without it runs every test. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface ProvenBy {
    /** The row. */
    Layer value();
}
