namespace Mux.Serialization.Oracles.Contracts;

/// <summary>A positional record without attributes: a tuple.</summary>
public sealed record Label(int Count, string? Name)
{
    public int Count { get; } = Count;

    public string? Name { get; } = Name;
}
