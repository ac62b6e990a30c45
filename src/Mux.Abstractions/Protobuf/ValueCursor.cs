using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Mux.Protobuf;

/// <summary>
/// Reads values of the framework in their usual form, for generated code: complete, with a length of one byte, their parts in order and in range. For other
/// forms each method returns false without moving; <see cref="ValueDecoder"/> reads or rejects them.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ValueCursor
{
    /// <summary>Reads a bcl.Guid.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryBclGuid(this ref FieldCursor cursor, uint tag, out Guid value)
    {
        return cursor.TryPass(tag, GuidHalves.TryRead(in cursor.Behind(tag), cursor.RoomBehind(tag), out value));
    }

    /// <summary>Reads a bcl.Decimal.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryBclDecimal(this ref FieldCursor cursor, uint tag, out decimal value)
    {
        return cursor.TryPass(tag, DecimalBits.TryRead(in cursor.Behind(tag), cursor.RoomBehind(tag), out value));
    }

    /// <summary>Reads a bcl.DateTime.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryBclDateTime(this ref FieldCursor cursor, uint tag, out DateTime value)
    {
        return cursor.TryPass(tag, ScaledTicks.TryRead(in cursor.Behind(tag), cursor.RoomBehind(tag), out value));
    }

    /// <summary>Reads a bcl.TimeSpan.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryBclTimeSpan(this ref FieldCursor cursor, uint tag, out TimeSpan value)
    {
        return cursor.TryPass(tag, ScaledTicks.TryRead(in cursor.Behind(tag), cursor.RoomBehind(tag), out value));
    }

    /// <summary>Reads a google.protobuf.Timestamp as UTC.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryTimestamp(this ref FieldCursor cursor, uint tag, out DateTime value)
    {
        return cursor.TryPass(tag, SecondsAndNanos.TryRead(in cursor.Behind(tag), cursor.RoomBehind(tag), out value));
    }

    /// <summary>Reads a google.protobuf.Duration.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryDuration(this ref FieldCursor cursor, uint tag, out TimeSpan value)
    {
        return cursor.TryPass(tag, SecondsAndNanos.TryRead(in cursor.Behind(tag), cursor.RoomBehind(tag), out value));
    }

    /// <summary>Reads a Guid from 16 bytes or from 32 or 36 characters.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryGuidText(this ref FieldCursor cursor, uint tag, out Guid value)
    {
        return cursor.TryPass(tag, GuidDigits.TryRead(in cursor.Behind(tag), cursor.RoomBehind(tag), out value));
    }

    /// <summary>Reads a decimal from up to 32 characters.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryDecimalText(this ref FieldCursor cursor, uint tag, out decimal value)
    {
        return cursor.TryPass(tag, DecimalDigits.TryRead(in cursor.Behind(tag), cursor.RoomBehind(tag), out value));
    }
}
