namespace Mux.ProtocolCases.Running;

/// <summary>The peer did something else than the protocol says.</summary>
/// <param name="got">What it did.</param>
internal sealed class SpecFailure(string got) : Exception(got)
{
    /// <summary>The step at which it did; null where no case was played.</summary>
    public SpecStep? Step { get; set; }

    /// <summary>Whether there was not even a connection.</summary>
    public bool IsUnreachable { get; init; }

    /// <summary>Whether what is there does not speak this protocol.</summary>
    public bool IsForeign { get; init; }

    /// <summary>Whether the peer did one of two right things, and the case needs the other one: it may do that on another connection.</summary>
    public bool IsByChance { get; init; }

    /// <summary>Whether the peer wants to know who this side is, and was not satisfied.</summary>
    public bool IsRefusal { get; init; }
}
