using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Text;
using Mux.Serialization;

namespace Mux.Protobuf;

/// <summary>Writes strings and byte arrays for generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class TextEncoder
{
    // Up to this length counting first does not pay: the length takes one byte, or the text is moved by one byte.
    private const int ShortLength = 127;

    private const int MaxTagSize = 5;
    private const int MaxLengthSize = 5;
    private const int MaxBytesPerChar = 3;

    /// <summary>Writes a string as UTF-8; a surrogate without its other half becomes U+FFFD.</summary>
    public static void WriteString(this ref MessageWriter writer, uint tag, string value)
    {
        var run = writer.BeginFields(0);
        if (run.TryText(tag, value)) writer.EndFields(run);
        else WriteAny(ref writer, tag, value);
    }

    /// <summary>Writes a string that <see cref="FieldRun.TryText"/> could not write.</summary>
    /// <inheritdoc cref="WriteString(ref MessageWriter, uint, string)"/>
    /// <returns>The run to continue with.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static FieldRun WriteString(this scoped ref MessageWriter writer, scoped FieldRun run, uint tag, string value) =>
        WriteAt(ref writer, ref run.Next, tag, value);

    /// <summary>Writes a string into a run, unless it is null.</summary>
    /// <inheritdoc cref="WriteString(ref MessageWriter, uint, string)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteText(this scoped ref MessageWriter writer, scoped ref FieldRun run, uint tag, string? value)
    {
        if (value is not null && !run.TryText(tag, value)) run = WriteAt(ref writer, ref run.Next, tag, value);
    }

    /// <summary>Writes the strings of a list.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="tag">The tag of each.</param>
    /// <param name="items">The strings.</param>
    /// <param name="message">The message, for errors.</param>
    /// <param name="member">Its member, for errors.</param>
    /// <exception cref="InvalidMessageException">An item is null.</exception>
    public static void WriteTexts(this ref MessageWriter writer, uint tag, ReadOnlySpan<string> items, string message, string member)
    {
        foreach (var item in items)
        {
            if (item is null) EncodeFault.ThrowNullItem(message, member);
            writer.WriteString(tag, item);
        }
    }

    /// <summary>Writes bytes.</summary>
    public static void WriteBytes(this ref MessageWriter writer, uint tag, ReadOnlySpan<byte> value)
    {
        WriteHeader(ref writer, tag, value.Length);
        writer.Write(value);
    }

    // Takes the place of the run and not the run: see FieldEncoder.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static FieldRun WriteAt(scoped ref MessageWriter writer, scoped ref readonly byte next, uint tag, string value)
    {
        writer.AdvanceTo(in next);
        WriteAny(ref writer, tag, value);
        return writer.BeginFields(0);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void WriteAny(ref MessageWriter writer, uint tag, string value)
    {
        if (value.Length <= ShortLength)
        {
            int mark = writer.BeginBlock(tag);
            writer.Advance(Encoding.UTF8.GetBytes(value, writer.GetSpan(MaxBytesPerChar * value.Length)));
            writer.EndBlock(mark);
            return;
        }

        // Counting first costs less than moving a long text or reserving three times its length.
        int length = Encoding.UTF8.GetByteCount(value);
        WriteHeader(ref writer, tag, length);
        writer.Advance(Encoding.UTF8.GetBytes(value, writer.GetSpan(length)));
    }

    private static void WriteHeader(ref MessageWriter writer, uint tag, int length)
    {
        var run = writer.BeginFields(MaxTagSize + MaxLengthSize);
        run.Tag(tag);
        run.Value((uint)length);
        writer.EndFields(run);
    }
}
