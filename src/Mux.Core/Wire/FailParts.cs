namespace Mux.Wire;

/// <summary>Optional parts of a received FAIL, after its text.</summary>
/// <remarks>A view of the payload: nothing is copied, and a FAIL without optional parts costs nothing.</remarks>
internal readonly ref struct FailParts
{
    /// <summary>Metadata block for <see cref="MetadataBlock.Decode"/>; empty if there is none or it exceeds this side's limit.</summary>
    public ReadOnlySpan<byte> Metadata { get; init; }

    /// <summary>True if the metadata exceeds this side's limit: the failure is reported without it.</summary>
    public bool IsMetadataOverLimit { get; init; }

    /// <summary>The contract's number of the detail's type; 0 if there is no detail.</summary>
    public ushort DetailNumber { get; init; }

    /// <summary>The encoded detail.</summary>
    public ReadOnlySpan<byte> Detail { get; init; }
}
