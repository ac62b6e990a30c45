namespace Mux.Generators.Messages.Models;

/// <summary>Ways to create an object before its members are read.</summary>
internal enum Construction
{
    /// <summary>A struct: all zero, as protobuf-net makes it.</summary>
    Default,

    /// <summary>By its parameterless constructor.</summary>
    New,

    /// <summary>By a parameterless constructor that is not accessible, or that would require setting required members.</summary>
    Accessor,

    /// <summary>Without any constructor.</summary>
    Uninitialized,

    /// <summary>After all members were read, by a constructor that takes them.</summary>
    Parameters,
}
