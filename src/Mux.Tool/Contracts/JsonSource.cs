using System.Buffers;
using System.Text;
using System.Text.Unicode;

namespace Mux.Tool.Contracts;

/// <summary>
/// Takes JSON values one after the other from a stream of bytes, each when its last byte is there: on one line or many,
/// with or without white space between them, and the elements of an array as values of their own. Finds only where
/// values end; what reads them says what is wrong in them. Not thread-safe.
/// </summary>
/// <param name="stream">The bytes. The owner disposes it.</param>
internal sealed class JsonSource(Stream stream)
{
    private const int ChunkBytes = 16_384;

    private readonly byte[] _chunk = new byte[ChunkBytes];
    private readonly List<byte> _value = [];
    private int _at;
    private int _length;
    private long _position;
    private bool _isInArray;
    private bool _isBehindElement;
    private bool _isBehindComma;

    /// <summary>Gets the line in which the last value began, from 1.</summary>
    public int Line { get; private set; } = 1;

    private int _line = 1;

    /// <summary>Gets the next value.</summary>
    /// <returns>Null at the end.</returns>
    /// <exception cref="InvalidDataException">
    /// It is not UTF-8, or an array has no comma or end where it needs one.
    /// </exception>
    /// <exception cref="IOException">The stream cannot be read.</exception>
    public byte[]? Read()
    {
        while (true)
        {
            SkipSpace();
            _value.Clear();
            Line = _line;
            if (Peek() is not { } first)
            {
                if (_isInArray)
                    throw new InvalidDataException($"Line {_line}: the array has no end; expected ',' or ']'.");
                return null;
            }

            if (!_isInArray && first == '[')
            {
                Take();
                (_isInArray, _isBehindElement, _isBehindComma) = (true, false, false);
            }
            else if (_isInArray && first == ']')
            {
                if (_isBehindComma)
                    throw new InvalidDataException($"Line {_line}: the array ends behind a ','; expected an element.");
                Take();
                _isInArray = false;
            }
            else if (_isInArray && _isBehindElement)
            {
                if (first != ',')
                    throw new InvalidDataException($"Line {_line}: an element of the array is followed by neither ',' nor ']'.");
                Take();
                (_isBehindElement, _isBehindComma) = (false, true);
            }
            else
            {
                (_isBehindElement, _isBehindComma) = (true, false);
                return ReadValue(first);
            }
        }
    }

    // Of what is no JSON it takes as much as there would be of a value.
    private byte[] ReadValue(byte first)
    {
        _value.Clear();
        long start = _position;
        if (first == '"') TakeText();
        else if (first is (byte)'{' or (byte)'[') TakeNested();
        else TakeWord();
        var value = _value.ToArray();
        if (!Utf8.IsValid(value)) throw new InvalidDataException(Utf8Fault.Describe(value, start, Line));
        return value;
    }

    private void TakeNested()
    {
        int depth = 0;
        while (Peek() is { } next)
        {
            if (next == '"')
            {
                TakeText();
                continue;
            }

            Take();
            if (next is (byte)'{' or (byte)'[') depth++;
            else if (next is (byte)'}' or (byte)']' && --depth == 0) return;
        }
    }

    private void TakeText()
    {
        Take();
        while (Peek() is { } next)
        {
            Take();
            if (next == '"') return;
            if (next == '\\' && Peek() is not null) Take();
        }
    }

    private void TakeWord()
    {
        Take();
        while (Peek() is { } next && !IsSpace(next)
            && next is not ((byte)',' or (byte)'{' or (byte)'}' or (byte)'[' or (byte)']' or (byte)'"'))
            Take();
    }

    private void SkipSpace()
    {
        while (Peek() is { } next && IsSpace(next)) Pass();
    }

    private static bool IsSpace(byte one) => one is (byte)' ' or (byte)'\t' or (byte)'\r' or (byte)'\n';

    private byte? Peek()
    {
        if (_at == _length) (_at, _length) = (0, stream.Read(_chunk));
        return _at < _length ? _chunk[_at] : null;
    }

    private void Take()
    {
        if (_value.Count >= MessageText.LargestJson)
            throw new InvalidDataException($"Line {Line}: a value is longer than the {MessageText.LargestJson} bytes that JSON of a message may have.");
        _value.Add(Pass());
    }

    private byte Pass()
    {
        byte one = _chunk[_at++];
        _position++;
        if (one == '\n') _line++;
        return one;
    }
}

/// <summary>Says where bytes are not UTF-8.</summary>
internal static class Utf8Fault
{
    /// <param name="bytes">Bytes with a fault.</param>
    /// <param name="start">How many bytes of the input are before them.</param>
    /// <param name="line">The line in which they begin.</param>
    public static string Describe(ReadOnlySpan<byte> bytes, long start, int line)
    {
        int at = 0;
        while (Rune.DecodeFromUtf8(bytes[at..], out _, out int length) == OperationStatus.Done) at += length;
        line += bytes[..at].Count((byte)'\n');
        return $"Line {line}: byte {start + at + 1} of the input, {bytes[at]:X2}, is not UTF-8; expected UTF-8.";
    }
}
