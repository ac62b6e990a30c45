namespace Mux.ProtocolCases.Running;

/// <summary>A violation of the protocol by the peer.</summary>
/// <param name="got">Action of the peer.</param>
internal sealed class SpecFailure(string got) : Exception(got)
{
    /// <summary>Step of the violation; null if no case was played.</summary>
    public SpecStep? Step { get; set; }

    /// <summary>True if there was not even a connection.</summary>
    public bool IsUnreachable { get; init; }

    /// <summary>True if the peer does not speak this protocol.</summary>
    public bool IsForeign { get; init; }

    /// <summary>True if the peer did one of two valid things and the case needs the other one, which may happen on another connection.</summary>
    public bool IsByChance { get; init; }

    /// <summary>True if the peer requires authentication and rejected this side.</summary>
    public bool IsRefusal { get; init; }
}
