namespace Mux.Generators.Tests.Containers;

/// <summary>What is particular about a collection.</summary>
public enum CollectionForm
{
    List,

    /// <summary>In the order of addition, without duplicates.</summary>
    Set,

    /// <summary>In the order of the items.</summary>
    Sorted,

    /// <summary>In the order of hashes.</summary>
    Hashed,

    /// <summary>The last added is the first.</summary>
    Stack,

    /// <summary>In no order.</summary>
    Bag,

    /// <summary>An immutable array, which is never null.</summary>
    Struct,

    /// <summary>Without a count.</summary>
    Uncounted,

    /// <summary>A stack without a count.</summary>
    ImmutableStack,
}
