namespace Mux.Wire;

/// <summary>What a FAIL that was read has behind its text.</summary>
/// <remarks>A view of the payload: nothing is copied, and a FAIL without them costs nothing.</remarks>
internal readonly ref struct FailParts
{
    /// <summary>The metadata block as <see cref="MetadataBlock.Decode"/> takes it; empty if there is none, or if it is above this side's limit.</summary>
    public ReadOnlySpan<byte> Metadata { get; init; }

    /// <summary>There is metadata, and more of it than this side takes: the failure is told without it.</summary>
    public bool IsMetadataOverLimit { get; init; }

    /// <summary>The number that the contract gives to the detail's type; 0 if there is no detail.</summary>
    public ushort DetailNumber { get; init; }

    /// <summary>The detail's encoding.</summary>
    public ReadOnlySpan<byte> Detail { get; init; }
}
