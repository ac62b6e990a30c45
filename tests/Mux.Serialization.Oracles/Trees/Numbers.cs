namespace Mux.Serialization.Oracles.Trees;

/// <summary>Makes numbers, bools, chars and enums.</summary>
internal static class Numbers
{
    public static object Of(Type type, Int128 number)
    {
        if (type.IsEnum) return Enum.ToObject(type, Of(Enum.GetUnderlyingType(type), number));
        if (type == typeof(nint)) return (nint)(long)number;
        if (type == typeof(nuint)) return (nuint)(ulong)number;
        return Type.GetTypeCode(type) switch
        {
            TypeCode.Boolean => number != 0,
            TypeCode.Char => (char)(ushort)number,
            TypeCode.SByte => (sbyte)number,
            TypeCode.Byte => (byte)number,
            TypeCode.Int16 => (short)number,
            TypeCode.UInt16 => (ushort)number,
            TypeCode.Int32 => (int)number,
            TypeCode.UInt32 => (uint)number,
            TypeCode.Int64 => (long)number,
            TypeCode.UInt64 => (ulong)number,
            _ => throw new ArgumentException($"A number is no {type}.", nameof(type)),
        };
    }
}
