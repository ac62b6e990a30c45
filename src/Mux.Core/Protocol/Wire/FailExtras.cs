namespace Mux.Protocol;

/// <summary>Optional parts of a FAIL to write after its text, as far as they fit.</summary>
internal readonly ref struct FailExtras
{
    /// <summary>The metadata, or null.</summary>
    public MuxMetadata? Metadata { get; init; }

    /// <summary>The receiver's metadata limit (setting 8).</summary>
    public int MaxMetadata { get; init; }

    /// <summary>The contract's number of the detail's type; 0 if there is no detail.</summary>
    public ushort DetailNumber { get; init; }

    /// <summary>The encoded detail.</summary>
    public ReadOnlySpan<byte> Detail { get; init; }

    /// <summary>True if there are no optional parts.</summary>
    public bool IsEmpty => DetailNumber == 0 && Metadata is not { Count: > 0 };

    /// <summary>Describes the omitted parts, their length and the limits.</summary>
    public string Describe(FailOmissions omitted)
    {
        var limit = $"text, metadata and detail of a failure share {ProtocolConstants.MaxFailLength} bytes";
        var detail = $"detail of {Detail.Length} bytes";
        if (omitted == FailOmissions.Detail) return $"{detail}: {limit}";
        int length = MetadataBlock.Measure(Metadata!, out int charge);
        var metadata = $"metadata of {Metadata!.Count} entries and {length} bytes, charged {charge}";
        limit = $"{limit}, and the caller accepts metadata charged at most {MaxMetadata} bytes and {MuxMetadata.MaxEntries} entries";
        return omitted == FailOmissions.Metadata ? $"{metadata}: {limit}" : $"{detail} and {metadata}: {limit}";
    }
}
