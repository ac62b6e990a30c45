namespace Mux.Walk.Tests.Law;

/// <summary>A type with all that it declares inside, and what its compiled code names.</summary>
internal sealed class CodeType
{
    public required string Assembly { get; init; }

    public required string Name { get; init; }

    /// <summary>Where the law sees it.</summary>
    public required Place Place { get; init; }

    /// <summary>The type of the same assembly that it derives from; null if it derives from another.</summary>
    public required string? Base { get; init; }

    /// <summary>Whether only subclasses of it have instances, or it has none.</summary>
    public required bool IsAbstract { get; init; }

    /// <summary>Types of Mux, as assembly and full name: <c>Mux.Core/Mux.MuxChannel</c>.</summary>
    public HashSet<string> Names { get; } = [];

    /// <summary>Full names of types of the framework and of other libraries.</summary>
    public HashSet<string> Foreign { get; } = [];

    public string Key => $"{Assembly}/{Name}";

    /// <summary>The name without namespace, which moves change.</summary>
    public string ShortName => Name[(Name.LastIndexOf('.') + 1)..];
}
