using System.Buffers;
using System.Buffers.Binary;
using System.Text;
using System.Text.Unicode;

namespace Mux.Protocol;

/// <summary>Metadata block before a body, announced by flag <see cref="FrameFlags.Meta"/> (PROTOCOL.md section 4.3).</summary>
/// <remarks>
/// <code>
/// length u16, of what follows | entry: key length u8, key [a-z0-9._-]+, value length u16, value ...
/// </code>
/// A receiver's limit (setting 8) charges each entry more than its bytes, because every entry costs an object, however short it is.
/// </remarks>
internal static class MetadataBlock
{
    /// <summary>The key of an entry of FAIL without a value: see <see cref="FailFrame.IsPause"/>.</summary>
    public const string PauseKey = "mux-pause";

    private const int PrefixLength = 2;
    private const int KeyPrefixLength = 1;
    private const int ValuePrefixLength = 2;
    private const int EntryOverhead = KeyPrefixLength + ValuePrefixLength;
    private const int EntryCharge = 32;
    private const int MaxEntries = MuxMetadata.MaxEntries;

    /// <summary>
    /// Ratio of decoded memory to charge: a decoded key takes two bytes per character, and an entry takes an object, a place in a list and a part of an array.
    /// </summary>
    private const int DecodedFactor = 2;

    private static readonly SearchValues<byte> s_keyBytes = SearchValues.Create("abcdefghijklmnopqrstuvwxyz0123456789._-"u8);

    private static ReadOnlySpan<byte> ReservedPrefix => "mux-"u8;

    private static ReadOnlySpan<byte> PauseBytes => "mux-pause"u8;

    /// <summary>Computes the length of the block, prefix included, even if it is too long to send.</summary>
    /// <param name="metadata">The entries.</param>
    /// <param name="charge">Charge against the receiver's limit.</param>
    public static int Measure(MuxMetadata metadata, out int charge)
    {
        int bytes = 0;
        foreach (var entry in metadata) bytes += entry.Key.Length + entry.Bytes.Length;
        charge = bytes + metadata.Count * EntryCharge;
        return PrefixLength + bytes + metadata.Count * EntryOverhead;
    }

    /// <summary>Computes the memory charged for decoded entries, in bytes.</summary>
    public static int MeasureDecoded(MuxMetadata metadata)
    {
        Measure(metadata, out int charge);
        return DecodedFactor * charge;
    }

    /// <summary>Checks whether the block can be sent.</summary>
    /// <param name="metadata">The entries; null and empty need no block.</param>
    /// <param name="maxCharge">The receiver's limit.</param>
    /// <param name="length">Length of the block, prefix included; 0 if there is none.</param>
    public static bool TryMeasure(MuxMetadata? metadata, int maxCharge, out int length)
    {
        length = 0;
        if (metadata is null || metadata.Count == 0) return true;
        if (metadata.Count > MaxEntries) return false; // before the sum, which may overflow an int
        int measured = Measure(metadata, out int charge);
        if (charge > maxCharge || measured - PrefixLength > ushort.MaxValue) return false;
        length = measured;
        return true;
    }

    /// <summary>Describes the limit that metadata exceeds after <see cref="TryMeasure"/> has failed.</summary>
    /// <param name="metadata">The entries.</param>
    /// <param name="of">Names the message: "reply".</param>
    /// <param name="limit">Names the receiver's limit and its value, for a sentence.</param>
    public static string DescribeExcess(MuxMetadata metadata, string of, string limit)
    {
        if (metadata.Count > MaxEntries)
        {
            return $"The metadata of the {of} has {metadata.Count} entries; at most {MaxEntries} can be sent.";
        }

        Measure(metadata, out int charge);
        return $"The metadata of the {of} is charged {charge} bytes, {EntryCharge} of them for each entry; {limit}.";
    }

    /// <summary>Writes the block of metadata that has passed <see cref="TryMeasure"/>.</summary>
    /// <returns>Length of the block, prefix included.</returns>
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

    /// <summary>Checks the block at the front of <paramref name="payload"/> without keeping anything.</summary>
    /// <param name="payload">The block and what follows it.</param>
    /// <param name="maxCharge">This side's limit.</param>
    /// <param name="length">Length of the block, prefix included.</param>
    /// <param name="isOverLimit">True if the block is well-formed but exceeds the limit: it fails the call, not the connection.</param>
    /// <param name="violation">The violated rule, or null.</param>
    public static bool TryRead(ReadOnlySpan<byte> payload, int maxCharge, out int length, out bool isOverLimit, out ProtocolViolation? violation)
    {
        length = 0;
        isOverLimit = false;
        if (payload.Length < PrefixLength) return Malformed($"Metadata has {payload.Length} bytes; its length alone takes {PrefixLength}.", out violation);
        int announced = BinaryPrimitives.ReadUInt16LittleEndian(payload);
        if (payload.Length - PrefixLength < announced)
        {
            return Malformed($"Metadata announces {announced} bytes but has {payload.Length - PrefixLength}.", out violation);
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

    /// <summary>Copies the entries of a block that has passed <see cref="TryRead"/>, except those with keys reserved for the runtime.</summary>
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

    /// <summary>Reads the caller that a gateway names in a block that has passed <see cref="TryRead"/>.</summary>
    public static CallerMarks ReadCaller(ReadOnlySpan<byte> block)
    {
        var marks = default(CallerMarks);
        ReadOnlySpan<byte> rest = block[PrefixLength..], key = rest, value = rest; // as long as the block, as far as the compiler knows
        while (TryTake(ref rest, out key, out value))
        {
            if (key.StartsWith(ReservedPrefix)) marks.Take(key, value);
        }

        return marks;
    }

    /// <summary>True if a block that has passed <see cref="TryRead"/> has entries that <see cref="Decode"/> shows.</summary>
    public static bool ShowsAny(ReadOnlySpan<byte> block)
    {
        for (var rest = block[PrefixLength..]; TryTake(ref rest, out var key, out _);)
        {
            if (!key.StartsWith(ReservedPrefix)) return true;
        }

        return false;
    }

    /// <summary>True if a block that has passed <see cref="TryRead"/> has the entry <see cref="PauseKey"/>.</summary>
    public static bool HasPause(ReadOnlySpan<byte> block)
    {
        for (var rest = block[PrefixLength..]; TryTake(ref rest, out var key, out _);)
        {
            if (key.SequenceEqual(PauseBytes)) return true;
        }

        return false;
    }

    /// <returns>False if there is no complete entry.</returns>
    private static bool TryTake(scoped ref ReadOnlySpan<byte> rest, out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value)
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

/// <summary>Text of bounded size inside frames: truncated at whole characters when written, not trusted to be UTF-8 when read.</summary>
internal static class Utf8Text
{
    private const char Replacement = '\uFFFD';

    // C0, DEL, C1 and the two Unicode line separators: characters that could start a line in a log or control a terminal.
    private static readonly SearchValues<char> s_controls = SearchValues.Create(
        [.. Enumerable.Range(0, 0x20).Concat(Enumerable.Range(0x7F, 0x21)).Select(static code => (char)code), '\u2028', '\u2029']);

    /// <summary>Writes as much of the text as fits.</summary>
    /// <returns>Number of bytes written.</returns>
    public static int WriteCut(Span<byte> to, string text)
    {
        _ = Utf8.FromUtf16(text, to, out _, out int written, replaceInvalidSequences: true);
        return written;
    }

    /// <summary>
    /// Reads at most <paramref name="maxBytes"/>. Replaces invalid UTF-8, control characters and line separators by U+FFFD, because the text goes into logs and
    /// errors.
    /// </summary>
    public static string Read(ReadOnlySpan<byte> from, int maxBytes)
    {
        var text = Encoding.UTF8.GetString(from.Length <= maxBytes ? from : from[..maxBytes]);
        return text.AsSpan().ContainsAny(s_controls)
            ? string.Create(text.Length, text, static (to, source) => source.AsSpan().ReplaceAny(to, s_controls, Replacement))
            : text;
    }
}
