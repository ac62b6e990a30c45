using System.Buffers;
using System.Buffers.Binary;
using System.Text;

namespace Mux.Wire;

/// <summary>What flag <see cref="FrameFlags.Meta"/> puts before a body (PROTOCOL.md section 4.3).</summary>
/// <remarks>
/// <code>
/// length u16, of what follows | entry: key length u8, key [a-z0-9._-]+, value length u16, value ...
/// </code>
/// A receiver's limit (setting 8) charges each entry more than its bytes, because an entry costs an object however short it is.
/// </remarks>
internal static class MetadataBlock
{
    private const int PrefixLength = 2;
    private const int KeyPrefixLength = 1;
    private const int ValuePrefixLength = 2;
    private const int EntryOverhead = KeyPrefixLength + ValuePrefixLength;
    private const int EntryCharge = 32;
    private const int MaxEntries = MuxMetadata.MaxEntries;

    /// <summary>
    /// Decoded, a key takes two bytes for each character, and an entry an object, a place in a list and its part of an array: about twice what a receiver's
    /// limit charges it.
    /// </summary>
    private const int DecodedFactor = 2;

    private static readonly SearchValues<byte> s_keyBytes = SearchValues.Create("abcdefghijklmnopqrstuvwxyz0123456789._-"u8);

    private static ReadOnlySpan<byte> ReservedPrefix => "mux-"u8;

    /// <summary>Bytes of the block, prefix included, whether or not that can be sent.</summary>
    /// <param name="metadata">The entries.</param>
    /// <param name="charge">What they take from the receiver's limit.</param>
    public static int Measure(MuxMetadata metadata, out int charge)
    {
        int bytes = 0;
        foreach (var entry in metadata) bytes += entry.Key.Length + entry.Bytes.Length;
        charge = bytes + metadata.Count * EntryCharge;
        return PrefixLength + bytes + metadata.Count * EntryOverhead;
    }

    /// <summary>Bytes of memory that decoded entries are charged.</summary>
    public static int MeasureDecoded(MuxMetadata metadata)
    {
        Measure(metadata, out int charge);
        return DecodedFactor * charge;
    }

    /// <summary>Whether the block can be sent.</summary>
    /// <param name="metadata">The entries; null and none take no block.</param>
    /// <param name="maxCharge">The receiver's limit.</param>
    /// <param name="length">Bytes of the block, prefix included; 0 if there is none.</param>
    /// <param name="tooMuch">What is beyond which limit.</param>
    public static bool TryMeasure(MuxMetadata? metadata, int maxCharge, out int length, out string? tooMuch)
    {
        length = 0;
        tooMuch = null;
        if (metadata is null || metadata.Count == 0) return true;
        if (metadata.Count > MaxEntries) // before they are added up: the sum of any number of them may not fit an int
        {
            tooMuch = $"The metadata has {metadata.Count} entries; at most {MaxEntries} are sent.";
            return false;
        }

        int measured = Measure(metadata, out int charge);
        if (charge > maxCharge) tooMuch = $"The metadata is charged {charge} bytes, {EntryCharge} of them for each entry; the peer takes {maxCharge}.";
        else if (measured - PrefixLength > ushort.MaxValue) tooMuch = $"The metadata is {measured - PrefixLength} bytes; at most {ushort.MaxValue} are sent.";
        else length = measured;
        return tooMuch is null;
    }

    /// <summary>Writes the block of metadata that <see cref="TryMeasure"/> let pass.</summary>
    /// <returns>Its length, prefix included.</returns>
    public static int Write(Span<byte> to, MuxMetadata metadata)
    {
        int at = PrefixLength;
        foreach (var entry in metadata)
        {
            int keyLength = Encoding.ASCII.GetBytes(entry.Key, to[(at + KeyPrefixLength)..]);
            to[at] = (byte)keyLength;
            at += KeyPrefixLength + keyLength;
            BinaryPrimitives.WriteUInt16LittleEndian(to[at..], (ushort)entry.Bytes.Length);
            entry.Bytes.Span.CopyTo(to[(at + ValuePrefixLength)..]);
            at += ValuePrefixLength + entry.Bytes.Length;
        }

        BinaryPrimitives.WriteUInt16LittleEndian(to, (ushort)(at - PrefixLength));
        return at;
    }

    /// <summary>Checks the block at the front of <paramref name="payload"/>; keeps nothing of it.</summary>
    /// <param name="payload">Block and what follows it.</param>
    /// <param name="maxCharge">The limit of this side.</param>
    /// <param name="length">Bytes of the block, prefix included.</param>
    /// <param name="isOverLimit">It is well-formed and more than this side takes: the call fails, the connection does not.</param>
    /// <param name="violation">The broken rule.</param>
    public static bool TryRead(ReadOnlySpan<byte> payload, int maxCharge, out int length, out bool isOverLimit, out ProtocolViolation? violation)
    {
        length = 0;
        isOverLimit = false;
        if (payload.Length < PrefixLength) return Malformed($"Metadata has {payload.Length} bytes for its length; it takes {PrefixLength}.", out violation);
        int announced = BinaryPrimitives.ReadUInt16LittleEndian(payload);
        if (payload.Length - PrefixLength < announced)
        {
            return Malformed($"Metadata announces {announced} bytes; {payload.Length - PrefixLength} are there.", out violation);
        }

        int count = 0, charge = 0;
        for (var rest = payload.Slice(PrefixLength, announced); !rest.IsEmpty; count++)
        {
            if (!TryTake(ref rest, out var key, out var value)) return Malformed($"Metadata ends inside entry number {count + 1}.", out violation);
            if (key.IsEmpty || key.ContainsAnyExcept(s_keyBytes))
            {
                return Malformed($"Metadata has a key in entry number {count + 1} that is not 1 to 255 of a-z, 0-9, '.', '_' and '-'.", out violation);
            }

            charge += key.Length + value.Length + EntryCharge;
        }

        violation = null;
        length = PrefixLength + announced;
        isOverLimit = count > MaxEntries || charge > maxCharge;
        return true;
    }

    /// <summary>
    /// Copies the entries of a block that <see cref="TryRead"/> let pass; those whose keys are the runtime's are no concern of the application.
    /// </summary>
    public static MuxMetadata Decode(ReadOnlySpan<byte> block)
    {
        var entries = block[PrefixLength..];
        int size = 0;
        for (var rest = entries; TryTake(ref rest, out var key, out var value);)
        {
            if (!key.StartsWith(ReservedPrefix)) size += value.Length;
        }

        var metadata = new MuxMetadata();
        Memory<byte> values = size == 0 ? default : new byte[size];
        for (var rest = entries; TryTake(ref rest, out var key, out var value);)
        {
            if (key.StartsWith(ReservedPrefix)) continue;
            value.CopyTo(values.Span);
            metadata.Add(Encoding.ASCII.GetString(key), values[..value.Length]);
            values = values[value.Length..];
        }

        return metadata;
    }

    /// <returns>False if there is no whole entry.</returns>
    private static bool TryTake(ref ReadOnlySpan<byte> rest, out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value)
    {
        key = value = default;
        if (rest.IsEmpty || rest.Length < EntryOverhead + rest[0]) return false;
        key = rest.Slice(KeyPrefixLength, rest[0]);
        var behindKey = rest[(KeyPrefixLength + key.Length)..];
        int valueLength = BinaryPrimitives.ReadUInt16LittleEndian(behindKey);
        if (behindKey.Length < ValuePrefixLength + valueLength) return false;
        value = behindKey.Slice(ValuePrefixLength, valueLength);
        rest = behindKey[(ValuePrefixLength + valueLength)..];
        return true;
    }

    private static bool Malformed(string text, out ProtocolViolation? violation)
    {
        violation = new(ConnectionCode.ProtocolError, text);
        return false;
    }
}
