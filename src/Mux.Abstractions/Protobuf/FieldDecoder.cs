using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Mux.Protobuf;

/// <summary>
/// Switches, for generated code, between the reader of a message, which reads all forms, and the cursor, which reads the usual forms fast.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class FieldDecoder
{
    /// <summary>Starts to read fields at the position of the reader.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static FieldCursor BeginFields(this ref readonly MessageReader reader)
    {
        var rest = reader.Rest;
        return new FieldCursor(ref MemoryMarshal.GetReference(rest), rest.Length);
    }

    /// <summary>Starts to read the fields of an outermost message before there is a reader.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static FieldCursor BeginFields(ReadOnlySpan<byte> bytes) => new(ref MemoryMarshal.GetReference(bytes), bytes.Length);

    /// <summary>Continues at the position of the cursor with a reader that has not read any field, so that its last field is not known.</summary>
    public static void MoveTo(this ref MessageReader reader, scoped FieldCursor cursor) => reader.MoveToEnd(less: (int)cursor.Room);

    /// <summary>Ends the reader too, after <see cref="FieldCursor.HasMore"/> was false.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void EndFields(this ref MessageReader reader) => reader.MoveToEnd(less: 0);

    /// <summary>Continues with the reader at the position of the cursor, which is not the end.</summary>
    /// <returns>The tag of the next field.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static uint ReadTag(this ref MessageReader reader, scoped FieldCursor cursor)
    {
        reader.MoveToEnd(less: (int)cursor.Room);
        return reader.ReadTag();
    }
}
