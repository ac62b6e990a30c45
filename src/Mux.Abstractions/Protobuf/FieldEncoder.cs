using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Mux.Serialization;

namespace Mux.Protobuf;

/// <summary>
/// Writes the structure of protobuf messages for generated code: runs of small fields, nested messages and packed blocks. Lengths are patched in afterwards, so
/// nothing is measured in advance.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class FieldEncoder
{
    private const int MaxTagSize = 5;
    private const int MaxLengthSize = 5;

    /// <summary>Starts a run of fields that take at most <paramref name="size"/> bytes together.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static FieldRun BeginFields(this scoped ref MessageWriter writer, int size)
    {
        ref byte next = ref writer.Reserve(size);
        return new FieldRun(ref next, writer.Room);
    }

    /// <summary>Continues a run that has no room for further fields of at most <paramref name="size"/> bytes together.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static FieldRun Continue(this scoped ref MessageWriter writer, scoped FieldRun run, int size) => ContinueAt(ref writer, ref run.Next, size);

    /// <summary>Ends the run: counts what was written to it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void EndFields(this ref MessageWriter writer, scoped FieldRun run)
    {
        writer.AdvanceTo(ref run.Next);
    }

    /// <summary>Starts a nested message with a length.</summary>
    /// <param name="writer">Receives the tag and room for the length.</param>
    /// <param name="tag">The tag of the field.</param>
    /// <param name="message">The name of the message, for the error.</param>
    /// <returns>The argument for <see cref="EndMessage(ref MessageWriter, int)"/>.</returns>
    /// <exception cref="InvalidMessageException">Messages are nested more than <see cref="MessageReader.MaxDepth"/> deep, usually in a cycle.</exception>
    public static int BeginMessage(this ref MessageWriter writer, uint tag, string message)
    {
        if (++writer.Depth >= MessageReader.MaxDepth) EncodeFault.ThrowTooDeep(message);
        return writer.BeginBlock(tag);
    }

    /// <summary>Ends a nested message: writes its length.</summary>
    public static void EndMessage(this ref MessageWriter writer, int mark)
    {
        writer.Depth--;
        writer.EndBlock(mark);
    }

    /// <summary>Starts, inside a run, a message without nested messages. Makes room for its tag and length if there is none.</summary>
    /// <param name="writer">The writer of the run.</param>
    /// <param name="run">Receives the tag and room for the length.</param>
    /// <param name="tag">The tag of the field.</param>
    /// <param name="message">The name of the message, for the error.</param>
    /// <returns>The argument for <see cref="EndMessage(ref MessageWriter, FieldRun, int)"/>.</returns>
    /// <exception cref="InvalidMessageException">Messages are nested more than <see cref="MessageReader.MaxDepth"/> deep, usually in a cycle.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int BeginMessage(this scoped ref MessageWriter writer, scoped ref FieldRun run, uint tag, string message)
    {
        // The depth is not counted for the message itself, because nothing is nested in it.
        if (writer.Depth >= MessageReader.MaxDepth - 1) EncodeFault.ThrowTooDeep(message);
        if (!run.HasRoom(MaxTagSize + 1)) run = writer.Continue(run, MaxTagSize + 1);
        run.Boolean(tag, false); // room for a length below 128
        return writer.OffsetOf(in run.Next);
    }

    /// <summary>Ends such a message: writes its length.</summary>
    /// <returns>The run to continue with.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static FieldRun EndMessage(this scoped ref MessageWriter writer, FieldRun run, int mark)
    {
        ref byte start = ref writer.At(mark);
        nint length = Unsafe.ByteOffset(ref start, ref run.Next);
        if (length >= 0x80) return EndLongMessage(ref writer, ref run.Next, mark);
        Unsafe.Add(ref start, -1) = (byte)length;
        return run;
    }

    /// <summary>Starts, inside a run, a message that never takes 128 bytes. The run must have room for all of it, its tag and one byte more.</summary>
    /// <param name="writer">The writer of the run.</param>
    /// <param name="run">Receives the tag and room for the length.</param>
    /// <param name="tag">The tag of the field.</param>
    /// <param name="message">The name of the message, for the error.</param>
    /// <returns>The argument for <see cref="FieldRun.EndShortMessage"/>; the run does not move until then.</returns>
    /// <exception cref="InvalidMessageException">Messages are nested more than <see cref="MessageReader.MaxDepth"/> deep, usually in a cycle.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte BeginShortMessage(this scoped ref MessageWriter writer, scoped ref FieldRun run, uint tag, string message)
    {
        if (writer.Depth >= MessageReader.MaxDepth - 1) EncodeFault.ThrowTooDeep(message);
        run.Boolean(tag, false); // room for the length
        return ref run.Next;
    }

    /// <summary>Starts a nested message as a group, between two tags.</summary>
    /// <inheritdoc cref="BeginMessage(ref MessageWriter, uint, string)"/>
    public static void BeginGroup(this ref MessageWriter writer, uint tag, string message)
    {
        if (++writer.Depth >= MessageReader.MaxDepth) EncodeFault.ThrowTooDeep(message);
        WriteTag(ref writer, tag);
    }

    /// <summary>Ends a nested message that is a group.</summary>
    /// <param name="writer">Receives the tag.</param>
    /// <param name="tag">The tag that ends the group.</param>
    public static void EndGroup(this ref MessageWriter writer, uint tag)
    {
        writer.Depth--;
        WriteTag(ref writer, tag);
    }

    /// <summary>Starts a packed block.</summary>
    /// <returns>The argument for <see cref="EndBlock"/>.</returns>
    public static int BeginBlock(this ref MessageWriter writer, uint tag)
    {
        var run = writer.BeginFields(MaxTagSize + 1);
        run.Tag(tag);
        run.Value(0); // room for a length below 128
        writer.EndFields(run);
        return writer.Count;
    }

    /// <summary>Ends a packed block: writes its length, and moves the block if the length takes more than the one reserved byte.</summary>
    public static void EndBlock(this ref MessageWriter writer, int mark)
    {
        int length = writer.Count - mark;
        if (length < 0x80) writer.Written[mark - 1] = (byte)length;
        else EndLongBlock(ref writer, mark, length);
    }

    /// <summary>Writes a packed block of numbers of fixed size, 4 or 8 bytes each.</summary>
    public static void WritePacked<T>(this ref MessageWriter writer, uint tag, ReadOnlySpan<T> items)
        where T : unmanaged
    {
        Debug.Assert(Unsafe.SizeOf<T>() is 4 or 8);
        int length = checked(items.Length * Unsafe.SizeOf<T>());
        var run = writer.BeginFields(MaxTagSize + MaxLengthSize);
        run.Tag(tag);
        run.Value((uint)length);
        writer.EndFields(run);
        if (BitConverter.IsLittleEndian) writer.Write(MemoryMarshal.AsBytes(items));
        else
        {
            foreach (var item in items)
            {
                var bytes = writer.GetSpan(Unsafe.SizeOf<T>())[..Unsafe.SizeOf<T>()];
                MemoryMarshal.Write(bytes, in item);
                bytes.Reverse();
                writer.Advance(bytes.Length);
            }
        }
    }

    internal static void WriteTag(ref MessageWriter writer, uint tag)
    {
        var run = writer.BeginFields(MaxTagSize);
        run.Tag(tag);
        writer.EndFields(run);
    }

    // Takes the place of the run and not the run, here and below: then only the fast path uses its end, which stays in one register.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static FieldRun ContinueAt(scoped ref MessageWriter writer, scoped ref readonly byte next, int size)
    {
        writer.AdvanceTo(in next);
        return writer.BeginFields(size);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static FieldRun EndLongMessage(scoped ref MessageWriter writer, scoped ref readonly byte next, int mark)
    {
        writer.AdvanceTo(in next);
        EndLongBlock(ref writer, mark, writer.Count - mark);
        return writer.BeginFields(0);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void EndLongBlock(ref MessageWriter writer, int mark, int length)
    {
        writer.GetSpan(MaxLengthSize);
        int lengthSize = WireSize.Varint32((uint)length);
        writer.Advance(lengthSize - 1);
        writer.Written.Slice(mark, length).CopyTo(writer.Written[(mark - 1 + lengthSize)..]);

        var run = new FieldRun(ref writer.Written[mark - 1], lengthSize);
        run.Value((uint)length);
    }
}
