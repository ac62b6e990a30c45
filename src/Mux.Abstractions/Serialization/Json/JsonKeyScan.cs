using System.Buffers.Text;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Json;

namespace Mux.Serialization.Json;

/// <summary>
/// Scans received JSON before System.Text.Json reads it into hash tables with integer keys: checks whether the integers that are names of members or items of
/// arrays were chosen to collide. Lives on the stack of one thread.
/// </summary>
internal ref struct JsonKeyScan
{
    /// <summary>Length of JSON below which any collisions cost only a few milliseconds.</summary>
    public const int LeastTooMuch = 16 * 1024;

    // Length of a key with escapes and leading zeros. 4 MiB hold too few longer keys to be harmful.
    private const int LongestEscaped = 1024;

    private readonly KeyCollisions? _longs;
    private readonly KeyCollisions? _ints;
    private Utf8JsonReader _json;
    private ulong _arrays; // one bit for each level, set for an array

    private JsonKeyScan(ReadOnlySpan<byte> body, IntegerTables tables, JsonReaderOptions options)
    {
        _longs = tables.HasLongs ? new KeyCollisions(isLong: true) : null;
        _ints = tables.HasInts ? new KeyCollisions(isLong: false) : null;
        _json = new Utf8JsonReader(body, options);
    }

    /// <exception cref="InvalidMessageException">The keys were chosen to collide.</exception>
    /// <exception cref="JsonException">The bytes are not JSON.</exception>
    public static void Check(ReadOnlySpan<byte> body, IntegerTables tables, JsonSerializerOptions options)
    {
        if (!tables.Any) return;
        var syntax = new JsonReaderOptions
        {
            AllowTrailingCommas = options.AllowTrailingCommas,
            CommentHandling = options.ReadCommentHandling,
            MaxDepth = IPayloadSerializer.MaxDepth
        };
        var scan = new JsonKeyScan(body, tables, syntax);
        scan.Run();
        if (scan._longs?.AreChosen() == true || scan._ints?.AreChosen() == true)
        {
            throw new InvalidMessageException("The keys of a map or set were chosen to have the same place in a hash table.");
        }
    }

    private void Run()
    {
        while (_json.Read())
        {
            switch (_json.TokenType)
            {
                case JsonTokenType.StartArray:
                    _arrays |= 1ul << _json.CurrentDepth;
                    break;
                case JsonTokenType.StartObject:
                    _arrays &= ~(1ul << _json.CurrentDepth);
                    break;
                case JsonTokenType.PropertyName:
                    Take();
                    break;
                case JsonTokenType.Number or JsonTokenType.String when _json.CurrentDepth > 0 && (_arrays >> (_json.CurrentDepth - 1) & 1) != 0:
                    Take();
                    break;
            }
        }
    }

    private readonly void Take()
    {
        if (_json.ValueIsEscaped) TakeEscaped();
        else Take(_json.ValueSpan);
    }

    // A separate method, because nearly all keys have no escapes and need not clear this stack memory.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private readonly void TakeEscaped()
    {
        if (_json.ValueSpan.Length > LongestEscaped) return;
        Span<byte> unescaped = stackalloc byte[LongestEscaped];
        Take(unescaped[.._json.CopyString(unescaped)]);
    }

    private readonly void Take(scoped ReadOnlySpan<byte> text)
    {
        if (!TryParse(text, out long key) && !TryParseTrimmed(text, out key)) return;
        _longs?.Add(key);
        if (key is >= int.MinValue and <= uint.MaxValue) _ints?.Add(key);
    }

    private static bool TryParse(ReadOnlySpan<byte> text, out long key)
    {
        if (Utf8Parser.TryParse(text, out key, out int length) && length == text.Length) return true;
        if (!Utf8Parser.TryParse(text, out ulong large, out length) || length != text.Length) return false;
        key = (long)large;
        return true;
    }

    // A key that is an enum may have white space around its number.
    private static bool TryParseTrimmed(ReadOnlySpan<byte> text, out long key)
    {
        key = 0;
        if (text.Length is 0 or > LongestEscaped || char.IsAsciiLetter((char)text[0]) || (IsOfNumber(text[0]) && IsOfNumber(text[^1]))) return false;
        Span<char> characters = stackalloc char[LongestEscaped];
        if (!Encoding.UTF8.TryGetChars(text, characters, out int count)) return false;
        ReadOnlySpan<char> trimmed = characters[..count].Trim();
        return long.TryParse(trimmed, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out key);
    }

    private static bool IsOfNumber(byte character) => char.IsAsciiDigit((char)character) || character is (byte)'-';
}
