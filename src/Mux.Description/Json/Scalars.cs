namespace Mux.Description.Json;

/// <summary>Values of fields as the wire has them.</summary>
internal static class Scalars
{
    /// <summary>Gets a number of the wire as its type has it: without bits that the type does not have.</summary>
    public static long Normalize(FieldKind kind, ulong raw) => kind switch
    {
        FieldKind.Int32 or FieldKind.Enum or FieldKind.SFixed32 => (int)raw,
        FieldKind.UInt32 or FieldKind.Fixed32 or FieldKind.Float => (uint)raw,
        FieldKind.SInt32 => (int)((uint)raw >> 1) ^ -(int)((uint)raw & 1),
        FieldKind.SInt64 => (long)(raw >> 1) ^ -(long)(raw & 1),
        FieldKind.Bool => raw != 0 ? 1 : 0,
        _ => (long)raw,
    };

    public static bool IsNumber(FieldKind kind) => kind is not (FieldKind.String or FieldKind.Bytes or FieldKind.Message or FieldKind.Group);
}
