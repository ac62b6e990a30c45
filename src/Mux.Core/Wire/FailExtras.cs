namespace Mux.Wire;

/// <summary>What a FAIL that is written takes along behind its text, as far as it fits.</summary>
internal readonly ref struct FailExtras
{
    /// <summary>Null if there is none.</summary>
    public MuxMetadata? Metadata { get; init; }

    /// <summary>The receiver's limit of metadata (setting 8).</summary>
    public int MaxMetadata { get; init; }

    /// <summary>The number that the contract gives to the detail's type; 0 if there is no detail.</summary>
    public ushort DetailNumber { get; init; }

    /// <summary>The detail's encoding.</summary>
    public ReadOnlySpan<byte> Detail { get; init; }

    /// <summary>Whether there is nothing to take along.</summary>
    public bool IsEmpty => DetailNumber == 0 && Metadata is not { Count: > 0 };

    /// <summary>Says what was left out, how long it is, and what there was room for.</summary>
    public string Describe(FailOmissions omitted)
    {
        var limit = $"text, metadata and detail of a failure share {ProtocolConstants.MaxFailLength} bytes";
        var detail = $"detail of {Detail.Length} bytes";
        if (omitted == FailOmissions.Detail) return $"{detail}: {limit}";
        int length = MetadataBlock.Measure(Metadata!, out int charge);
        var metadata = $"metadata of {Metadata!.Count} entries and {length} bytes, charged {charge}";
        limit = $"{limit}, and the caller takes metadata charged {MaxMetadata} bytes, at most {MuxMetadata.MaxEntries} entries";
        return omitted == FailOmissions.Metadata ? $"{metadata}: {limit}" : $"{detail} and {metadata}: {limit}";
    }
}
