using System.Buffers.Binary;

namespace Mux.Protocol;

/// <summary>FAIL (0x12): the call ended without a reply (PROTOCOL.md section 5).</summary>
/// <remarks>
/// <code>
/// status u8 | execution u8 | retry-after ms u32 | text length u16 | text, UTF-8 | metadata block, if flag META | detail: number u16, body; absent if nothing
/// is left
/// </code>
/// Metadata and detail are rare and kept separate: in <see cref="Parts"/> when read, in <see cref="FailExtras"/> when written.
/// </remarks>
internal readonly record struct FailFrame(byte Status, MuxExecution Execution, uint RetryAfterMilliseconds, string Text)
{
    private const int HeadLength = 8;
    private const int DetailNumberLength = 2;

    private static readonly MuxMetadata s_pause = PauseMark();

    /// <summary>
    /// True if the acceptor has no memory for the call at present: the initiator may send it again after the retry hint (PROTOCOL.md section 5.1). Written as a
    /// reserved entry of the metadata, because an older initiator ignores that.
    /// </summary>
    public bool IsPause { get; init; }

    /// <summary>The metadata that says so; null for other failures.</summary>
    public MuxMetadata? Mark => IsPause ? s_pause : null;

    /// <summary>Maximum length of the payload without metadata and detail; with them it is <see cref="ProtocolConstants.MaxFailLength"/>.</summary>
    public const int MaxWrittenLength = HeadLength + ProtocolConstants.MaxFailText;

    /// <summary>
    /// Gets the first words of a text that the acceptor itself writes, with a status that handlers give, too: the initiator, which sees no other difference,
    /// adds the address alone.
    /// </summary>
    public static string BeginText(string method, MuxStatus status) => $"{method} failed ({status}, executed): ";

    /// <summary>Reads the parts that every FAIL has; ignores what follows the text.</summary>
    public static bool TryRead(ReadOnlySpan<byte> payload, out FailFrame frame, out ProtocolViolation? violation) =>
        TryReadHead(payload, out frame, out _, out violation);

    /// <summary>Reads all parts.</summary>
    public static bool TryRead(
        ReadOnlySpan<byte> payload, FrameFlags flags, int maxMetadata, out FailFrame frame, out Parts parts, out ProtocolViolation? violation)
    {
        parts = default;
        if (!TryReadHead(payload, out frame, out int length, out violation)) return false;
        if (length == payload.Length && (flags & FrameFlags.Meta) == 0) return true;
        if (!TryReadParts(payload[length..], flags, maxMetadata, out parts, out violation)) return false;
        if (!parts.Metadata.IsEmpty && MetadataBlock.HasPause(parts.Metadata)) frame = frame with { IsPause = true };
        return true;
    }

    /// <summary>Writes the payload without metadata and detail; <paramref name="payload"/> must hold <see cref="MaxWrittenLength"/> bytes.</summary>
    /// <returns>Length of the payload.</returns>
    public int Write(Span<byte> payload)
    {
        payload[0] = Status;
        payload[1] = (byte)Execution;
        BinaryPrimitives.WriteUInt32LittleEndian(payload[2..], RetryAfterMilliseconds);
        int textLength = Utf8Text.WriteCut(payload.Slice(HeadLength, ProtocolConstants.MaxFailText), Text);
        BinaryPrimitives.WriteUInt16LittleEndian(payload[6..], (ushort)textLength);
        return HeadLength + textLength;
    }

    /// <summary>
    /// Writes the payload with as much of <paramref name="extras"/> as fits; <paramref name="payload"/> must hold <see cref="ProtocolConstants.MaxFailLength"/>
    /// bytes. The detail has precedence over the metadata, because the contract declares it.
    /// </summary>
    /// <param name="payload">Destination.</param>
    /// <param name="extras">Optional parts to write.</param>
    /// <param name="flags">Flags for the header.</param>
    /// <param name="omitted">Parts that did not fit.</param>
    /// <returns>Length of the payload.</returns>
    public int Write(Span<byte> payload, FailExtras extras, out FrameFlags flags, out FailOmissions omitted)
    {
        flags = FrameFlags.None;
        omitted = FailOmissions.None;
        int at = Write(payload);
        int room = ProtocolConstants.MaxFailLength - at;
        bool hasDetail = extras.DetailNumber != 0;
        if (hasDetail && extras.Detail.Length > room - DetailNumberLength)
        {
            omitted |= FailOmissions.Detail;
            hasDetail = false;
        }

        if (hasDetail) room -= DetailNumberLength + extras.Detail.Length;
        if (!MetadataBlock.TryMeasure(extras.Metadata, extras.MaxMetadata, out int metadataLength) || metadataLength > room)
        {
            omitted |= FailOmissions.Metadata;
        }
        else if (metadataLength > 0)
        {
            flags = FrameFlags.Meta;
            at += MetadataBlock.Write(payload[at..], extras.Metadata!);
        }

        if (!hasDetail) return at;
        BinaryPrimitives.WriteUInt16LittleEndian(payload[at..], extras.DetailNumber);
        extras.Detail.CopyTo(payload[(at + DetailNumberLength)..]);
        return at + DetailNumberLength + extras.Detail.Length;
    }

    private static MuxMetadata PauseMark()
    {
        var mark = new MuxMetadata();
        mark.AddReserved(MetadataBlock.PauseKey, default);
        return mark;
    }

    private static bool TryReadHead(ReadOnlySpan<byte> payload, out FailFrame frame, out int length, out ProtocolViolation? violation)
    {
        frame = default;
        length = 0;
        violation = null;
        if (payload.Length is < HeadLength or > ProtocolConstants.MaxFailLength)
        {
            violation = new(ConnectionCode.ProtocolError,
                $"FAIL carries {payload.Length} bytes; allowed are {HeadLength} to {ProtocolConstants.MaxFailLength}.");
            return false;
        }

        int textLength = BinaryPrimitives.ReadUInt16LittleEndian(payload[6..]);
        if (payload.Length < HeadLength + textLength)
        {
            violation = new(ConnectionCode.ProtocolError, $"FAIL announces {textLength} bytes of text but carries {payload.Length - HeadLength}.");
            return false;
        }

        if (payload[1] > (byte)MuxExecution.Executed)
        {
            violation = new(ConnectionCode.ProtocolError, $"FAIL has the execution {payload[1]}; allowed are 0 to 2.");
            return false;
        }

        length = HeadLength + textLength;
        frame = new(
            payload[0],
            (MuxExecution)payload[1],
            BinaryPrimitives.ReadUInt32LittleEndian(payload[2..]),
            Utf8Text.Read(payload.Slice(HeadLength, textLength), ProtocolConstants.MaxFailText));
        return true;
    }

    private static bool TryReadParts(ReadOnlySpan<byte> rest, FrameFlags flags, int maxMetadata, out Parts parts, out ProtocolViolation? violation)
    {
        parts = default;
        violation = null;
        ReadOnlySpan<byte> metadata = default;
        bool isOverLimit = false;
        if ((flags & FrameFlags.Meta) != 0)
        {
            if (!MetadataBlock.TryRead(rest, maxMetadata, out int length, out isOverLimit, out violation)) return false;
            if (!isOverLimit) metadata = rest[..length];
            rest = rest[length..];
        }

        ushort number = 0;
        if (!rest.IsEmpty)
        {
            if (rest.Length >= DetailNumberLength) number = BinaryPrimitives.ReadUInt16LittleEndian(rest);
            if (number == 0)
            {
                violation = new(ConnectionCode.ProtocolError,
                    $"FAIL has {rest.Length} bytes of detail that do not start with its number, 1 to {ushort.MaxValue}.");
                return false;
            }

            rest = rest[DetailNumberLength..];
        }

        parts = new() { Metadata = metadata, IsMetadataOverLimit = isOverLimit, DetailNumber = number, Detail = rest };
        return true;
    }

    /// <summary>Optional parts of a received FAIL, after its text.</summary>
    /// <remarks>A view of the payload: nothing is copied, and a FAIL without optional parts costs nothing.</remarks>
    internal readonly ref struct Parts
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
}

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

/// <summary>Parts that a FAIL could not carry: it is one frame of bounded size, whatever the handler adds.</summary>
[Flags]
internal enum FailOmissions
{
    None = 0,
    Metadata = 1,
    Detail = 2,
}

/// <summary>The time after which a call may be sent again, as a FAIL has it: milliseconds, 0 for no hint.</summary>
internal static class RetryHint
{
    /// <summary>The call must not be sent again.</summary>
    public const uint Never = uint.MaxValue;

    // Timeout.InfiniteTimeSpan; nothing here waits.
    private static readonly TimeSpan s_never = TimeSpan.FromMilliseconds(-1L);

    /// <summary>
    /// Gets the hint for what a handler says; whole milliseconds, rounded up, up to the longest that there is.
    /// </summary>
    /// <param name="retryAfter">Null, zero and negative times are no hint; -1 ms is never.</param>
    public static uint Of(TimeSpan? retryAfter)
    {
        if (retryAfter == s_never) return Never;
        return (uint)Math.Ceiling(Math.Clamp(retryAfter?.TotalMilliseconds ?? 0, 0, Never - 1));
    }

    /// <summary>Gets what a caller reads.</summary>
    public static TimeSpan? TimeOf(uint hint) => hint switch
    {
        0 => null,
        Never => s_never,
        _ => TimeSpan.FromMilliseconds(hint),
    };
}
